"""Preloads the libraries of evaluations and trainings in the process from which killed commands are forked."""

import contextlib
import importlib

import teller_gym

LIBRARIES = (
    "teller_gym.cli.eval", "teller_gym.cli.eval_config", "teller_gym.evaluation", "teller_gym.agents.endpoint",
    "teller_gym.cli.train", "teller_gym.training.recipe", "teller_gym.training.phases.sft",
    "teller_gym.training.phases.grpo", "trl", "matplotlib.figure",
)  # fmt: skip
for _name in LIBRARIES:
    with contextlib.suppress(ImportError):  # the extra may not be installed
        importlib.import_module(_name)
for _split in ("validation", "heldout"):
    teller_gym.load_tasks("loans", _split)
