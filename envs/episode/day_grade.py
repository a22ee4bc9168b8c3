"""Computes the grade of a working day from the grades of its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from teller_gym.days.day import Day, DayCase
from teller_gym.days.desk import Desk
from teller_gym.days.law import clock
from teller_gym.days.score import DayStanding
from teller_gym.envs.episode.bank import BankEpisode, rubric_of
from teller_gym.grading.faults import Fault, FaultKind
from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult, outcome_reasons

IN_TURN, ON_TIME = "in_turn", "on_time"


@dataclass
class Worked:
    """The work done in a case: its episode, and the indices of its actions within the day."""

    episode: BankEpisode
    steps: list[int] = field(default_factory=list)


def checkpoints_of(day: Day, cases: Mapping[str, Worked], desk: Desk, on_time: Sequence[str]) -> dict[str, bool]:
    """Return all checkpoints of a day: each case's own, and for being opened in turn and closed on time."""
    found: dict[str, bool] = {}
    for case in day.cases:
        reference = case.reference
        worked = cases.get(reference)
        passed = worked.episode.grader.passed if worked else {}
        rubric = worked.episode.rubric if worked else rubric_of(case.task)
        found |= {f"{name}@{reference}": name in passed for name in rubric.checkpoint_names}
        found[f"{IN_TURN}@{reference}"] = reference in desk.in_turn
        found[f"{ON_TIME}@{reference}"] = reference in on_time
    return found


def grade_of(
    day: Day, cases: Mapping[str, Worked], desk: Desk, standing: DayStanding, on_time: Sequence[str],
    errors: Mapping[str, int], calls: int,
) -> Grade:  # fmt: skip
    """Grade a day so far; ``errors`` counts the failed calls outside cases."""
    grades = {reference: worked.episode.grade() for reference, worked in cases.items()}
    counts = dict(errors)
    for grade in grades.values():
        for kind, count in grade.errors.items():
            counts[kind] = counts.get(kind, 0) + count
    faults = tuple(
        sorted(
            (*_faults(cases, grades, calls), *_queue_faults(day, cases, desk, on_time, calls)),
            key=lambda fault: (fault.made_good, fault.step),
        )
    )
    everything = len(day.cases)
    success = len(on_time) == len(desk.in_turn) == everything
    right = [reference for reference, grade in grades.items() if grade.accurate]
    failures = {kind: count for kind, count in counts.items() if kind not in ("budget", "temporary", "provenance")}
    return Grade(
        score=standing.score,
        terms=standing.terms(),
        checkpoints=checkpoints_of(day, cases, desk, on_time),
        accurate=len(right) == everything,
        success=success,
        clean=success and not failures and "provenance" not in counts,
        collateral=tuple(f"{name}: {what}" for name, grade in grades.items() for what in grade.collateral),
        outputs={name: grade.outputs for name, grade in grades.items() if grade.outputs is not None} or None,
        errors=dict(sorted(counts.items())),
        required_tools=tuple(dict.fromkeys(call.name for call in day.standard.calls)),
        invoked_tools=tuple(dict.fromkeys(tool for grade in grades.values() for tool in grade.invoked_tools)),
        calls=calls,
        reasons=tuple(_reasons(day, cases, desk, grades, on_time)),
        terms_explained=tuple(
            outcome_reasons(success, bool(calls) and _over(day, desk), faults, failures, standing.means["penalties"])
        ),
        faults=faults,
    )


def _over(day: Day, desk: Desk) -> bool:
    return len(desk.closed) == len(day.cases) or desk.now >= day.closing


def _faults(cases: Mapping[str, Worked], grades: Mapping[str, Grade], calls: int) -> list[Fault]:
    """Return the faults of the cases, with their steps converted to steps of the day."""
    found = []
    for reference, grade in grades.items():
        steps = cases[reference].steps
        for fault in grade.faults:
            step = steps[fault.step] if 0 <= fault.step < len(steps) else calls
            found.append(msgspec.structs.replace(fault, step=step, reason=f"{reference}: {fault.reason}"))
    return found


def _queue_faults(day: Day, cases: Mapping[str, Worked], desk: Desk, on_time: Sequence[str], calls: int) -> list[Fault]:
    found = []
    for case in day.cases:
        name, steps = case.reference, cases[case.reference].steps if case.reference in cases else []
        if name not in desk.opened:
            kind, step, clause, why = FaultKind.MISSING_CALL, calls, "4.2", "was never opened"
        elif name not in desk.in_turn:
            kind, step, clause, why = FaultKind.WRONG_ACT, max((steps or [calls])[0] - 1, 0), "4.2", _TURN
        elif name in desk.closed and desk.closed[name] > case.due:
            kind, step, clause, why = FaultKind.WRONG_ACT, steps[-1], "Q5", _lateness(case, desk)
        else:
            continue
        found.append(Fault(step=step, kind=kind, tool="open_case", clause=clause, reason=f"{name}: {why}"))
    return found


_TURN = "was opened when it was not its turn, or without a reading of the queue since the last opening"


def _lateness(case: DayCase, desk: Desk) -> str:
    closed = desk.closed.get(case.reference)
    when = "was not closed" if closed is None else f"was closed at {clock(closed)}"
    return f"{when}, due {clock(case.due)}"


def _reasons(
    day: Day, cases: Mapping[str, Worked], desk: Desk, grades: Mapping[str, Grade], on_time: Sequence[str]
) -> list[CheckpointResult]:
    found = []
    share = 1 / len(day.cases)
    for case in day.cases:
        name = case.reference
        if name in grades:
            rows = grades[name].reasons
            found += [CheckpointResult(f"{r.checkpoint}@{name}", r.passed, r.weight * share, r.reason) for r in rows]
        else:
            rubric = rubric_of(case.task)
            found += [
                CheckpointResult(f"{one}@{name}", False, rubric.weight * share, "the case was never opened")
                for one in rubric.checkpoint_names
            ]
        turn = name in desk.in_turn
        why = "opened when it was its turn" if turn else _TURN if name in desk.opened else "never opened"
        found.append(CheckpointResult(f"{IN_TURN}@{name}", turn, share, why))
        found.append(CheckpointResult(f"{ON_TIME}@{name}", name in on_time, share, _time_reason(case, cases, desk)))
    return found


def _time_reason(case: DayCase, cases: Mapping[str, Worked], desk: Desk) -> str:
    worked = cases.get(case.reference)
    if worked is None or case.reference not in desk.closed or desk.closed[case.reference] > case.due:
        return _lateness(case, desk)
    return _lateness(case, desk) + ("" if worked.episode.grader.success else ", but not right")
