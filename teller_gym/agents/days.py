"""Reference agents of working days: the expert, and those that leave one thing out that the queue's SOP asks for.

They see what every agent sees, the request and the tools' results. The cases they work with the experts of the desks.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import gymnasium as gym

from teller_gym.agents.base import Info, NamedAgent, Observation
from teller_gym.agents.simple import Driven, Makers, Noop, RandomTools, unknown_agent
from teller_gym.days.law import LAW, Habits, Waiting, minute_of, ranked, related
from teller_gym.days.standard import LIST, OPEN, WAIT
from teller_gym.procedure.officer import Steps
from teller_gym.procedure.scenario import load_scenario
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text

Seen = dict[str, Any]
Calls = Generator[Call, Seen, None]


class DayOfficer(Driven):
    """Works a day by the law of the queue, each case with its desk's expert."""

    name = "expert"
    habits: Habits = LAW

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.closing = f"The {self.name} has nothing more to do."
        self.reset()

    def work(self) -> Calls:
        """Read the queue, open what comes first and close it, until nothing is left."""
        while True:
            queue = yield Call(LIST, {})
            waiting = [_read(row) for row in queue["waiting"]]
            if waiting:
                yield from self.turn(ranked(waiting, minute_of(queue["time"]), self.habits), waiting)
            elif queue["to_come"]:
                yield Call(WAIT, {})
            else:
                return

    def turn(self, order: list[Waiting], waiting: list[Waiting]) -> Calls:
        """Handle one reading of the queue; ``order`` holds the ranked cases, the first first."""
        yield from self.finish(order[0].reference)

    def finish(self, reference: str) -> Calls:
        """Open a case and close it."""
        steps = yield from self.open(reference)
        yield from drive(steps)

    def open(self, reference: str) -> Generator[Call, Seen, Steps]:
        """Open a case and return the generator of its desk's expert."""
        case = yield Call(OPEN, {"reference": reference})
        scenario = load_scenario(case["desk"])
        steps: Steps = scenario.expert(case["request"], scenario.policy)
        return steps


def drive(steps: Steps, call: Call | None = None) -> Calls:
    """Make an expert's calls to the end, beginning with ``call`` where the expert has been asked for one already."""
    try:
        call = next(steps) if call is None else call
        while True:
            call = steps.send((yield call))
    except (StopIteration, KeyError, IndexError):
        return  # its source is gone: the case stays open


def _read(row: Seen) -> Waiting:
    arrived, due = minute_of(row["arrived"]), minute_of(row["due"])
    return Waiting(row["reference"], tuple(row["customers"]), row["channel"], arrived, due)


class FirstCome(DayOfficer):
    """Takes the cases in the order of their arrival."""

    name = "first_come"
    habits = Habits(by_due=False, by_class=False)


class ByClass(DayOfficer):
    """Goes by class and due time within it, and brings nothing forward that is due soon."""

    name = "by_class"
    habits = Habits(by_due=False)


class AnyCustomer(DayOfficer):
    """Goes by rank, whether or not an earlier case of the same customer is still to be closed."""

    name = "any_customer"
    habits = Habits(by_customer=False)


class Unhurried(DayOfficer):
    """Does everything right, but reads the queue again for every four calls."""

    name = "unhurried"

    def finish(self, reference: str) -> Calls:
        """Open a case and close it, reading the queue now and then."""
        steps = drive((yield from self.open(reference)))
        made = 2  # reading and opening
        try:
            call = next(steps)
            while True:
                made += 1
                if made % 4 == 0:
                    yield Call(LIST, {})
                call = steps.send((yield call))
        except StopIteration:
            return


class StaleReader(DayOfficer):
    """Reads the later case of a customer first, works the earlier one, then continues with the values it read.

    It makes enough calls ahead that the exposure of a loan is among them.
    """

    name = "stale_reader"

    def turn(self, order: list[Waiting], waiting: list[Waiting]) -> Calls:
        """Read ahead in a case of the same customer, where one waits."""
        first = order[0]
        later = [one for one in waiting if one != first and related(one.customers, first.customers)]
        if not later:
            yield from self.finish(first.reference)
            return
        reference = later[0].reference
        steps = yield from self.open(reference)
        call = next(steps)
        try:
            for _ in range(_AHEAD):
                call = steps.send((yield call))
        except StopIteration:
            yield from self.finish(first.reference)
            return
        yield from self.finish(first.reference)
        yield Call(OPEN, {"reference": reference})
        yield from drive(steps, call)


_AHEAD = 10
"""Number of calls that the stale reader makes ahead; the exposure of a loan is among them."""


class OneCase(DayOfficer):
    """Works the first case in rank, and stops."""

    name = "one_case"

    def work(self) -> Calls:
        """Read the queue and close one case."""
        queue = yield Call(LIST, {})
        waiting = [_read(row) for row in queue["waiting"]]
        yield from self.turn(ranked(waiting, minute_of(queue["time"])), waiting)


class OpenAll(DayOfficer):
    """Opens every case in its turn and works none."""

    name = "open_all"

    def finish(self, reference: str) -> Calls:
        """Open a case."""
        yield from self.open(reference)


class RandomOpener(RandomTools):
    """Calls random tools of those in play; opens what the queue shows."""

    def reset(self) -> None:
        """Forget the last day."""
        self._seen: list[str] = []

    def act(self, obs: Observation, info: Info) -> str:
        """Return a call of any tool in play."""
        self._seen += [one for one in re.findall(r"Q-[0-9]+", obs["tool_result"]) if one not in self._seen]
        call = self.draw()
        if call.name == OPEN and self._seen:
            call = Call(OPEN, {"reference": self._seen[int(self._rng.integers(len(self._seen)))]})
        return action_text(call)


DAY_AGENTS: Makers = {
    "expert": DayOfficer,
    "noop": Noop,
    "random": RandomOpener,
    "open_all": OpenAll,
    "one_case": OneCase,
    "first_come": FirstCome,
    "by_class": ByClass,
    "any_customer": AnyCustomer,
    "unhurried": Unhurried,
    "stale_reader": StaleReader,
}
"""Agents by name: the expert, those that play a cheap idea, and those that leave one thing out."""

CHEAP_DAY_AGENTS = ("noop", "random", "open_all")
"""Agents that must not score."""

CARELESS_DAY_AGENTS = ("one_case", "first_come", "by_class", "any_customer", "unhurried", "stale_reader")
"""Agents that leave one thing out, and so must not succeed."""


def make_day_agent(name: str, env: gym.Env[Any, Any]) -> NamedAgent:
    """Return a reference agent that plays days; raises ``OptionError`` if there is none of that name."""
    if name not in DAY_AGENTS:
        raise unknown_agent(name, DAY_AGENTS, lapses=False, where=" in a working day")
    return DAY_AGENTS[name](env)
