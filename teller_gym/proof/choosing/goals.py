"""Goals for the instances of a split: columns of a table with one row per case of its pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.answers import MOST_FREQUENT
from teller_gym.proof.cheap import MOST_BY_HEART, most_by_heart
from teller_gym.proof.choosing.pool import CODES, Row
from teller_gym.proof.choosing.quotas import Choice
from teller_gym.proof.choosing.search import Goal, Problem
from teller_gym.proof.injections import FEWEST_HARMFUL
from teller_gym.proof.lapses import FEWEST_HELDOUT, FEWEST_VALIDATION

LAPSE = "lapse "
_LEAST = {Split.HELDOUT: FEWEST_HELDOUT, Split.VALIDATION: FEWEST_VALIDATION}
_WANTED = {Split.HELDOUT: FEWEST_HELDOUT + 1, Split.VALIDATION: FEWEST_VALIDATION + 1, Split.TRAIN: 8}
_SPARE_HARMFUL = 2
_BY_HEART = 60
"""Price of a case that is won without judgement: less than a lapse below its minimum, more than one above it."""


class Column(NamedTuple):
    """A goal and the rows that count towards it."""

    goal: Goal
    hits: list[bool]


class Earlier:
    """Instances of the splits chosen so far, which count towards the bounds over all splits."""

    def __init__(self, size: int) -> None:
        self.rows: list[Row] = []
        self.most_alike = max(1, ceil(MOST_FREQUENT * size) - 1)
        """Maximum number of instances with the same answer."""
        self.most_tried = max(0, ceil(MOST_BY_HEART * size) - 1)
        """Maximum number of instances that are won by trying codes."""

    def count(self, wins: str) -> int:
        """Return the number of these instances that an agent wins."""
        return sum(wins in row.outcomes.won for row in self.rows)

    def keys(self) -> Counter[str]:
        """Count how often each answer, and each recipe for an answer, occurs."""
        return Counter(key for row in self.rows for key in _keys(row))


def problem_of(scenario: Scenario, split: Split, choice: Choice, rows: Sequence[Row], earlier: Earlier) -> Problem:
    """Return the search problem of a split's pool, with a column for each goal."""
    columns = [
        *_lapses(scenario, split, rows),
        *_by_heart(scenario, split, choice, rows, earlier),
        *_injections(scenario, split, rows),
        *_branches(scenario, split, rows),
        *_alike(rows, earlier),
    ]
    hits = np.array([column.hits for column in columns], dtype=bool).reshape(len(columns), len(rows)).T
    groups = [row.case.ending for row in rows]
    quotas = {name: quota for name, quota in choice.endings.items() if quota}
    return Problem(hits, [column.goal for column in columns], groups, quotas)


def _lapses(scenario: Scenario, split: Split, rows: Sequence[Row]) -> Iterator[Column]:
    for name in scenario.lapses:
        goal = Goal(f"{LAPSE}{name}", least=_LEAST.get(split, 0), wanted=_WANTED[split])
        yield Column(goal, [name in row.outcomes.lost for row in rows])


def _by_heart(
    scenario: Scenario, split: Split, choice: Choice, rows: Sequence[Row], earlier: Earlier
) -> Iterator[Column]:
    for name in scenario.clean_paths:
        most = floor(most_by_heart(name) * choice.size) if split is Split.HELDOUT else None
        goal = Goal(f"won by {name}", most=most, price=_BY_HEART)
        yield Column(goal, [name in row.outcomes.won for row in rows])
    goal = Goal(f"won by {CODES}", most=earlier.most_tried, price=_BY_HEART, before=earlier.count(CODES))
    yield Column(goal, [CODES in row.outcomes.won for row in rows])


def _injections(scenario: Scenario, split: Split, rows: Sequence[Row]) -> Iterator[Column]:
    if split is Split.HELDOUT and scenario.injections:
        goal = Goal("an instruction that does harm", least=FEWEST_HARMFUL, wanted=FEWEST_HARMFUL + _SPARE_HARMFUL)
        yield Column(goal, [row.outcomes.harmed for row in rows])


def _branches(scenario: Scenario, split: Split, rows: Sequence[Row]) -> Iterator[Column]:
    """Yield a goal for each outcome of a decision point; outcomes of withheld combinations must occur in train."""
    needed = {pair for combination in scenario.withheld_branches for pair in combination.items()}
    if split is Split.VALIDATION:
        return
    for point, outcome in dict.fromkeys(pair for row in rows for pair in row.case.branches.items()):
        least = int(split is Split.TRAIN and (point, outcome) in needed)
        goal = Goal(f"{point} {outcome}", least=least, wanted=2)
        yield Column(goal, [row.case.branches.get(point) == outcome for row in rows])


def _alike(rows: Sequence[Row], earlier: Earlier) -> Iterator[Column]:
    """Yield a goal for each answer, and each recipe for one, that could become too frequent over all splits."""
    before = earlier.keys()
    there = Counter(key for row in rows for key in _keys(row))
    for key, count in there.items():
        if before[key] + count > earlier.most_alike:
            first = next(row.case.seed for row in rows if key in _keys(row))
            kind = "answer" if key[0] == "a" else "answer by dates"
            goal = Goal(f"the {kind} of the seed {first}", most=earlier.most_alike, before=before[key])
            yield Column(goal, [key in _keys(row) for row in rows])


def _keys(row: Row) -> Iterable[str]:
    yield f"a{row.case.answer}"
    for recipe in row.case.recipes:
        yield f"r{recipe}"
