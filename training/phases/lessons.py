"""Lessons of a round as sampled tokens, and the file that stores them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from teller_gym.base.files import append_line
from teller_gym.evaluation.records.run_folder import write_json
from teller_gym.training.demonstrations.batches import IGNORED, Example
from teller_gym.training.run_folder.checksums import file_sum, set_aside
from teller_gym.training.run_folder.metrics_log import keep_rows, read_rows

Row = dict[str, Any]
"""One task of a round.

Its keys are ``step`` (the task's number in the round, from 0), ``source`` (student or expert), ``task_id``,
``scenario``, ``fingerprint``, ``episodes`` (results of each) and ``lessons``.
"""

STUDENT, EXPERT = "student", "expert"


@dataclass(frozen=True)
class Lesson:
    """A tokenized conversation, with the (start, end) of each span that the model is trained on."""

    ids: list[int]
    learned: list[tuple[int, int]]

    @classmethod
    def of(cls, example: Example) -> Lesson:
        """Convert an example, whose runs of labels become learned spans."""
        edges = np.diff((example.labels != IGNORED).astype(np.int8), prepend=0, append=0)
        pairs = zip(np.flatnonzero(edges == 1).tolist(), np.flatnonzero(edges == -1).tolist(), strict=True)
        return cls(example.ids.tolist(), list(pairs))

    @property
    def tokens(self) -> int:
        return sum(end - start for start, end in self.learned)

    def example(self) -> Example:
        """Convert the lesson to token ids and labels."""
        ids = np.asarray(self.ids, dtype=np.int32)
        labels = np.full(len(ids), IGNORED, dtype=np.int32)
        for start, end in self.learned:
            labels[start:end] = ids[start:end]
        return Example(ids, labels)

    def row(self) -> dict[str, Any]:
        return {"ids": self.ids, "learned": self.learned}


def row_of(task: Any, source: str, episodes: Sequence[dict[str, Any]], lessons: Sequence[Lesson]) -> Row:
    """Build a task's row, which is numbered when it is added to the round's file."""
    kept = [lesson.row() for lesson in lessons]
    found = {"source": source, "task_id": task.id, "scenario": task.scenario, "fingerprint": task.fingerprint}
    return {**found, "episodes": list(episodes), "lessons": kept}


def lessons_of(row: Row) -> list[Lesson]:
    """Read the lessons from a row of a round's file."""
    return [Lesson(one["ids"], [(start, end) for start, end in one["learned"]]) for one in row["lessons"]]


def learned_tokens(rows: Sequence[Row], source: str) -> int:
    """Return the number of learned tokens in a source's episodes."""
    return sum(lesson.tokens for row in rows if row["source"] == source for lesson in lessons_of(row))


class RoundFile:
    """File with the tasks of a round, one per line.

    ``<name>.head.json`` beside it has the settings it was made with and its checksum. An unfinished file is
    ``<name>.part``, from which the round continues.
    """

    def __init__(self, path: Path, made: dict[str, Any]) -> None:
        self.path = path
        self._made = made
        self._head = path.with_suffix(".head.json")
        self._part = path.with_suffix(".part")

    def fault(self) -> str | None:
        """Return a clause that says why the finished file cannot be used, or None if it can."""
        if not self.path.exists():
            return "it is not there"
        head = self._read_head()
        if head is None:
            return f"{self._head.name} is missing or damaged"
        if head.get("made") != self._made:
            return "it was made with other settings or by another model"
        return None if head.get("sha256") == file_sum(self.path) else f"{self.path.name} is damaged"

    def begun(self) -> bool:
        """Return True if there is an unfinished file with the same settings."""
        head = self._read_head()
        return self._part.exists() and head is not None and head.get("made") == self._made

    def begin(self) -> None:
        """Start a new file and set aside an unusable finished one."""
        self._part.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            set_aside(self.path)
        self._part.unlink(missing_ok=True)
        write_json(self._head, {"made": self._made})
        self._part.touch()

    def resume(self, whole: Callable[[list[Row]], int]) -> list[Row]:
        """Return the rows to keep, and delete all others from the unfinished file.

        ``whole`` returns the number of rows to keep. A damaged row is deleted with all rows after it.
        """
        found: list[Row] = []
        for row in read_rows(self._part):
            if row["step"] != len(found):
                break
            found.append(row)
        kept = whole(found)
        keep_rows(self._part, lambda row: row["step"] < kept)
        return found[:kept]

    def append(self, rows: Sequence[Row]) -> None:
        """Append numbered rows in a single write."""
        append_line(self._part, b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows))

    def finish(self) -> None:
        """Write the checksum, then rename the file to its final name."""
        write_json(self._head, {"made": self._made, "sha256": file_sum(self._part)})
        os.replace(self._part, self.path)

    def rows(self) -> list[Row]:
        return list(read_rows(self.path))

    def _read_head(self) -> dict[str, Any] | None:
        try:
            head = json.loads(self._head.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return head if isinstance(head, dict) else None
