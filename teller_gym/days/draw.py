"""Draws a day at random: cases of several desks on one date, linked pairs of one customer, arrival and due times."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.base.errors import ScenarioError
from teller_gym.days.day import FEWEST, MOST, Day, DayCase
from teller_gym.days.standard import customers_of, effect_of, standard_calls
from teller_gym.days.timing import NoTimesError, timed
from teller_gym.procedure.links import Link, joined, links_of
from teller_gym.procedure.scenario import Draft, Scenario, load_scenario
from teller_gym.procedure.task import Split, Task
from teller_gym.tasks.store import heldout_fingerprints
from teller_gym.tools.bank import Record

DESKS = 3
"""Minimum number of desks with cases in a day, if there are that many."""
_SECOND_PAIR = 8
"""Minimum number of cases in a day with two pairs."""
_TRIES = 60
_DRAFTS = 1000
"""Maximum number of drafts for a case on a given date; about ten are needed to find one on the right weekday."""
_SEEDS = {Split.HELDOUT: (8_000_000_000, 8_899_999_999)}
"""Range of the cases' seeds: held-out days use seeds that the scenarios reserve for held-out tasks."""
_OPEN_SEEDS = (0, 2**32 - 1)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")


class _Drawn(NamedTuple):
    """A task, and, if another case changes its tables, the tables before that change."""

    task: Task
    before: dict[str, dict[str, Record]] | None = None
    after: int | None = None
    """Index of the case that changes the tables."""
    link: str = ""


def size_of(seed: int) -> int:
    """Return the number of cases in the day drawn from a seed."""
    return FEWEST + seed % (MOST - FEWEST + 1)


def draw_day(
    day_id: str,
    seed: int,
    split: Split,
    scenarios: tuple[str, ...],
    exclude: Callable[[str], frozenset[str]] = lambda scenario: frozenset(),
) -> Day:
    """Return the day drawn from a seed.

    Args:
        day_id, seed, split: id, seed and split of the day.
        scenarios: scenarios whose cases it may contain.
        exclude: returns a scenario's fingerprints to avoid; those of held-out tasks are always avoided.
    """
    number = 0
    while True:
        # Every try has its own random stream, independent of the tries before it.
        maker = _Maker(Draw(seed + number * 2**64), split, scenarios, exclude)
        try:
            return maker.day(day_id, seed)
        except NoTimesError:
            number += 1


