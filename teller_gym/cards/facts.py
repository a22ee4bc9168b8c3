"""Sizes and outcomes for a scenario's card, read from the scenario and its frozen tasks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from teller_gym.procedure.graph import EdgeKind, Graph
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split
from teller_gym.tasks.store import split_tasks
from teller_gym.tools.tool import Category

FROZEN = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, *VARIANT_SPLITS)


@dataclass(frozen=True)
class Facts:
    """Sizes and outcomes of a scenario."""

    purpose: str
    scope: str
    graph: Graph
    edges: dict[EdgeKind, int]
    core: int
    auxiliary: int
    outputs: tuple[str, ...]
    tasks: dict[Split, int]
    calls: tuple[int, int, int]
    """Fewest, median and most calls of the standard results of all frozen tasks."""
    outcome: str
    """The output field that ``outcomes`` counts: the review's first."""
    outcomes: dict[str, dict[Split, int]]
    """Frequency of each of its values in each split, the most frequent first."""


def facts_of(name: str) -> Facts:
    """Return the facts of a scenario; raises OptionError for an unknown name."""
    scenario = load_scenario(name)
    tasks = {split: split_tasks(name, split) for split in FROZEN}
    calls = sorted(len(task.standard.calls) for found in tasks.values() for task in found)
    outcome = scenario.output_fields[0]
    seen = {split: Counter(str(task.standard.outputs[outcome]) for task in found) for split, found in tasks.items()}
    total: Counter[str] = sum(seen.values(), Counter())
    values = sorted(total, key=lambda value: (-total[value], value))
    kinds = Counter(edge.kind for edge in scenario.graph.edges)
    categories = Counter(tool.category for tool in scenario.tools.values())
    return Facts(
        purpose=scenario.sop_document.purpose,
        scope=scenario.sop_document.scope,
        graph=scenario.graph,
        edges={kind: kinds[kind] for kind in EdgeKind},
        core=categories[Category.CORE],
        auxiliary=categories[Category.AUXILIARY],
        outputs=scenario.output_fields,
        tasks={split: len(found) for split, found in tasks.items()},
        calls=(calls[0], calls[(len(calls) - 1) // 2], calls[-1]),
        outcome=outcome,
        outcomes={value: {split: seen[split][value] for split in FROZEN} for value in values},
    )
