"""Rejection sampling, in which a model plays fresh tasks and learns from its successful episodes.

Episodes keep their sampled tokens. Failed calls stay in them without being learned: the model learns the recovery, not
the mistake.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teller_gym.training.config.rounds import RejectionConfig
from teller_gym.training.phases.lessons import STUDENT, Lesson, Row, row_of
from teller_gym.training.phases.student import Desk, Student
from teller_gym.training.rollouts.rollout import End, Rollout


class Rejection:
    """Rejection sampling: plays each task several times and keeps the best episodes."""

    name = "rejection"
    seed_blocks = (0, 2)
    control = False

    def __init__(self, settings: RejectionConfig, desk: Desk) -> None:
        self.settings = settings
        self.together = max(1, settings.at_once // settings.samples)
        self._desk = desk

    def play(self, student: Student, task_ids: Sequence[str], seed: int) -> list[Row]:
        """Play tasks, and return a row with its lessons for each task."""
        desk, samples = self._desk, self.settings.samples
        desk.seen.clear()
        rollouts = desk.table.play(
            [one for one in task_ids for _ in range(samples)], student.engine(self.settings.temperature, seed),
            student.chat, desk.limits, desk.check, self.settings.at_once,
        )  # fmt: skip
        # Episodes begin in the order of their tasks.
        return [
            self._row(desk.seen[begin], rollouts[begin : begin + samples]) for begin in range(0, len(rollouts), samples)
        ]

    def _row(self, task: Any, rollouts: Sequence[Rollout]) -> Row:
        lessons = [lesson_of(one) for one in chosen(rollouts, self.settings)]
        episodes = [
            {"score": one.score, "success": one.success, "end": str(one.end), "errors": one.errors} for one in rollouts
        ]
        return row_of(task, STUDENT, episodes, [lesson for lesson in lessons if lesson.learned])

    def figures(self, rows: Sequence[Row]) -> dict[str, float]:
        valid = [one for row in rows for one in row["episodes"] if one["end"] != End.INVALID]
        return {
            "score": sum(one["score"] for one in valid) / max(1, len(valid)),
            "success": sum(one["success"] for one in valid) / max(1, len(valid)),
            "tasks_with_lessons": sum(bool(row["lessons"]) for row in rows) / max(1, len(rows)),
        }


def chosen(rollouts: Sequence[Rollout], settings: RejectionConfig) -> list[Rollout]:
    """Return the episodes of a task to learn from.

    They are good enough, different from each other, best first, and at most `per_task`. An episode ended by a limit or
    by patience is never learned.
    """
    least = settings.least_score
    good = [
        one
        for one in rollouts
        if one.end is End.DONE and (one.success if least is None else (one.score or 0.0) >= least)
    ]
    different: dict[tuple[int, ...], Rollout] = {}
    for one in good:
        different.setdefault(tuple(one.context), one)
    # With equal scores, fewer errors come first, then earlier draws.
    ordered = sorted(different.values(), key=lambda one: (-(one.score or 0.0), sum(one.errors.values())))
    return ordered[: settings.per_task]


def lesson_of(rollout: Rollout) -> Lesson:
    """Convert an episode to a lesson in its sampled tokens, in which the model learns its turns except failed ones."""
    offset = len(rollout.prompt_ids)
    learned = [(offset + span.start, offset + span.end) for span in rollout.spans if not span.failed]
    return Lesson(rollout.context, learned)
