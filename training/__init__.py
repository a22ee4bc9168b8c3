"""Training recipes: `teller_gym.training` (needs the extra `train`).

Expert data, supervised fine-tuning, GRPO and the evaluation of checkpoints. Nothing here knows about banking: tasks,
tools and rewards come through the environment. Importing the package itself loads no training library.

For a trainer of your own (docs/train/own_trainer.md)::

    from teller_gym.training import rollout_func, score, tasks_dataset

    data = tasks_dataset("Teller-Loans-v0", 1_000)
    trainer = GRPOTrainer(model, score, train_dataset=data, rollout_func=rollout_func("Teller-Loans-v0"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if __name__ != "teller_gym.training":
    raise ImportError(
        f"the folder training/ is the package 'teller_gym.training', but it was imported as {__name__!r}; "
        "write 'import teller_gym.training' (install it with 'pip install -e .', or start Python in the checkout)"
    )

if TYPE_CHECKING:
    from teller_gym.adapters.trl.dataset import tasks_dataset
    from teller_gym.adapters.trl.environment_factory import environment_factory
    from teller_gym.adapters.trl.rollout_func import rollout_func
    from teller_gym.training.trainer_parts.rewards import score

__all__ = ["environment_factory", "rollout_func", "score", "tasks_dataset"]

_LAZY = {
    "environment_factory": "teller_gym.adapters.trl.environment_factory",
    "rollout_func": "teller_gym.adapters.trl.rollout_func",
    "score": "teller_gym.training.trainer_parts.rewards",
    "tasks_dataset": "teller_gym.adapters.trl.dataset",
}


def __getattr__(name: str) -> Any:
    """Load the public functions on first use, so that the import stays light.

    Raises:
        MissingExtraError: the extra `train` is not installed.
    """
    if name not in _LAZY:
        raise AttributeError(f"module 'teller_gym.training' has no attribute {name!r}; it exports {', '.join(__all__)}")
    from importlib import import_module

    from teller_gym.base.errors import MissingExtraError

    try:
        return getattr(import_module(_LAZY[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("teller_gym"):
            raise
        raise MissingExtraError(f"teller_gym.training.{name}", "train") from error
