"""Gymnasium environments, spaces and wrappers: `teller_gym.envs`.

The folder is a subpackage of the distribution. Importing it as a top-level `envs` would load every class twice under
two names, so that is refused.
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
    """Load an environment on first use, so that looking at the package stays cheap.

    Raises:
        AttributeError: for any other name.
    """
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it exports: {', '.join(__all__)}")
