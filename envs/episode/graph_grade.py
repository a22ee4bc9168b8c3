"""The grade of a stage 1 answer, in the format of stage 2."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from teller_gym.base.errors import ErrorInfo
from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult
from teller_gym.stage1.answer import Answer
from teller_gym.stage1.metrics import GraphScores

CHECKPOINTS = ("readable", "acyclic", "nodes", "edges")
OVERLAP = "overlap"
OVERLAPS = ("node_overlap", "edge_overlap", "path_overlap")
"""Metrics whose mean is the overlap."""


class ScoredAnswer(msgspec.Struct, frozen=True):
    """An answer with its scores, its checkpoints, and its error if it has one."""

    answer: Answer
    scores: GraphScores
    score: float
    checkpoints: dict[str, bool]
    error: ErrorInfo | None

    def is_right(self) -> bool:
        return all(self.checkpoints.values())

    def terms(self) -> dict[str, float]:
        return self.scores.terms()


def grade_of(answer: ScoredAnswer, gold: Iterable[str], given: Sequence[str]) -> Grade:
    """Grade an answer.

    Args:
        answer: the scored answer.
        gold: nodes of the gold graph, by the tools' original names; they count as the required tools.
        given: nodes of the answer, by the tools' original names; they count as the invoked tools.
    """
    required = tuple(gold)
    return Grade(
        score=answer.score,
        terms=answer.terms(),
        checkpoints=dict(answer.checkpoints),
        accurate=answer.is_right(),
        success=answer.is_right(),
        clean=answer.is_right(),
        collateral=(),
        outputs=None,
        errors={str(answer.error.kind): 1} if answer.error else {},
        required_tools=required,
        invoked_tools=tuple(given),
        calls=1,
        reasons=_reasons(answer, set(required), set(given)),
    )


def _reasons(answer: ScoredAnswer, gold: set[str], given: set[str]) -> tuple[CheckpointResult, ...]:
    scores, missing, added = answer.scores, sorted(gold - given), sorted(given - gold)
    words = {
        "readable": "a graph was read" if answer.answer.readable else answer.answer.problems[0].message,
        "acyclic": "the answer has a cycle" if scores.cyclic else "no cycle",
        "nodes": f"missing: {', '.join(missing) or 'none'}; too many: {', '.join(added) or 'none'}",
        "edges": f"precision {scores.edge_precision:.3f}, recall {scores.edge_recall:.3f}",
    }
    weight = 1 / len(CHECKPOINTS)
    return tuple(CheckpointResult(name, answer.checkpoints[name], weight, words[name]) for name in CHECKPOINTS)
