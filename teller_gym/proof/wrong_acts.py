"""Claim that success implies correct work, since every class of wrong act prevents success in every scenario."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from teller_gym.envs.episode.bank import BankEpisode
from teller_gym.grading.rubric import RequiredCall, Rubric
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.fillable_calls import fillable_calls
from teller_gym.proof.mutation import one_step
from teller_gym.proof.play import Subject, spread, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Act, Category

_ID = re.compile(r"[A-Z]{2,4}-[0-9]{6}")


def wrong_acts(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that each deviation from a held-out standard result prevents success, unless a tool rejects it."""
    under = subject(env_id)
    tried: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    problems: list[str] = []
    tasks = spread([task for task in under.tasks if task.split is Split.HELDOUT], instances)
    for task in tasks:
        snapshots = _snapshots(under, task)
        donors = [other for other in under.tasks if other.id != task.id]
        for deviation in Deviations(under, task, donors).all():
            kept = _keeps_success(under, deviation, snapshots)
            (refused if kept is None else tried)[deviation.kind] += 1
            if kept:
                acts = ", ".join(action_text(call) for call in deviation.acts)
                problems.append(f"{task.id}, after {deviation.at} calls: {deviation.kind} keeps success: {acts}")
    figure = f"{sum(tried.values())} wrong acts of {len(tried)} classes over {len(tasks)} instances, "
    figure += f"{sum(refused.values())} more refused by the tools"
    measured = {"instances": len(tasks), "tried": dict(sorted(tried.items())), "refused": dict(sorted(refused.items()))}
    return item("acts.wrong", "every class of wrong act loses success", figure, problems, measured)


def _snapshots(under: Subject, task: Task) -> list[BankEpisode]:
    """Return snapshots of the episode before each standard call."""
    under.start(task)
    found = [under.core.snapshot()]
    for call in task.standard.calls[:-1]:
        under.env.step(action_text(call))
        found.append(under.core.snapshot())
    return found


def _keeps_success(under: Subject, deviation: Deviation, snapshots: list[BankEpisode]) -> bool | None:
    """Return True if an episode with the deviation succeeds.

    None is returned if the deviation was rejected or had no effect.
    """
    core = under.core
    core.restore(snapshots[deviation.at])
    before = core.state_hash()
    for call in deviation.acts:
        before = core.state_hash()
        if under.env.step(action_text(call))[4]["error"] is not None:
            return None
    if deviation.changes and core.state_hash() == before:
        return None
    for call in deviation.rest:
        _, _, terminated, truncated, info = under.env.step(action_text(call))
        if terminated or truncated:
            return bool(info["success"])
    return False


class Deviation(NamedTuple):
    """Incorrect way to work on a case.

    Attributes:
        at: number of standard calls before the deviation.
        acts: wrong calls; the deviation does not count if a tool rejects one of them.
        rest: calls made afterwards.
        changes: True if the deviation counts only if its last act changes the bank.
    """

    kind: str
    at: int
    acts: tuple[Call, ...]
    rest: tuple[Call, ...]
    changes: bool = False


class Deviations:
    """Generates deviations from a task's standard result.

    Calls to tools that the task does not need are borrowed from other tasks, ``donors``.
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
        """Yield all deviations."""
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
        """Yield deviations in which one argument is wrong.

        It remains uncorrected, or the right call follows, or it is changed after a dependent final act.
        """
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
        """Yield the call moved ahead of each gate that precedes it.

        It is placed just before the last call up to that gate.
        """
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
        """Yield the call for another case or customer.

        Each id of the case is replaced by other ids in its table.
        """
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
        """Yield calls to core tools that the case does not need, taken from the most similar case that needs them."""
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
        """Replace ids in another case's calls by this case's ids, where it has them."""
        known = self._own_ids
        return tuple(
            Call(call.name, {k: known.get(k, value) if _is_id(value) else value for k, value in call.arguments.items()})
            for call in calls
        )

    @cached_property
    def _own_ids(self) -> Mapping[str, Any]:
        """Ids of the case by field name in its calls and their results; the first occurrence counts."""
        bank = self._under.scenario.bank(self._task)
        found: dict[str, Any] = {}
        for call in self._calls:
            result = run_action(bank, self._tools, action_text(call))
            for name, value in (*call.arguments.items(), *result.items()):
                if _is_id(value):
                    found.setdefault(name, value)
        return found

    def _auxiliary(self) -> Iterator[Deviation]:
        """Yield final acts of auxiliary tools."""
        last = len(self._calls) - 1
        for call in fillable_calls(self._under, self._task, (Act.FINAL,), Category.AUXILIARY):
            for at in dict.fromkeys((1, last // 2, last)):
                yield Deviation("final act of a tool around the procedure", at, (call,), self._calls[at:])


def _call_of(task: Task, name: str) -> tuple[Call, ...]:
    """Return a tuple with the last standard call to a tool, or an empty tuple if there is none."""
    return tuple(call for call in task.standard.calls if call.name == name)[-1:]


def _is_id(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_id, value))
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _likeness(task: Task, other: Task) -> int:
    return sum(other.branches.get(name) == value for name, value in task.branches.items())
