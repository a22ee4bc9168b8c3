"""What made an episode fail: its root cause, and what followed from it.

The root cause is the first fault that the agent did not put right. Whatever went wrong after it is a consequence: one
early mistake makes many later values wrong, so consequences are counted apart.
"""

from __future__ import annotations

from teller_gym.evaluation.episodes import Episode, FaultRecord, Kind, Status

FAULTS = {
    "failed_call": "refused",
    "wrong_value": "wrong",
    "wrong_act": "should not have been done",
    "missing_call": "missing",
    "wrong_state": "left wrong",
    "wrong_output": "wrong in the answer",
}
"""What is said of each kind of fault, after the name of what it is about."""

UNREADABLE = "a call"
"""What a fault is about whose call names no tool."""

UNTOLD = "no fault was noted"
"""The cause of a failed episode whose grade tells of no fault."""


def name_of(fault: FaultRecord) -> str:
    """What a fault is called: equal for equal mistakes, such as `calculate_dti.monthly_debts wrong`."""
    what = fault["tool"] or UNREADABLE
    if fault["argument"] is not None:
        what += f".{fault['argument']}"
    return f"{what} {FAULTS.get(fault['kind'], fault['kind'].replace('_', ' '))}"


def failed(episode: Episode) -> bool:
    """Whether an episode of stage 2 counts and is no success."""
    return episode["stage"] == 2 and episode["status"] != Status.INVALID and not episode["success"]


def root_cause(episode: Episode) -> FaultRecord | None:
    """The root cause of a failed episode; None of any other, and where the grade tells of no fault."""
    place = _place(episode)
    return None if place is None else episode["faults"][place]


def consequences(episode: Episode) -> list[FaultRecord]:
    """The faults after the root cause of a failed episode."""
    place = _place(episode)
    return [] if place is None else episode["faults"][place + 1 :]


def cause_of(episode: Episode) -> str | None:
    """What the root cause of a failed episode is called; None of any other episode."""
    if not failed(episode):
        return None
    fault = root_cause(episode)
    return UNTOLD if fault is None else name_of(fault)


def _place(episode: Episode) -> int | None:
    """Where the root cause stands among the faults. If all were put right, the first is all there is to go by."""
    if not failed(episode) or not episode["faults"]:
        return None
    passed = {row["checkpoint"] for row in episode["checkpoints"] if row["passed"]}
    accepted = [turn["kind"] == Kind.CALL and turn["error"] is None for turn in episode["trace"]]
    places = enumerate(episode["faults"])
    return next((place for place, fault in places if not _put_right(fault, episode, passed, accepted)), 0)


def _put_right(fault: FaultRecord, episode: Episode, passed: set[str], accepted: list[bool]) -> bool:
    """Whether a failed call or a wrong value was followed by what was asked for.

    A failed call of a tool that was not asked for, or of none, did no harm if the agent went on to other calls.
    """
    if fault["kind"] not in ("failed_call", "wrong_value"):
        return False
    if fault["tool"] in episode["required_tools"]:
        return f"call:{fault['tool']}" in passed
    return fault["kind"] == "failed_call" and any(accepted[fault["step"] + 1 :])
