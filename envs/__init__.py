"""Gymnasium environments and spaces: `teller_gym.envs`.

Importing the folder as a top-level package `envs` is refused, because it would load every class twice under two names.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if __name__ != "teller_gym.envs":
    raise ImportError(
        f"the folder envs/ is the package 'teller_gym.envs', but it was imported as {__name__!r}; "
        "write 'import teller_gym.envs' (install it with 'pip install -e .', or start Python in the checkout)"
    )

if TYPE_CHECKING:
    from teller_gym.envs.bank import BankEnv
    from teller_gym.envs.day import DayEnv
    from teller_gym.envs.graph import GraphEnv
    from teller_gym.envs.office import OfficeEnv
    from teller_gym.envs.teller import TellerEnv

__all__ = ["BankEnv", "DayEnv", "GraphEnv", "OfficeEnv", "TellerEnv"]

_MODULES = {
    "BankEnv": "bank",
    "DayEnv": "day",
    "GraphEnv": "graph",
    "OfficeEnv": "office",
    "TellerEnv": "teller",
}


def __getattr__(name: str) -> Any:
    """Import an environment on first use, so that importing the package stays fast."""
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it exports: {', '.join(__all__)}")
