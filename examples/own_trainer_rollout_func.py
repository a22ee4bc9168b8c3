"""Train with TRL's plain GRPOTrainer, while this package plays the episodes.

    python -m examples.own_trainer_rollout_func [MODEL [STEPS]]

trains a tiny model for one step unless a model's name or folder is given; see docs/train/own_trainer.md.
"""

import sys
from pathlib import Path

import torch
from trl import GRPOConfig, GRPOTrainer

from examples.tiny_qwen3 import build
from teller_gym.training import rollout_func, score, tasks_dataset
from teller_gym.training.models.load import load_tokenizer


def train(model: str, steps: int, output: str = "runs/own_rollout_func") -> float:
    """Train a model, and return the mean reward of the last step."""
    tokenizer, gpu = load_tokenizer(model), torch.cuda.is_available()  # with a chat template for training
    batch = dict.fromkeys(("gradient_accumulation_steps", "num_generations"), 8 if gpu else 2)
    rest = {"per_device_train_batch_size": 1, "logging_steps": 1, "report_to": "none"}
    arguments = GRPOConfig(output, max_steps=steps, bf16=gpu, use_cpu=not gpu, **batch, **rest)
    data, play = (
        tasks_dataset("Teller-Loans-v0", steps),
        rollout_func("Teller-Loans-v0", turn_tokens=512 if gpu else 64),
    )
    trainer = GRPOTrainer(model, score, arguments, data, processing_class=tokenizer, rollout_func=play)
    trainer.train()
    return float([row["reward"] for row in trainer.state.log_history if "reward" in row][-1])


if __name__ == "__main__":
    model = sys.argv[1] if sys.argv[1:] else build(Path("runs/tiny_qwen3"))
    print(f"reward {train(model, int(sys.argv[2]) if sys.argv[2:] else 1):.3f}")
