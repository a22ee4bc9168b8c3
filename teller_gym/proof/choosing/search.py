"""Selection of rows from a binary table, with a quota for each group of rows and a goal for each column's sum.

Each shortfall has a price (:class:`Goal`), and the search minimises the total: it picks rows one by one, rare columns
first, then swaps one or two rows while that lowers the price, then repeats this from randomly perturbed selections.
The result is deterministic.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MISSED = 1_000
"""Price per unit by which a column's sum is below ``least`` or above ``most``."""

_SHAKES = 40
_SHAKEN = 3
_PAIRS = 30_000


class Goal(NamedTuple):
    """The goal for a column's sum over the chosen rows.

    Attributes:
        name: name of the column.
        least, most: bounds of the sum.
        wanted: preferred sum, above ``least``.
        price: price per one in the column, if a sum of 0 is preferred.
        before: sum over rows chosen earlier, which counts towards the bounds.
    """

    name: str
    least: int = 0
    wanted: int = 0
    most: int | None = None
    price: int = 0
    before: int = 0

    def cost(self, have: int) -> int:
        """Return the price of a sum over the chosen rows."""
        total = self.before + have
        missed = max(0, self.least - total) + (max(0, total - self.most) if self.most is not None else 0)
        return MISSED * missed + max(0, self.wanted - total) ** 2 + self.price * have

    def is_kept(self, have: int) -> bool:
        """Return True if a sum over the chosen rows is within the bounds."""
        return self.least <= self.before + have and (self.most is None or self.before + have <= self.most)


class Problem:
    """A table of rows to choose from: ``hits[row, column]`` is True if the row counts towards the column's goal.

    ``groups`` has the group of each row, and ``quotas`` the number of rows to choose from each group.

    Raises:
        ValueError: a group has fewer rows than its quota.
    """

    def __init__(
        self, hits: npt.NDArray[np.bool_], goals: Sequence[Goal], groups: Sequence[str], quotas: Mapping[str, int]
    ) -> None:
        self.goals = tuple(goals)
        self.hits = hits.astype(np.float64)
        self.quotas = dict(quotas)
        self.groups = tuple(groups)
        self.members = {
            name: np.array([row for row, group in enumerate(groups) if group == name], dtype=np.int64)
            for name in self.quotas
        }
        for name, quota in self.quotas.items():
            if len(self.members[name]) < quota:
                raise ValueError(f"{name}: expected {quota} rows or more, got {len(self.members[name])}")
        size = sum(self.quotas.values())
        self._places = np.arange(len(self.goals))
        self.costs: Matrix = np.array(
            [[goal.cost(have) for have in range(size + 2)] for goal in self.goals], dtype=np.float64
        ).reshape(len(self.goals), size + 2)

    def have(self, rows: Sequence[int]) -> Counts:
        """Return the sum of each column over the given rows."""
        found: Counts = self.hits[list(rows)].sum(axis=0).astype(np.int64)
        return found

    def cost(self, have: Counts) -> float:
        """Return the total price of the columns' sums."""
        return float(self.costs[self._places, have].sum())

    def gains(self, have: Counts) -> Matrix:
        """Return how much the price falls if each column's sum grows by one."""
        spared: Matrix = self.costs[self._places, have] - self.costs[self._places, have + 1]
        return spared

    def available(self) -> dict[str, Counts]:
        """Return the sum of each column over all rows of each group."""
        return {name: self.have(list(rows)) for name, rows in self.members.items()}

    def reach(self) -> tuple[Counts, Counts]:
        """Return the smallest and the largest sum that each column can have in any selection."""
        there = self.available()
        zero = np.zeros(len(self.goals), dtype=np.int64)
        most = sum((np.minimum(quota, there[name]) for name, quota in self.quotas.items()), zero)
        spare = {name: len(self.members[name]) - there[name] for name in self.quotas}
        least = sum((np.maximum(0, quota - spare[name]) for name, quota in self.quotas.items()), zero)
        return least, most

    def floor(self) -> float:
        """Return a lower bound of the price of any selection."""
        least, most = self.reach()
        rows = zip(self.costs, least, most, strict=True)
        return float(sum(row[low : high + 1].min() for row, low, high in rows))


