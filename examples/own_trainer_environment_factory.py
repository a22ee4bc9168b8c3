"""Train with TRL's plain GRPOTrainer, which plays the episodes; the tools are methods of an environment.

    python -m examples.own_trainer_environment_factory [MODEL [STEPS]]

trains a tiny model for one step unless a model's name or folder is given; see docs/train/own_trainer.md.
"""

import sys
from pathlib import Path

import torch
from transformers import AutoTokenizer
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import add_response_schema, get_training_chat_template

from examples.tiny_qwen3 import build
from teller_gym.training import environment_factory, tasks_dataset


def train(model: str, steps: int, output: str = "runs/own_environment_factory") -> float:
    """Train a model, and return the mean reward of the last step."""
    tokenizer, gpu = add_response_schema(AutoTokenizer.from_pretrained(model)), torch.cuda.is_available()
    tokenizer.chat_template = get_training_chat_template(tokenizer)  # otherwise checkpoints are saved with another one
    batch = dict.fromkeys(("gradient_accumulation_steps", "num_generations"), 8 if gpu else 2)
    rest = {"per_device_train_batch_size": 1, "logging_steps": 1, "report_to": "none"}
    rest |= {"max_completion_length": 8_000 if gpu else 64, "chat_template_kwargs": {"enable_thinking": False}}
    arguments = GRPOConfig(output, max_steps=steps, bf16=gpu, use_cpu=not gpu, **batch, **rest)
    data, desk = tasks_dataset("Teller-Loans-v0", steps, chats="full"), environment_factory("Teller-Loans-v0")
    trainer = GRPOTrainer(model, None, arguments, data, processing_class=tokenizer, environment_factory=desk)
    trainer.train()
    return float([row["reward"] for row in trainer.state.log_history if "reward" in row][-1])


if __name__ == "__main__":
    model = sys.argv[1] if sys.argv[1:] else build(Path("runs/tiny_qwen3"))
    print(f"reward {train(model, int(sys.argv[2]) if sys.argv[2:] else 1):.3f}")
