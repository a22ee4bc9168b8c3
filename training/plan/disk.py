"""Bytes that each phase leaves in the run folder, and those that it needs temporarily."""

from __future__ import annotations

from teller_gym.training.config.run import EnvConfig
from teller_gym.training.plan.lengths import figures
from teller_gym.training.plan.memory import Setup
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS

_DRAWN = ("policy_shift", "schema_shift", "distractors")
"""Options with which system message or tools may differ between tasks."""
TOKEN = 4
"""Bytes per token of text."""


def data(env: EnvConfig, trajectories: int) -> int:
    """Return the bytes of the expert data."""
    found = figures()
    drawn = any(env.options.get(name) for name in _DRAWN)
    return int(trajectories * found["trajectory"] + found["head"] * (trajectories if drawn else 1))


def episodes(count: int) -> int:
    """Return the bytes of ``count`` transcripts."""
    return int(count * figures()["trajectory"])


def checkpoint(setup: Setup) -> int:
    """Return the bytes of a phase's checkpoint."""
    return (2 if setup.zero else setup.width) * setup.shape.parameters


def trainer(setup: Setup, kind: str) -> int:
    """Return the bytes of a trainer's checkpoint: trained weights and the optimizer's state."""
    moments = 2 if kind == "adamw" else 0
    if setup.zero:
        model = 2 * (setup.adapters or setup.shape.parameters)
        return model + 4 * (1 + moments) * setup.trained
    width = 4 if setup.rank or setup.sharding == "fsdp2" else setup.width
    return width * (1 + moments) * setup.trained


def phase(setup: Setup, kind: str, validated: bool) -> tuple[int, int]:
    """Return the bytes that a training phase leaves, and those that it needs temporarily while it writes a
    checkpoint."""
    left = KEPT_CHECKPOINTS * trainer(setup, kind) + checkpoint(setup) * (2 if validated else 1)
    return left, max(trainer(setup, kind), checkpoint(setup))