class Search:
    """State of the local search for a problem."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self._of = problem
        self._draw = random.Random(seed).random
        self._floor = problem.floor()
        self._chosen: list[int] = []
        self._free = np.ones(len(problem.hits), dtype=bool)
        self._have = problem.have([])
        self._pairs_left = _PAIRS

    def run(self) -> list[int]:
        """Search and return the chosen rows, sorted."""
        self._greedy()
        self._improve(pairs=True)
        best, price = list(self._chosen), self._price()
        for _ in range(_SHAKES):
            if price <= self._floor or not self._chosen:
                break
            self._shake()
            self._improve(pairs=False)
            if self._price() < price:
                best, price = list(self._chosen), self._price()
            else:
                self._restore(best)
        self._improve(pairs=True)
        return sorted(self._chosen)

    def _price(self) -> float:
        return self._of.cost(self._have)

    def _put(self, row: int) -> None:
        self._chosen.append(row)
        self._free[row] = False
        self._have = self._have + self._of.hits[row].astype(np.int64)

    def _take(self, place: int) -> int:
        row = self._chosen.pop(place)
        self._free[row] = True
        self._have = self._have - self._of.hits[row].astype(np.int64)
        return row

    def _restore(self, rows: Sequence[int]) -> None:
        while self._chosen:
            self._take(-1)
        for row in rows:
            self._put(row)

    def _greedy(self) -> None:
        """Pick rows one by one, with a higher weight on rare columns."""
        problem = self._of
        rarity = 1 / np.maximum(1.0, problem.hits.sum(axis=0))
        left = dict(problem.quotas)
        while any(left.values()):
            # The group with the largest unfilled share, so that all groups fill at the same rate.
            group = max(left, key=lambda name: (left[name] / max(1, problem.quotas[name]), name))
            row = self._best(group, self._have, rarity)
            assert row is not None  # the problem has enough of them
            self._put(row)
            left[group] -= 1

    def _best(self, group: str, have: Counts, weights: Matrix | None = None) -> int | None:
        """Return the free row of a group that lowers the price most; None if no row is free."""
        gains = self._of.gains(have)
        members = self._of.members[group]
        worth = self._of.hits[members] @ (gains if weights is None else gains * weights)
        worth[~self._free[members]] = -np.inf
        place = int(np.argmax(worth))
        return int(members[place]) if self._free[members[place]] else None

    def _improve(self, pairs: bool) -> None:
        """Swap rows while that lowers the price."""
        while self._price() > self._floor and (self._exchange_one() or (pairs and self._exchange_two())):
            pass

    def _exchange_one(self) -> bool:
        """Swap each row for the best alternative if that lowers the price; return True if any swap did."""
        paid = False
        for _ in range(len(self._chosen)):
            before = self._price()
            row = self._take(0)
            other = self._best(self._of.groups[row], self._have)
            self._put(row if other is None else other)
            if self._price() < before:
                paid = True
            else:
                self._take(-1)
                self._put(row)
        return paid

    def _exchange_two(self) -> bool:
        """Swap the first pair of rows for which that lowers the price; return True if there is one."""
        problem, before = self._of, self._price()
        for one, other in combinations(range(len(self._chosen)), 2):
            if self._pairs_left <= 0:
                return False
            self._pairs_left -= 1
            rows = self._chosen[one], self._chosen[other]
            without = self._have - problem.hits[list(rows)].sum(axis=0).astype(np.int64)
            for first, second in (rows, rows[::-1]):
                new = self._best(problem.groups[first], without)
                if new is None:
                    continue
                with_one = without + problem.hits[new].astype(np.int64)
                self._free[new] = False
                last = self._best(problem.groups[second], with_one)
                self._free[new] = True
                if last is None:
                    continue
                have = with_one + problem.hits[last].astype(np.int64)
                if problem.cost(have) < before:
                    self._take(other)
                    self._take(one)
                    self._put(new)
                    self._put(last)
                    return True
        return False

    def _shake(self) -> None:
        """Swap a few random rows for random others of their groups."""
        for _ in range(min(_SHAKEN, len(self._chosen))):
            row = self._take(int(self._draw() * len(self._chosen)))
            free = [int(other) for other in self._of.members[self._of.groups[row]] if self._free[other]]
            self._put(free[int(self._draw() * len(free))])


def search(problem: Problem, seed: int) -> list[int]:
    """Return the indices of the chosen rows, sorted."""
    return Search(problem, seed).run()
