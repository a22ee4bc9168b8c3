"""Reference agents for working days: the expert, and agents that each omit one requirement in the queue's SOP.

They see what every agent sees, the request and the tools' results, and work each case with the expert of its desk.
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
    """Expert for working days, which follows the queue's rules and works each case with its desk's expert."""

    name = "expert"
    habits: Habits = LAW

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.closing = f"The {self.name} has nothing more to do."
        self.reset()

    def work(self) -> Calls:
        """Read the queue, open the first case and complete it, until no case is left."""
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
        """Handle one reading of the queue; ``order`` has the waiting cases by rank."""
        yield from self.finish(order[0].reference)

    def finish(self, reference: str) -> Calls:
        steps = yield from self.open(reference)
        yield from drive(steps)

    def open(self, reference: str) -> Generator[Call, Seen, Steps]:
        """Open a case and return its desk's expert as a generator of calls."""
        case = yield Call(OPEN, {"reference": reference})
        scenario = load_scenario(case["desk"])
        steps: Steps = scenario.expert(case["request"], scenario.policy)
        return steps


def drive(steps: Steps, call: Call | None = None) -> Calls:
    """Make all of an expert's calls.

    If the expert has already returned a call, it is given as ``call`` and made first.
    """
    try:
        call = next(steps) if call is None else call
        while True:
            call = steps.send((yield call))
    except (StopIteration, KeyError, IndexError):
        return  # the record it relies on is gone, so the case stays open


def _read(row: Seen) -> Waiting:
    arrived, due = minute_of(row["arrived"]), minute_of(row["due"])
    return Waiting(row["reference"], tuple(row["customers"]), row["channel"], arrived, due)


class FirstCome(DayOfficer):
    """Agent that works the cases in order of arrival."""

    name = "first_come"
    habits = Habits(by_due=False, by_class=False)


class ByClass(DayOfficer):
    """Agent that orders cases by class, and within a class by due time.

    It never moves a case up because it is due soon.
    """

    name = "by_class"
    habits = Habits(by_due=False)


class AnyCustomer(DayOfficer):
    """Agent that works cases by rank, even if an earlier case of the same customer is still open."""

    name = "any_customer"
    habits = Habits(by_customer=False)


class Unhurried(DayOfficer):
    """Agent that works correctly, but rereads the queue after every few calls, which takes time."""

    name = "unhurried"

    def finish(self, reference: str) -> Calls:
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
    """Agent that continues a case with outdated values.

    It reads a customer's later case first, works the earlier one, and then continues the later one.
    """

    name = "stale_reader"

    def turn(self, order: list[Waiting], waiting: list[Waiting]) -> Calls:
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
"""Number of calls that the stale reader makes ahead.

They include the one that reads a loan's exposure.
"""


class OneCase(DayOfficer):
    """Agent that works only the highest-ranked case."""

    name = "one_case"

    def work(self) -> Calls:
        queue = yield Call(LIST, {})
        waiting = [_read(row) for row in queue["waiting"]]
        yield from self.turn(ranked(waiting, minute_of(queue["time"])), waiting)


class OpenAll(DayOfficer):
    """Agent that opens every case in rank order without working on it."""

    name = "open_all"

    def finish(self, reference: str) -> Calls:
        yield from self.open(reference)


class RandomOpener(RandomTools):
    """Agent that calls random available tools, but opens only cases that it has seen in the queue."""

    def reset(self) -> None:
        self._seen: list[str] = []

    def act(self, obs: Observation, info: Info) -> str:
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
"""All reference agents for working days by name: the expert, `CHEAP_DAY_AGENTS` and `CARELESS_DAY_AGENTS`."""

CHEAP_DAY_AGENTS = ("noop", "random", "open_all")
"""Names of agents without knowledge of the work, which must score 0."""

CARELESS_DAY_AGENTS = ("one_case", "first_come", "by_class", "any_customer", "unhurried", "stale_reader")
"""Names of agents that omit one requirement in the queue's SOP and therefore must not succeed."""


def make_day_agent(name: str, env: gym.Env[Any, Any]) -> NamedAgent:
    """Return the reference agent for working days with the given name, or raise ``OptionError`` if there is none."""
    if name not in DAY_AGENTS:
        raise unknown_agent(name, DAY_AGENTS, lapses=False, where=" in a working day")
    return DAY_AGENTS[name](env)
