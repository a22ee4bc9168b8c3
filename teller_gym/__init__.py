"""teller_gym: environments in which language-model agents learn banking work.

Importing the package registers the environment ids without importing any environment::

    import gymnasium as gym
    import teller_gym

    env = gym.make("Teller-Loans-v0", split="train")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from teller_gym.registration import register_envs

if TYPE_CHECKING:
    __version__: str
    from teller_gym.agents import make_agent
    from teller_gym.evaluation import evaluate
    from teller_gym.office_tasks.loading import load_scenario, load_tasks
    from teller_gym.procedure.scenario import register_scenario

__all__ = ["__version__", "evaluate", "load_scenario", "load_tasks", "make_agent", "register_scenario"]

_LAZY = {
    "evaluate": "teller_gym.evaluation",
    "load_scenario": "teller_gym.office_tasks.loading",
    "load_tasks": "teller_gym.office_tasks.loading",
    "make_agent": "teller_gym.agents",
    "register_scenario": "teller_gym.procedure.scenario",
}

register_envs()


def __getattr__(name: str) -> Any:
    """Load the public functions on first use, so that the import stays light."""
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
    if name == "__version__":  # reading the metadata costs a third of the import
        return _version()
    raise AttributeError(f"module 'teller_gym' has no attribute {name!r}; it exports {', '.join(__all__)}")


def __dir__() -> list[str]:
    """Include the public names that are loaded on first use."""
    return sorted({*globals(), *__all__})


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("teller-gym")
    except PackageNotFoundError:  # used from a checkout without being installed
        return "0.1.0"
