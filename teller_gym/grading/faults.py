"""Faults of an episode: where each occurred, the expected value, and the source of that value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import ErrorKind
from teller_gym.grading.acts import Made, WrongAct, passed_over, replay, too_early
from teller_gym.grading.rubric import Rubric
from teller_gym.grading.state import Difference
from teller_gym.tools.bank import changed_fields


class FaultKind(StrEnum):
    """Kinds of fault, ordered so that causes come before consequences at the same step."""

    FAILED_CALL = "failed_call"
    """A call that returned an error."""
    MISSING_CALL = "missing_call"
    """A required call that was never attempted."""
    WRONG_VALUE = "wrong_value"
    """A wrong argument in a required call."""
    WRONG_ACT = "wrong_act"
    """A call that was not required, too early, repeated, or too late."""
    WRONG_STATE = "wrong_state"
    """A record that differs from the standard result."""
    WRONG_OUTPUT = "wrong_output"
    """A wrong field of the final review."""


_RANKS = {kind: rank for rank, kind in enumerate(FaultKind)}


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A mistake in an episode.

    Attributes:
        step: index of the agent's action, from 0. For a missing call, the index of the first call that should have come
            after it, or the number of actions if there was none.
        kind: see :class:`FaultKind`.
        tool: original name of the tool; empty if the action named none.
        argument: the argument, or the output field.
        clause: clause of the SOP.
        field: the wrong field of the record, or the source from which a value should have been taken.
        expected, got: values as JSON data; None if there is no value.
        reason: explanation as text.
        made_good: True if it was corrected later, so that it did not cost success.
    """

    step: int
    kind: FaultKind
    tool: str
    argument: str | None = None
    clause: str | None = None
    field: str | None = None
    expected: Any = None
    got: Any = None
    reason: str
    made_good: bool = False


class Refused(NamedTuple):
    """A call that returned an error."""

    step: int
    kind: ErrorKind
    tool: str | None
    argument: str | None
    message: str


class Noted(NamedTuple):
    """State of a grader at the end of an episode, from which faults and reasons are derived."""

    rubric: Rubric
    satisfied: int
    """Bits of the required calls that were done correctly."""
    refused: Sequence[Refused]
    made: Sequence[Made]
    wrong: Sequence[WrongAct]
    differences: Sequence[Difference]
    outputs: dict[str, Any] | None
    wrong_outputs: Sequence[str]
    success: bool
    calls: int


def faults_of(noted: Noted) -> tuple[Fault, ...]:
    """Return all faults in the order in which they occurred, with corrected ones last; the first is the root cause."""
    found = [
        *_refusals(noted),
        *_missing(noted),
        *_wrong_values(noted),
        *_wrong_acts(noted),
        *_wrong_states(noted),
        *_wrong_outputs(noted),
    ]
    if noted.success:  # none of the faults cost success, only part of the score
        found = [msgspec.structs.replace(fault, made_good=True) for fault in found]
    return tuple(sorted(found, key=lambda fault: (fault.made_good, fault.step, _RANKS[fault.kind])))


def _refusals(noted: Noted) -> Iterator[Fault]:
    last = noted.made[-1].step if noted.made else -1
    for step, kind, tool, argument, message in noted.refused:
        required = noted.rubric.by_name.get(tool or "", ())
        left = any(not noted.satisfied & each.bit for each in required)
        yield Fault(
            step=step,
            kind=FaultKind.FAILED_CALL,
            tool=tool or "",
            argument=argument,
            clause=_clause(noted, tool or ""),
            reason=f"{kind.value}: {message}",
            made_good=not left if required else last > step,
        )


def _missing(noted: Noted) -> Iterator[Fault]:
    tried = {each.required.index for each in noted.made if each.required is not None}
    for required in noted.rubric.required:
        if noted.satisfied & required.bit or required.index in tried:
            continue
        after = [each for each in noted.made if each.required is not None and each.required.beneath & required.bit]
        yield Fault(
            step=after[0].step if after else noted.calls,
            kind=FaultKind.MISSING_CALL,
            tool=required.name,
            clause=_clause(noted, required.name),
            expected=required.arguments,
            reason=f"{required.name} was never called successfully",
        )


