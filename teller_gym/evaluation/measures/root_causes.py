"""Root cause of an episode's failure, and the faults that follow from it.

The root cause is the first fault that was not corrected later. Later faults are consequences, since one early mistake
makes many later values wrong; they are counted separately.

The root cause may also be the way the episode ended: an answer truncated at its token limit, a full context, or plain
text instead of a review. The calls that are missing after that are consequences.
"""

from __future__ import annotations

from enum import StrEnum

from teller_gym.evaluation.measures.answers import ended_by_context, ended_without_review, stopping_cut
from teller_gym.evaluation.records.episode import Episode, FaultRecord, Status
from teller_gym.grading.faults import FaultKind

FAULTS = {
    FaultKind.FAILED_CALL: "refused",
    FaultKind.MISSING_CALL: "missing",
    FaultKind.WRONG_VALUE: "wrong",
    FaultKind.WRONG_ACT: "not to be done",
    FaultKind.WRONG_STATE: "left wrong",
    FaultKind.WRONG_OUTPUT: "wrong in the answer",
}
"""Text for each type of fault, appended to the name of the tool or argument."""


class Ending(StrEnum):
    """Root causes that are ways in which an episode ended, not graded faults."""

    CUT = "cut_answer"
    CONTEXT = "context_full"
    NO_REVIEW = "ended_without_review"


ENDINGS = {
    Ending.CUT: ("answer cut by its token limit", "no call was accepted after an answer that reached its token limit"),
    Ending.CONTEXT: ("context full", "the chat filled the model's context"),
    Ending.NO_REVIEW: ("ended without review", "the agent ended the case by words and had submitted no review"),
}
"""Name and reason of each ending."""

UNREADABLE = "a call"
"""Name shown for a call that names no tool."""

UNTOLD = "no fault was noted"
"""Cause reported for a failed episode without a recorded fault."""


def name_of(fault: FaultRecord) -> str:
    """Return a name for a fault, such as `calculate_dti.monthly_debts wrong`.

    Equal mistakes get equal names.
    """
    if fault["kind"] in ENDINGS:
        return ENDINGS[Ending(fault["kind"])][0]
    if fault["kind"] == FaultKind.WRONG_STATE:
        field = fault["field"] or "a record"
        return f"{fault['tool']} leaves {field} wrong" if fault["tool"] else f"{field} left wrong"
    what = fault["tool"] or UNREADABLE
    if fault["argument"] is not None:
        what += f".{fault['argument']}"
    words: dict[str, str] = {str(kind): text for kind, text in FAULTS.items()}
    return f"{what} {words.get(fault['kind'], fault['kind'].replace('_', ' '))}"


def failed(episode: Episode) -> bool:
    """Return True for a valid stage 2 episode that did not succeed."""
    return episode["stage"] == 2 and episode["status"] != Status.INVALID and not episode["success"]


def root_cause(episode: Episode) -> FaultRecord | None:
    """Return the root cause of a failed episode.

    None is returned if the episode did not fail or has no recorded fault. If all faults were corrected later, the first
    one is returned.
    """
    if not failed(episode):
        return None
    return _ending(episode) or next(iter(_left(episode) or episode["faults"]), None)


def consequences(episode: Episode) -> list[FaultRecord]:
    """Return a failed episode's uncorrected faults after its root cause."""
    if not failed(episode):
        return []
    return _left(episode) if _ending(episode) is not None else _left(episode)[1:]


def cause_of(episode: Episode) -> str | None:
    """Return the name of a failed episode's root cause, or None if the episode did not fail."""
    if not failed(episode):
        return None
    fault = root_cause(episode)
    return UNTOLD if fault is None else name_of(fault)


def _left(episode: Episode) -> list[FaultRecord]:
    return [fault for fault in episode["faults"] if not fault["made_good"]]


def _ending(episode: Episode) -> FaultRecord | None:
    """Return the episode's end as a fault, unless an uncorrected fault came before it.

    None is returned if the episode ended in none of the ways in `Ending`.
    """
    last = len(episode["trace"]) - 1
    found: list[tuple[Ending, int]] = []
    if (cut := stopping_cut(episode)) is not None:
        found.append((Ending.CUT, cut))
    if ended_by_context(episode):
        found.append((Ending.CONTEXT, last))
    if ended_without_review(episode):
        found.append((Ending.NO_REVIEW, last))
    before = min((fault["step"] for fault in _left(episode)), default=last + 1)
    for kind, step in found:
        if before >= step:
            return FaultRecord(
                step=step, kind=kind, tool="", argument=None, clause=None, field=None, expected=None, got=None,
                reason=ENDINGS[kind][1], made_good=False,
            )  # fmt: skip
    return None
