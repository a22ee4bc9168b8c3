"""Which tools are in play: a scenario's own, and as many as wanted of the shared ones that belong to no procedure."""

from __future__ import annotations

import importlib
import random
from functools import cache, lru_cache

from teller_gym.errors import OptionError
from teller_gym.scenario import load_scenario
from teller_gym.tools import Tool, ToolSet

_MODULE = "teller_gym.scenarios.distractors"
ALL = "all"


@cache
def distractors() -> tuple[Tool, ...]:
    """Return every tool that belongs to no procedure, in a fixed order."""
    tools: tuple[Tool, ...] = importlib.import_module(_MODULE).load()
    return tools


def parse_count(wanted: int | str) -> int:
    """Return how many distractors are wanted.

    Args:
        wanted: a number, or ``"all"``.

    Raises:
        OptionError: neither of these, or more than there are.
    """
    if wanted == ALL:
        return len(distractors())
    if type(wanted) is not int or wanted < 0 or (wanted > 0 and wanted > len(distractors())):
        raise OptionError(f"distractors: expected 'all' or a number from 0 to {len(distractors())}, got {wanted!r}")
    return wanted


def tools_in_play(scenario: str, count: int, task_id: str) -> ToolSet:
    """Return a scenario's tools and ``count`` distractors, mixed.

    The same scenario, count and task give the same tools in the same order; which distractors are drawn, and the order,
    differ from task to task, but for the full pool, which is one and the same for all tasks.
    """
    if count == 0:
        return load_scenario(scenario).tools
    return _mixed(scenario, count, task_id if count < len(distractors()) else "")


@lru_cache(maxsize=512)
def _mixed(scenario: str, count: int, task_id: str) -> ToolSet:
    # Only random() is promised to give the same stream in every version of Python.
    draw = random.Random(f"{scenario}/{count}/{task_id}").random
    chosen = sorted(distractors(), key=lambda _: draw())[:count]
    return ToolSet(sorted([*load_scenario(scenario).tools.values(), *chosen], key=lambda _: draw()))
