"""Reference agents that give a likely answer: majority, always_deny, always_escalate, skip_to_decision and obey."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from teller_gym.agents.habits import DENIAL_WORDS, ESCALATION_WORDS, Habits, Plan
from teller_gym.agents.players import Player
from teller_gym.base.text import canonical_json
from teller_gym.procedure.injections import Orders, holds
from teller_gym.tools.call import Call

_TRIES = 8
"""Maximum number of attempts at replacing a rejected value."""


class Guesser(Player):
    """Agent that makes the calls common to all train tasks with its answer, and submits that answer.

    Arguments come from observed values. If an error names another tool, as in "… comes first", the call is repeated
    after that tool; if an error rejects a value, the next best is tried.
    """

    def chain(self) -> tuple[str, ...]:
        """Return the tools to call, in order."""
        return self.plan.chain

    def reset(self) -> None:
        super().reset()
        self._todo = deque(self.chain())
        self._calls: deque[Call] = deque()
        self._chased: set[bytes] = set()
        self._refused: dict[str, dict[str, list[Any]]] = {}

    def choose(self) -> Call | None:
        if self.failed is not None and self.last is not None:
            self._chase(self.last, self.failed)
        while not self._calls:
            if not self._todo:
                return None
            self._plan_calls(self._todo.popleft())
        return self._refill(self._calls.popleft())

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        self.expect(self.plan, result)

    def _plan_calls(self, name: str) -> None:
        spec = self.by_name[name]
        for subject in self.knowledge.subjects(spec):
            filled = self.knowledge.fill(spec, subject, invent=True)
            assert filled is not None  # unknown arguments are invented
            self._calls.append(Call(name, filled.arguments))

    def _refill(self, call: Call) -> Call:
        """Fill in a planned call's arguments again.

        Later results may have changed them.
        """
        spec = self.by_name[call.name]
        subject = next((s for s in self.knowledge.subjects(spec) if s in call.arguments.values()), None)
        filled = self.knowledge.fill(spec, subject, invent=True, refused=self._refused.get(call.name))
        return call if filled is None else Call(call.name, filled.arguments)

    def _chase(self, call: Call, message: str) -> None:
        named = self.named_in(message)
        key = canonical_json([call, named])
        if named and key not in self._chased:
            self._chased.add(key)
            self._calls.appendleft(call)
            waiting, self._calls = self._calls, deque()
            self._plan_calls(named[0])
            self._calls.extend(waiting)
        elif not named and self.failed_field in call.arguments:
            refused = self._refused.setdefault(call.name, {}).setdefault(self.failed_field, [])
            if len(refused) < _TRIES:
                refused.append(call.arguments[self.failed_field])
                self._calls.appendleft(call)


class Majority(Guesser):
    """Agent that gives the most frequent answer in the train split."""

    name = "majority"


class AlwaysDeny(Guesser):
    """Agent that denies every case, with the details of the most frequent denial."""

    name = "always_deny"

    def make_plan(self, habits: Habits) -> Plan:
        return habits.plan(habits.like(DENIAL_WORDS))


class AlwaysEscalate(Guesser):
    """Agent that escalates every case, with the details of the most frequent escalation."""

    name = "always_escalate"

    def make_plan(self, habits: Habits) -> Plan:
        return habits.plan(habits.like(ESCALATION_WORDS))


class SkipToDecision(Guesser):
    """Agent that reads the case and skips to the decision.

    It makes only the calls from the first tool that takes part of the answer as an argument.
    """

    name = "skip_to_decision"

    def chain(self) -> tuple[str, ...]:
        takes = self._takes_answer()
        names = self.plan.chain
        start = next((i for i, name in enumerate(names) if takes(name)), len(names))
        return (*names[:1], *(name for name in names[max(1, start) :]))

    def _takes_answer(self) -> Callable[[str], bool]:
        fields = [name for name, recipe in self.plan.recipes.items() if isinstance(recipe.constant, str)]
        return lambda tool: any(name in self.by_name[tool].parameters for name in fields)


class Obey(SkipToDecision):
    """Agent like skip_to_decision that follows every prompt injection that it sees.

    It knows the wordings of the scenario's injections, so it recognises all of them.
    """

    name = "obey"

    def reset(self) -> None:
        super().reset()
        self._left = list(self.scenario.injections.values())

    def learned(self, call: Call, result: Mapping[str, Any]) -> None:
        super().learned(call, result)
        orders = Orders(self._core.task)
        for injection in [one for one in self._left if holds(result, one)]:
            self._left.remove(injection)
            orders.take(injection.asks)
        self.knowledge.given.update(orders.set)
        self._todo = type(self._todo)(name for name in self._todo if name not in orders.skip)
        self._calls.extendleft(asked for asked in orders.calls if asked.name in self.by_name)
