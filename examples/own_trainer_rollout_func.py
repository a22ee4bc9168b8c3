"""Bank work with TRL's plain GRPOTrainer; the package plays the episodes.

    python -m examples.own_trainer_rollout_func [MODEL [STEPS]]

takes one step of a tiny model unless a model's name or folder is given; see docs/own_trainer.md.
"""

import sys
from pathlib import Path

import torch
from trl import GRPOConfig, GRPOTrainer

from examples.tiny_qwen3 import build
from teller_gym.training import rollout_func, score, tasks_dataset
from teller_gym.training.models import load_tokenizer


def train(model: str, steps: int, output: str = "runs/own_rollout_func") -> float:
    """Train; return the mean reward of the last step."""
    gpu = torch.cuda.is_available()
    batch = {"per_device_train_batch_size": 4, "num_generations": 4, "gradient_accumulation_steps": 1}
    logs = {"logging_steps": 1, "report_to": "none", "save_strategy": "no"}
    trainer = GRPOTrainer(
        model=model,
        processing_class=load_tokenizer(model),  # with a chat template for training
        args=GRPOConfig(output_dir=output, max_steps=steps, bf16=gpu, use_cpu=not gpu, **batch, **logs),
        train_dataset=tasks_dataset("Teller-Loans-v0", steps),
        rollout_func=rollout_func("Teller-Loans-v0", prompt="compact", turn_tokens=64, total_tokens=12_000),
        reward_funcs=score,
    )
    trainer.train()
    return next(row["reward"] for row in reversed(trainer.state.log_history) if "reward" in row)


if __name__ == "__main__":
    model = sys.argv[1] if sys.argv[1:] else build(Path("runs/tiny_qwen3"))
    print(f"reward {train(model, int(sys.argv[2]) if sys.argv[2:] else 1):.3f}")
