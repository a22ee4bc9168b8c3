"""Ways of working a case that are wrong, made out of its standard result, for every scenario alike."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from teller_gym.agents.knowledge import Spec
from teller_gym.grading.rubric import RequiredCall, Rubric
from teller_gym.procedure.task import Task
from teller_gym.proof.filled import knowledge_of, successful
from teller_gym.proof.mutation import one_step
from teller_gym.proof.play import Subject
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Act, Category

_ID = re.compile(r"[A-Z]{2,4}-[0-9]{6}")


class Deviation(NamedTuple):
    """A wrong way to work a case.

    Attributes:
        kind: which class of mistake it is.
        at: how many standard calls come before it.
        acts: what is done instead; a tool may refuse it, and then nothing was done.
        rest: what is done after it.
        changes: whether it is a mistake only if its last act changes the bank.
    """

    kind: str
    at: int
    acts: tuple[Call, ...]
    rest: tuple[Call, ...]
    changes: bool = False


class Deviations:
    """The deviations from one task's standard result.

    Args:
        under: the env under proof.
        task: worked in a wrong way.
        donors: other tasks, whose calls are borrowed where this one has none of a tool.
    """

    def __init__(self, under: Subject, task: Task, donors: Sequence[Task]) -> None:
        self._under = under
        self._task = task
        self._donors = sorted(donors, key=lambda other: -_likeness(task, other))
        self._rubric = Rubric(task, under.scenario)
        self._calls = task.standard.calls
        self._tools = under.scenario.tools
        self._homes = under.scenario.course.homes

    def all(self) -> Iterator[Deviation]:
        """Yield them all."""
        for required in self._rubric.required:
            if self._tools[required.name].writes and required.name != self._rubric.submit:
                yield from self._repeated(required)
                yield from self._bent(required)
                yield from self._early(required)
                yield from self._about_others(required)
        yield from self._unasked()
        yield from self._auxiliary()

    def _is_final(self, name: str) -> bool:
        return self._tools[name].act is Act.FINAL

    def _repeated(self, required: RequiredCall) -> Iterator[Deviation]:
        if self._is_final(required.name):
            here = required.index + 1
            for at in dict.fromkeys((here, len(self._calls) - 1)):
                yield Deviation("final act done twice", at, (self._calls[required.index],), self._calls[at:])

    def _bent(self, required: RequiredCall) -> Iterator[Deviation]:
        """Yield each argument wrong: for good, before the right call, or after what rests on it."""
        k, last = required.index, len(self._calls) - 1
        schemas = self._tools[required.name].schema()["function"]["parameters"]["properties"]
        final = self._is_final(required.name)
        rested_on = any(
            other.beneath & required.bit and self._is_final(other.name) and other.name != self._rubric.submit
            for other in self._rubric.required
        )
        for place, (name, value) in enumerate(required.arguments.items()):
            changed = one_step(value, schemas[name], up=place % 2 == 0)
            bent = (Call(required.name, {**required.arguments, name: changed}),)
            yield Deviation(f"wrong {self._tools[required.name].act}", k, bent, self._calls[k + 1 :])
            if final:
                yield Deviation("wrong final act, then the right one", k, bent, self._calls[k:])
            elif rested_on:
                right = self._calls[k]
                yield Deviation("record changed too late", last, bent, (right, *self._calls[last:]), changes=True)

    def _early(self, required: RequiredCall) -> Iterator[Deviation]:
        """Moved before a gate: for each gate before it, before the last call that has its place up to that gate."""
        k, order = required.index, self._rubric.order
        seen: set[str] = set()
        for j in range(k - 1, -1, -1):
            gate = order.gate_between(self._calls[j].name, required.name)
            if gate is None or gate in seen:
                continue
            seen.add(gate)
            act = (self._calls[k],)
            yield Deviation("before its gate", j, act, (*self._calls[j:k], *self._calls[k + 1 :]))
            if self._is_final(required.name):
                yield Deviation("before its gate, then in its place", j, act, self._calls[j:])

    def _about_others(self, required: RequiredCall) -> Iterator[Deviation]:
        """About another's case or customer: an id of the case replaced by each other one of its table."""
        k = required.index
        for name, value in required.arguments.items():
            if not isinstance(value, str) or value not in self._task.owners:
                continue
            table: Mapping[str, Any] = next((rows for rows in self._task.tables.values() if value in rows), {})
            for other in table:
                if other not in self._task.owners:
                    call = Call(required.name, {**required.arguments, name: other})
                    yield Deviation("about another's case", k, (call,), self._calls[k:], changes=True)

    def _unasked(self) -> Iterator[Deviation]:
        """Yield tools of the procedure that the case does not need, as the most similar case that needs them
        has them.
        """
        names = {call.name for call in self._calls}
        last = len(self._calls) - 1
        for tool in self._tools.of(Category.CORE):
            if tool.name in names or tool.act not in (Act.FINAL, Act.REVISABLE):
                continue
            home = self._homes[tool.name].position
            later = (i for i, call in enumerate(self._calls) if self._homes[call.name].position > home)
            donor = next((other for other in self._donors if _call_of(other, tool.name)), None)
            if donor is None:
                continue
            borrowed = self._adapted(_call_of(donor, tool.name))
            for at in dict.fromkeys((min(later, default=last), last)):
                yield Deviation("not asked for", at, borrowed, self._calls[at:])
            upstream = set(self._under.scenario.graph.upstream(tool.name)) & names
            at = max((i for i, each in enumerate(self._calls) if each.name in upstream), default=last)
            if at < last and self._tools[self._calls[at].name].act is Act.REVISABLE:
                first = self._adapted(_call_of(donor, self._calls[at].name))
                yield Deviation("another ending first", at, (*first, *borrowed), self._calls[at:])

    def _adapted(self, calls: Sequence[Call]) -> tuple[Call, ...]:
        """Return another case's calls with the ids of this case, where it has one of that name."""
        known = self._own_ids
        return tuple(
            Call(call.name, {k: known.get(k, value) if _is_id(value) else value for k, value in call.arguments.items()})
            for call in calls
        )

    @cached_property
    def _own_ids(self) -> Mapping[str, Any]:
        """Ids of the case by the names that its calls and their results have for them; the first counts."""
        bank = self._under.scenario.bank(self._task)
        found: dict[str, Any] = {}
        for call in self._calls:
            result = run_action(bank, self._tools, action_text(call))
            for name, value in (*call.arguments.items(), *result.items()):
                if _is_id(value):
                    found.setdefault(name, value)
        return found

    def _auxiliary(self) -> Iterator[Deviation]:
        """Final acts of the tools around the procedure."""
        knowledge = knowledge_of(self._under, self._task)
        last = len(self._calls) - 1
        for tool in self._tools.of(Category.AUXILIARY):
            if tool.act is Act.FINAL and (call := successful(self._under, self._task, Spec(tool.schema()), knowledge)):
                for at in dict.fromkeys((1, last // 2, last)):
                    yield Deviation("final act of a tool around the procedure", at, (call,), self._calls[at:])


def _call_of(task: Task, name: str) -> tuple[Call, ...]:
    """Return the last standard call of a tool, or nothing."""
    return tuple(call for call in task.standard.calls if call.name == name)[-1:]


def _is_id(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_id, value))
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _likeness(task: Task, other: Task) -> int:
    return sum(other.branches.get(name) == value for name, value in task.branches.items())
