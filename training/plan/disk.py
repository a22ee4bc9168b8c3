"""Disk space that each phase leaves in the run folder, and that it needs temporarily, in bytes."""

from __future__ import annotations

from teller_gym.training.config.run import EnvConfig
from teller_gym.training.plan.lengths import figures
from teller_gym.training.plan.memory import Setup
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS

_DRAWN = ("policy_shift", "schema_shift", "distractors")
"""Options that may change the system message or the tools from task to task."""


def data(env: EnvConfig, trajectories: int) -> int:
    """Return the bytes of the expert data."""
    drawn = any(env.options.get(name) for name in _DRAWN)
    return episodes(trajectories) + int(figures()["head"] * (trajectories if drawn else 1))


def episodes(count: int) -> int:
    """Return the bytes of ``count`` transcripts."""
    return int(count * figures()["trajectory"])


def checkpoint(setup: Setup) -> int:
    """Return the bytes of a phase's checkpoint."""
    return setup.width * setup.shape.parameters


def phase(setup: Setup, kind: str, validated: bool) -> tuple[int, int]:
    """Return the bytes that a training phase leaves, and those that it needs while it writes a checkpoint."""
    # A trainer's checkpoint has the trained weights and the optimizer's moments.
    trainer = setup.trained_width * (3 if kind == "adamw" else 1) * setup.trained
    left = KEPT_CHECKPOINTS * trainer + checkpoint(setup) * (2 if validated else 1)
    return left, max(trainer, checkpoint(setup))
