"""The whole recipe on Loans in miniature: a few seconds, for tests of what a run leaves and survives."""

import shutil
from pathlib import Path

from teller_gym.cli import main

# No call fits into four tokens, so nothing can be learned, on any processor.
SMALL = [
    "logger=none", "model.shape.hidden=48", "model.shape.mlp=48", "model.shape.layers=2", "model.turn_tokens=4",
    "model.shape.tokenizer_texts=12",
    "model.total_tokens=2600", "method.sft.trajectories=8", "method.sft.drill_trajectories=2", "method.sft.log_steps=1",
    "method.grpo.steps=2", "method.grpo.tasks=2", "method.grpo.group=2", "evaluation.n=2",
    "evaluation.references=[expert]",
]  # fmt: skip


def copied(finished: Path, folder: Path, *lacking: str) -> Path:
    """Copy a run without some of its files and folders; return the copy."""
    shutil.copytree(finished, folder)
    for name in lacking:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return folder


def run(folder: Path, *more: str) -> int:
    """Train in a folder by the command; return its exit code."""
    return main(["train", "--config-name", "demo", f"run_dir={folder}", *SMALL, *more])
