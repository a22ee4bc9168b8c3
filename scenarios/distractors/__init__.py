"""Distractor tools: 45 financial and 198 general ones, which belong to no procedure and are shared by all scenarios.

They are entries of a catalogue; see ``README.md`` beside this file. ``order.txt`` lists the tools in the order from
which samples are drawn, so that moving a tool to another file changes no task.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any, Final

from teller_gym.base.errors import ScenarioError
from teller_gym.tools.catalogue.subject import Subject, subject_names
from teller_gym.tools.tool import Category, Tool, ToolSet

CATEGORIES: Final = {"financial": Category.FINANCIAL_DISTRACTOR, "general": Category.GENERAL_DISTRACTOR}
"""Category of the tools in each folder."""

_ORDER: Final = "order.txt"


def subjects() -> list[Subject]:
    """Return the catalogue's subjects, sorted by folder and name."""
    packages = {f"{__name__}.{folder}": category for folder, category in CATEGORIES.items()}
    return [
        Subject(package, name, category) for package, category in packages.items() for name in subject_names(package)
    ]


def load() -> tuple[Tool, ...]:
    """Return all distractor tools, in the order of ``order.txt``.

    Raises:
        ScenarioError: ``order.txt`` has a duplicate, unknown or missing tool, or two tools share a name.
    """
    names = resources.files(__name__).joinpath(_ORDER).read_text("utf-8").split()
    return ordered(names, (tool for subject in subjects() for tool in subject.tools()))


def example_arguments() -> dict[str, list[dict[str, Any]]]:
    """Return, for each tool, the arguments of its examples that succeed without an earlier call."""
    return {
        tool: [each.arguments for each in entry.examples if each.result is not None and not each.before]
        for subject in subjects()
        for tool, entry in subject.entries.items()
    }


def ordered(names: Sequence[str], tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """Sort the tools by a list of names; raises errors as :func:`load` does."""
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
