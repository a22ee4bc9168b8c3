"""Tools that belong to no procedure: 45 financial and 198 general ones, shared by all scenarios.

Each folder of ``financial`` and ``general`` holds the tools of one subject, with the tables that they read; modules
whose names begin with an underscore hold what tools work with. ``order.txt`` names the tools in the order from which
samples are drawn, so that moving a tool to another file changes no task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module, resources
from pkgutil import walk_packages
from types import ModuleType

from teller_gym.base.errors import ScenarioError
from teller_gym.scenarios.distractors.catalogue import subjects
from teller_gym.tools.tool import Tool, ToolSet, tools_of

_ORDER = "order.txt"


def load() -> tuple[Tool, ...]:
    """Return all of them, in the order of ``order.txt``.

    Raises:
        ScenarioError: a name stands there without a tool or twice, a tool without a name, or two tools share a name.
    """
    names = resources.files(__name__).joinpath(_ORDER).read_text("utf-8").split()
    old = (tool for module in _modules() for tool in tools_of(module))
    return ordered(names, [*(tool for subject in subjects() for tool in subject.tools()), *old])


def ordered(names: Sequence[str], tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Return the tools in the order of their names; errors as for :func:`load`."""
    found = ToolSet(tools)
    problems = {
        "names without a tool": [name for name in names if name not in found],
        "names that stand twice": [name for at, name in enumerate(names) if name in names[:at]],
        "tools without a name": [name for name in found if name not in names],
    }
    said = [f"{what}: {', '.join(which)}" for what, which in problems.items() if which]
    if said:
        raise ScenarioError(f"{_ORDER}: expected the name of every tool once; {'; '.join(said)}")
    return tuple(found[name] for name in names)


def _modules() -> Iterator[ModuleType]:
    """Import and yield the modules that define tools."""
    package = import_module(__name__)
    for info in walk_packages(package.__path__, f"{__name__}."):
        if not info.ispkg and not info.name.rpartition(".")[2].startswith("_"):
            yield import_module(info.name)
