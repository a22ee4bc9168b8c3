"""Bytes that each phase leaves in the run folder, and what it needs besides while it runs."""

from __future__ import annotations

from teller_gym.training.config.run import Config
from teller_gym.training.plan.lengths import figures
from teller_gym.training.plan.memory import Setup
from teller_gym.training.run_folder.checksums import KEPT_CHECKPOINTS

_DRAWN = ("policy_shift", "schema_shift", "distractors")
"""Options that may give each task another system message or other tools."""
TOKEN = 4
"""Bytes of a token as text."""


def data(config: Config, trajectories: int) -> int:
    """Bytes of the expert data."""
    found = figures()
    drawn = any(config.env.options.get(name) for name in _DRAWN)
    return int(trajectories * found["trajectory"] + found["head"] * (trajectories if drawn else 1))


def episodes(count: int) -> int:
    """Bytes of so many transcripts."""
    return int(count * figures()["trajectory"])


def checkpoint(setup: Setup) -> int:
    """Bytes of a whole model as it is handed on."""
    return (2 if setup.zero else setup.width) * setup.shape.parameters


def trainer(setup: Setup, kind: str) -> int:
    """Bytes of one checkpoint that a trainer goes on from: what is trained, and the optimizer's state."""
    moments = 2 if kind == "adamw" else 0
    if setup.zero:
        model = 2 * (setup.adapters or setup.shape.parameters)
        return model + 4 * (1 + moments) * setup.trained
    width = 4 if setup.rank or setup.sharding == "fsdp2" else setup.width
    return width * (1 + moments) * setup.trained


def phase(setup: Setup, kind: str, validated: bool) -> tuple[int, int]:
    """Bytes that a training phase leaves, and those that it needs besides while a checkpoint is written."""
    left = KEPT_CHECKPOINTS * trainer(setup, kind) + checkpoint(setup) * (2 if validated else 1)
    return left, max(trainer(setup, kind), checkpoint(setup))