def _wrong_values(noted: Noted) -> Iterator[Fault]:
    rubric = noted.rubric
    finals = {act.made.step for act in noted.wrong}
    for made in noted.made:
        required = made.required
        if required is None:
            continue
        given = msgspec.to_builtins(made.call.arguments) if made.wrong else {}
        for name in made.wrong:
            if required.name == rubric.submit and name in rubric.outputs:
                continue  # a wrong output
            source = rubric.provenance(required.name, name)
            yield Fault(
                step=made.step,
                kind=FaultKind.WRONG_VALUE,
                tool=required.name,
                argument=name,
                clause=source.clause or _clause(noted, required.name),
                field=", ".join(source.origin) or None,
                expected=required.arguments[name],
                got=given.get(name),
                reason=f"{name} should be {required.arguments[name]!r} ({source.describe()})",
                made_good=made.step not in finals and bool(noted.satisfied & required.bit),
            )


def _wrong_acts(noted: Noted) -> Iterator[Fault]:
    steps = {act.made.step for act in noted.wrong}
    for act in noted.wrong:
        yield Fault(
            step=act.made.step,
            kind=FaultKind.WRONG_ACT,
            tool=act.made.call.tool.name,
            clause=act.clause,
            got=msgspec.to_builtins(act.made.call.arguments),
            reason=act.reason,
        )
    for made in noted.made:
        if made.required is None or not made.early or made.wrong or made.step in steps:
            continue
        gate, reason = too_early(noted.rubric, made)
        yield Fault(
            step=made.step,
            kind=FaultKind.WRONG_ACT,
            tool=made.required.name,
            clause=gate or _clause(noted, made.required.name),
            reason=f"{made.required.name} was {reason}",
            made_good=bool(noted.satisfied & made.required.bit),
        )


def _wrong_states(noted: Noted) -> Iterator[Fault]:
    writers: dict[tuple[str, str, str | None], Made] = {}
    if noted.differences:
        for made, before, after in replay(noted.rubric, noted.made):
            for (table, key), record in after.items():
                old = before.get((table, key))
                if old is not record:
                    names = changed_fields(old or {}, record)
                    places = [(table, key, None), *((table, key, name) for name in names)] if names else []
                    writers |= dict.fromkeys(places, made)
    for difference in noted.differences:
        writer = writers.get((difference.table, difference.key, difference.field))
        tool = "" if writer is None else writer.call.tool.name
        unasked = bool(tool) and tool not in noted.rubric.by_name
        yield Fault(
            step=noted.calls if writer is None else writer.step,
            kind=FaultKind.WRONG_STATE,
            tool=tool,
            clause=_clause(noted, tool),
            field=f"{difference.table}.{difference.field}" if difference.field else difference.table,
            expected=difference.expected,
            got=difference.got,
            reason=difference.reason
            + (f": {tool} is not asked for{passed_over(noted.rubric, tool)}" if unasked else ""),
        )


def _wrong_outputs(noted: Noted) -> Iterator[Fault]:
    rubric = noted.rubric
    for name in noted.wrong_outputs:
        source = rubric.provenance(rubric.submit, name)
        got = None if noted.outputs is None else noted.outputs[name]
        yield Fault(
            step=noted.calls - 1,
            kind=FaultKind.WRONG_OUTPUT,
            tool=rubric.submit,
            argument=name,
            clause=source.clause or _clause(noted, rubric.submit),
            field=", ".join(source.origin) or None,
            expected=rubric.outputs[name],
            got=got,
            reason=f"{name} should be {rubric.outputs[name]!r}, got {got!r}",
        )


def _clause(noted: Noted, tool: str) -> str | None:
    home = noted.rubric.scenario.course.homes.get(tool)
    return None if home is None else home.clause
