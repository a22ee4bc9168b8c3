"""Stage 1 tasks: a scenario with distractors, a tool order and a schema, all derived from the task's id."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from functools import cache, lru_cache

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import shown
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.stage1.digraph import Digraph, digraph
from teller_gym.stage1.signatures import signatures
from teller_gym.tools.tool import Tool, ToolSet
from teller_gym.variation import pool

SIZES: Mapping[Split, int] = {Split.TRAIN: 10**18, Split.VALIDATION: 16, Split.HELDOUT: 50}
"""Number of tasks in each split. Train is practically unlimited."""

DEFAULT_DISTRACTORS = 40
_RESERVED = 5
"""Divisor for the distractors that occur only in samples of held-out tasks, which are one in five."""

_ID = re.compile("(.*)-graph-(train|validation|heldout)-(0|[1-9][0-9]{0,17})")


class GraphTask(msgspec.Struct, frozen=True, kw_only=True):
    """A graph reconstruction task.

    Attributes:
        id: id such as ``loans-graph-heldout-3``.
        scenario: name of the scenario.
        split: split of the task.
        number: number of the task in its split, from 0.
        count: number of distractors in the pool.
        schema_shift: True if the tools are shown under different names and with different texts.
    """

    id: str
    scenario: str
    split: Split
    number: int
    count: int = DEFAULT_DISTRACTORS
    schema_shift: bool = True


class Pool(msgspec.Struct, frozen=True):
    """The tools of a task as displayed.

    Attributes:
        tools: tools by displayed name, in the order displayed.
        names: displayed name of each tool, by its original name.
    """

    tools: ToolSet
    names: Mapping[str, str]


def graph_task(
    scenario: str,
    split: str,
    number: int,
    *,
    distractors: int | str = DEFAULT_DISTRACTORS,
    schema_shift: bool = True,
) -> GraphTask:
    """Return a graph reconstruction task.

    Args:
        scenario: scenario such as ``loans``.
        split: train, validation or heldout.
        number: number of the task in its split, from 0.
        distractors: 0 to 243 or "all". A larger sample contains the smaller ones of the same task.
        schema_shift: True to show tools under names and texts drawn for the task. A value then has different names as
            an output and as an input, and held-out tasks have different names from training tasks. False uses the
            original names, which reveal much of the graph.

    Raises:
        OptionError: the scenario, split or number does not exist, or there are too many distractors for the split.
    """
    chosen = parse_graph_split(split)
    load_scenario(scenario)
    if type(number) is not int or not 0 <= number < SIZES[chosen]:
        raise OptionError(f"number: expected 0 … {SIZES[chosen] - 1} in split {chosen}, got {shown(number)}")
    if not isinstance(schema_shift, bool):
        raise OptionError(f"schema_shift: expected True or False, got {shown(schema_shift)}")
    return GraphTask(
        id=f"{scenario}-graph-{chosen}-{number}",
        scenario=scenario,
        split=chosen,
        number=number,
        count=parse_graph_count(distractors, chosen),
        schema_shift=schema_shift,
    )


def find_graph_task(
    scenario: str, task_id: str, *, distractors: int | str = DEFAULT_DISTRACTORS, schema_shift: bool = True
) -> GraphTask:
    """Return the task with the given id.

    The options, which are not part of the id, are those of :func:`graph_task`.

    Raises:
        OptionError: there is no such task.
    """
    found = _ID.fullmatch(task_id)
    if not found or found[1] != scenario or int(found[3]) >= SIZES[Split(found[2])]:
        ids = ", ".join(f"{scenario}-graph-{split}-<0 … {size - 1}>" for split, size in SIZES.items())
        raise OptionError(f"task_id: expected one of {ids}, got {shown(task_id)}")
    return graph_task(scenario, found[2], int(found[3]), distractors=distractors, schema_shift=schema_shift)


def parse_graph_split(split: str) -> Split:
    """Return the split with the given name.

    Raises:
        OptionError: stage 1 has no such split.
    """
    if not isinstance(split, str) or split not in SIZES:
        raise OptionError(f"split: expected one of {', '.join(SIZES)}, got {shown(split)}")
    return Split(split)


def parse_graph_count(wanted: int | str, split: Split) -> int:
    """Return the number of distractors for an option value.

    Raises:
        OptionError: the number is invalid, or too large without the distractors reserved for held-out tasks.
    """
    count, everything = pool.parse_count(wanted), len(pool.distractors())
    most = everything - len(reserved_distractors())
    if split is not Split.HELDOUT and most < count < everything:
        raise OptionError(
            f"distractors: expected 'all' or a number from 0 to {most} in split {split} "
            f"(the other {everything - most} are in no sample but those of heldout), got {shown(wanted)}"
        )
    return count


@cache
def reserved_distractors() -> frozenset[str]:
    """Return the names of the distractors that occur only in samples of held-out tasks."""
    draw = random.Random("stage 1/reserved distractors").random
    mixed = sorted(pool.distractors(), key=lambda _: draw())
    return frozenset(tool.name for tool in mixed[: len(mixed) // _RESERVED])


@lru_cache(maxsize=16)
def pool_of(task: GraphTask) -> Pool:
    """Return the tools shown in a task: the scenario's tools and a sample of distractors, in random order."""
    scenario = load_scenario(task.scenario)
    own = scenario.tools.values()
    draw = random.Random(f"stage 1/{task.scenario}/{task.split}/{task.number}/order").random
    # Every tool has a rank, even if it is not in the pool, so that the order does not depend on the count.
    places = {tool.name: draw() for tool in (*own, *pool.distractors())}
    tools = ToolSet(sorted((*own, *_sample(task)), key=lambda tool: places[tool.name]))
    if not task.schema_shift:
        return Pool(tools, {name: name for name in tools})
    shown = signatures(scenario, tools, task.id, task.split is Split.HELDOUT)
    return Pool(shown, {tool.original.name: name for name, tool in shown.items()})


def _sample(task: GraphTask) -> list[Tool]:
    if task.count == len(pool.distractors()):
        return list(pool.distractors())
    draw = random.Random(f"stage 1/{task.scenario}/{task.split}/{task.number}/sample").random
    mixed = sorted(pool.distractors(), key=lambda _: draw())
    reserved = reserved_distractors()
    kept = [tool for tool in mixed if tool.name in reserved]
    free = [tool for tool in mixed if tool.name not in reserved]
    # Rounded up, so that no held-out sample is possible in training.
    from_kept = min(-(-task.count // _RESERVED), len(kept)) if task.split is Split.HELDOUT else 0
    return [*kept[:from_kept], *free[: task.count - from_kept]]


def own_names(task: GraphTask) -> dict[str, str]:
    """Return the original name of each tool by displayed name."""
    return {shown: own for own, shown in pool_of(task).names.items()}


@lru_cache(maxsize=16)
def gold_of(task: GraphTask) -> Digraph:
    """Return the scenario's graph with the names displayed in a task."""
    names, graph = pool_of(task).names, load_scenario(task.scenario).graph
    return digraph(
        (names[name] for name in graph.nodes), ((names[e.upstream], names[e.downstream]) for e in graph.edges)
    )
