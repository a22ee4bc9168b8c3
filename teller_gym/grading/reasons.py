"""Explanations of why each part of a score was earned or lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from teller_gym.grading.acts import too_early
from teller_gym.grading.faults import Fault, Noted
from teller_gym.grading.rubric import RequiredCall


class CheckpointResult(msgspec.Struct, frozen=True):
    """Result of one checkpoint, with the reason or evidence."""

    checkpoint: str
    passed: bool
    weight: float
    reason: str


def checkpoint_reasons(noted: Noted, passed: Mapping[str, Any], tries: Mapping[int, int]) -> list[CheckpointResult]:
    """Explain each checkpoint; ``tries`` has the number of wrong attempts at required calls by index."""
    rubric = noted.rubric
    found = []
    for checkpoint in rubric.checkpoint_names:
        kind, _, name = checkpoint.partition(":")
        if kind == "call":
            each = (_of_call(noted, required, tries.get(required.index, 0)) for required in rubric.by_name[name])
            reason = " | ".join(dict.fromkeys(each))
        elif kind == "field":
            given = "nothing was submitted" if noted.outputs is None else f"got {noted.outputs[name]!r}"
            reason = f"expected {rubric.outputs[name]!r}, {given}"
        else:
            reason = f"{rubric.submit} was {'accepted' if checkpoint in passed else 'never accepted'}"
        found.append(CheckpointResult(checkpoint, checkpoint in passed, rubric.weight, reason))
    return found


def _of_call(noted: Noted, required: RequiredCall, tries: int) -> str:
    if noted.satisfied & required.bit:
        halved = f", at attempt {tries + 1}: each one before halves what its arguments can earn" if tries else ""
        return f"called with right arguments after its dependencies{halved}"
    made = next((each for each in reversed(noted.made) if each.required is required), None)
    if made is None:
        refused = any(each.tool == required.name for each in noted.refused)
        return "never called successfully" if refused or _called(noted, required.name) else "never called"
    if made.wrong:
        return "; ".join(
            f"{key} should be {required.arguments[key]!r} ({noted.rubric.provenance(required.name, key).describe()})"
            for key in made.wrong
        )
    return too_early(noted.rubric, made)[1]


def _called(noted: Noted, name: str) -> bool:
    return any(each.call.tool.name == name for each in noted.made)


def outcome_reasons(
    success: bool, over: bool, faults: Sequence[Fault], failures: Mapping[str, int], penalties: float
) -> list[CheckpointResult]:
    """Return results with weight 0 that explain the outcome and the penalties; ``failures`` counts kinds of error."""
    left = [f"action {fault.step + 1}: {fault.reason}" for fault in faults if not fault.made_good]
    if not over:
        left = ["the episode is not over"]
    outcome = CheckpointResult("outcome", success, 0.0, "the case is right" if success else " | ".join(left))
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(failures.items()))
    reason = f"failed calls ({counts}) take {penalties:.0%} off" if failures else "no call failed"
    return [outcome, CheckpointResult("penalties", not failures, 0.0, reason)]
