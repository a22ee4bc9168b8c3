"""Tools that belong to no procedure: 45 financial and 198 general ones, shared by all scenarios.

Each module holds tools of one subject; those whose names begin with an underscore hold what such tools work with.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from teller_gym.tools.tool import Tool, tools_of

GROUPS = ("financial", "general")


def load() -> tuple[Tool, ...]:
    """Return all of them: financial ones first, modules by name, tools in the order of their definition."""
    found: list[Tool] = []
    for group in GROUPS:
        folder = import_module(f"{__name__}.{group}")
        names = sorted(info.name for info in iter_modules(folder.__path__) if not info.name.startswith("_"))
        found += [tool for name in names for tool in tools_of(import_module(f"{folder.__name__}.{name}"))]
    return tuple(found)
