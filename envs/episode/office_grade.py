"""Computes the grade of an office task from the verdict on the office and the calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teller_gym.base.errors import ErrorKind
from teller_gym.grading.faults import Fault, FaultKind
from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult, outcome_reasons
from teller_gym.grading.score import Standing
from teller_gym.office_tasks.contract import OfficeScenario
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Failure, Verdict

_HARMLESS = frozenset({ErrorKind.TEMPORARY.value, ErrorKind.BUDGET.value})
_KINDS = {
    Failure.ACCESS: FaultKind.FAILED_CALL,
    Failure.DELIVERY: FaultKind.MISSING_CALL,
    Failure.CROSS_TOOL: FaultKind.MISSING_CALL,
    Failure.LOGIC: FaultKind.WRONG_OUTPUT,
}


def grade_of(
    office: OfficeScenario, task: OfficeTask, verdict: Verdict, standing: Standing, errors: Mapping[str, int],
    used: Sequence[str], calls: int, over: bool,
) -> Grade:  # fmt: skip
    """Grade an episode so far.

    In each fault, ``field`` is the failure class (E1 to E4), and ``argument`` is the checkpoint.
    """
    weight = 1 / len(verdict.findings)
    faults = tuple(_faults(verdict, calls))
    failures = {kind: count for kind, count in errors.items() if kind not in _HARMLESS}
    success = over and verdict.success
    return Grade(
        score=standing.score,
        terms=standing.terms(),
        checkpoints={one.checkpoint: one.passed for one in verdict.findings},
        accurate=over and verdict.accurate,
        success=success,
        clean=success and not failures,
        collateral=verdict.collateral,
        outputs=None,
        errors=dict(sorted(errors.items())),
        required_tools=tuple(dict.fromkeys(call.name for call in office.standard(task).calls)),
        invoked_tools=tuple(used),
        calls=calls,
        reasons=tuple(CheckpointResult(one.checkpoint, one.passed, weight, one.evidence) for one in verdict.findings),
        terms_explained=tuple(outcome_reasons(success, over, faults, failures, standing.penalties)),
        faults=faults,
    )


def _faults(verdict: Verdict, calls: int) -> list[Fault]:
    found = [
        Fault(
            step=calls, kind=_KINDS[one.failure], tool="", argument=one.checkpoint, field=one.failure.value,
            reason=one.evidence,
        )
        for one in verdict.findings
        if one.failure is not None
    ]  # fmt: skip
    return [*found, *(Fault(step=calls, kind=FaultKind.WRONG_STATE, tool="", reason=one) for one in verdict.collateral)]
