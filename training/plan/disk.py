"""Disk space of each phase in bytes, both in the run folder and temporary."""

from __future__ import annotations

from teller_gym.training.config.run import EnvConfig
from teller_gym.training.plan.lengths import figures
from teller_gym.training.plan.memory import Setup
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS

_DRAWN = ("policy_shift", "schema_shift", "distractors")
"""Environment options that may change the system message or the tools from task to task."""


def data(env: EnvConfig, trajectories: int) -> int:
    """Return the size of the expert data in bytes."""
    drawn = any(env.options.get(name) for name in _DRAWN)
    return episodes(trajectories) + int(figures()["head"] * (trajectories if drawn else 1))


def episodes(count: int) -> int:
    """Return the size of ``count`` transcripts in bytes."""
    return int(count * figures()["trajectory"])


def checkpoint(setup: Setup) -> int:
    """Return the size of a phase's checkpoint in bytes."""
    return setup.width * setup.shape.parameters


def phase(setup: Setup, kind: str, validated: bool) -> tuple[int, int]:
    """Return a training phase's disk use in bytes: left in the run folder, and temporary for writing a checkpoint."""
    # A trainer's checkpoint has the trained weights and the optimizer's moments.
    trainer = setup.trained_width * (3 if kind == "adamw" else 1) * setup.trained
    left = KEPT_CHECKPOINTS * trainer + checkpoint(setup) * (2 if validated else 1)
    return left, max(trainer, checkpoint(setup))