class _Maker:
    """Draws the cases of one day."""

    def __init__(
        self, draw: Draw, split: Split, scenarios: tuple[str, ...], exclude: Callable[[str], frozenset[str]]
    ) -> None:
        self._draw = draw
        self._split = split
        self._scenarios = scenarios
        self._exclude = exclude
        self._found: list[_Drawn] = []
        self._today: date | None = None

    def day(self, day_id: str, seed: int) -> Day:
        """Draw the day; raises ``NoTimesError`` if no suitable times were found for its cases."""
        size = size_of(seed)
        for _ in range(1 + (size >= _SECOND_PAIR)):
            self._add_pair()
        for scenario in self._desks(size - len(self._found)):
            self._found.append(_Drawn(self._task(scenario)))
        cases, closing = timed([self._case(place, drawn) for place, drawn in enumerate(self._found)], self._draw)
        named = tuple(
            msgspec.structs.replace(case, task=msgspec.structs.replace(case.task, id=f"{day_id}-{case.reference}"))
            for case in cases
        )
        assert self._today is not None
        return Day(
            id=day_id, seed=seed, split=self._split, today=self._today, closing=closing, cases=named,
            standard=standard_calls(named),
        )  # fmt: skip

    def _case(self, place: int, drawn: _Drawn) -> DayCase:
        return DayCase(
            reference=str(place), task=drawn.task, customers=customers_of(drawn.task), channel="", arrived=0, due=0,
            after="" if drawn.after is None else str(drawn.after), link=drawn.link,
            before=drawn.before,
        )  # fmt: skip

    def _desks(self, count: int) -> list[str]:
        """Draw the desks of the cases outside pairs, beginning with desks that have no case yet."""
        there = {drawn.task.scenario for drawn in self._found}
        others = [name for name in self._scenarios if name not in there]
        chosen: list[str] = []
        for _ in range(count):
            short = others and len({*there, *chosen}) < min(DESKS, len(self._scenarios))
            name = self._draw.choice(others if short else self._scenarios)
            chosen.append(name)
            others = [other for other in others if other != name]
        return chosen

    def _add_pair(self) -> None:
        links = [link for name in self._scenarios for link in links_of(name) if link.first in self._scenarios]
        if not links:
            return
        link = self._draw.choice(links)
        second = next(name for name in self._scenarios if link in links_of(name))
        while True:
            first = self._task(link.first)
            for _ in range(_TRIES if self._fits(link, second, first) else 0):
                drawn = self._second(link, second, first)
                if drawn is not None:
                    self._found += [_Drawn(first), drawn]
                    return

    def _fits(self, link: Link, second: str, first: Task) -> bool:
        return link.draw(first, self._draw, load_scenario(second).policy) is not None and bool(effect_of(link, first))

    def _second(self, link: Link, name: str, first: Task) -> _Drawn | None:
        """Draw a second case whose result depends on the first being closed; None if this attempt found none."""
        scenario = load_scenario(name)
        draft = link.draw(first, self._draw, scenario.policy)
        if draft is None:
            return None
        stale = self._completed(scenario, draft)
        changed = joined(draft.tables, effect_of(link, first))
        fresh = self._completed(scenario, msgspec.structs.replace(draft, tables=changed))
        if stale is None or fresh is None or stale.standard == fresh.standard:
            return None
        return _Drawn(fresh, draft.tables, len(self._found), link.name)

    def _task(self, name: str) -> Task:
        """Draw a case of a scenario on the day's date, for a customer who has no other case."""
        scenario = load_scenario(name)
        low, high = _SEEDS.get(self._split, _OPEN_SEEDS)
        for _ in range(_DRAFTS):
            draft = scenario.draft(self._draw.integer(low, high))
            if self._today is not None and draft.today.weekday() != self._today.weekday():
                continue
            if scenario.case_fingerprint(draft) in self._forbidden(name):
                continue
            task = self._completed(scenario, moved(draft, self._today or draft.today))
            if task is None or any(set(customers_of(task)) & set(customers_of(one.task)) for one in self._found):
                continue
            self._today = task.today
            return task
        raise ScenarioError(f"{name}: none of {_DRAFTS} drafts made a case of a working day on {self._today}")

    def _completed(self, scenario: Scenario, draft: Draft) -> Task | None:
        """Return the task of a draft; None if it is held out, withheld or not realistic."""
        try:
            task = scenario.complete(draft, task_id="", seed=0, split=Split.GENERATED)
        except (ScenarioError, KeyError):
            return None  # on another date, or with changed records, it is not a valid case of the scenario
        if task.fingerprint in self._forbidden(scenario.name) or scenario.is_withheld(task.branches):
            return None
        if scenario.solve(task).outputs != task.standard.outputs:
            return None
        return None if any(scenario.realism(task, scenario.policy)) else task

    def _forbidden(self, name: str) -> frozenset[str]:
        return heldout_fingerprints(name) | self._exclude(name)


def moved(draft: Draft, today: date) -> Draft:
    """Shift all dates of a draft to another business date; intervals in days stay the same, but holidays may differ."""
    days = (today - draft.today).days
    if not days:
        return draft
    return msgspec.structs.replace(
        draft, today=today, request=_moved(draft.request, days), tables=_moved(draft.tables, days)
    )


def _moved(value: Any, days: int) -> Any:
    if isinstance(value, str):
        return _DATE.sub(lambda match: _later(match[1], days), value)
    if isinstance(value, dict):
        return {_moved(key, days): _moved(item, days) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_moved(item, days) for item in value]
    return value


def _later(text: str, days: int) -> str:
    try:
        return (date.fromisoformat(text) + timedelta(days=days)).isoformat()
    except (ValueError, OverflowError):
        return text  # looks like a date but is not one
