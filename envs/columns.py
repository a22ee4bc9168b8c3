"""The results of many episodes, column by column, in the form that Gymnasium's vector environments give them."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from teller_gym.envs.episode import Episode, Info
from teller_gym.errors import ErrorInfo

_FIRST_ROWS = 32


class Columns:
    """What the last steps of ``count`` envs led to: observations and information.

    Each env is noted right after its step, in one go, because with many episodes alive none of them is still in the
    processor's caches when all have stepped.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._states = [""] * count
        self._results = [""] * count
        self._task_ids = [""] * count
        self._scenarios = [""] * count
        self._steps = [0] * count
        self._errors: list[ErrorInfo | None] = [None] * count
        self._terms: list[dict[str, float]] = [{}] * count
        self._scores = [0.0] * count
        self._successes = [False] * count
        self._invalid = [False] * count
        self._checkpoints = CheckpointColumns(count)

    def note(
        self, number: int, episode: Episode, state: str, result: str, error: ErrorInfo | None, terms: dict[str, float]
    ) -> None:
        """Note where an env's episode stands.

        Args:
            number: of the env.
            episode: that it plays.
            state, result: the observation.
            error: of the last step.
            terms: unweighted parts of the score.
        """
        self._states[number] = state
        self._results[number] = result
        self._task_ids[number] = episode.task.id
        self._scenarios[number] = episode.scenario.name
        self._steps[number] = len(episode.history)
        self._errors[number] = error
        self._terms[number] = terms
        self._scores[number] = episode.score
        self._successes[number] = episode.grader.success
        self._invalid[number] = episode.failure is not None
        self._checkpoints.note(number, episode)

    def observations(self) -> dict[str, tuple[str, ...]]:
        """Return the batched observations."""
        return {"state": tuple(self._states), "tool_result": tuple(self._results)}

    def last(self, number: int, episode: Episode) -> tuple[dict[str, str], Info]:
        """Return the observation and the information of one env after its last step, as a single env gives them."""
        observation = {"state": self._states[number], "tool_result": self._results[number]}
        return observation, episode.info(self._errors[number], self._terms[number])

    def infos(self) -> Info:
        """Return the keys of :meth:`Episode.info`, each with its mask ``_key``; all envs must have been noted."""
        names = self._terms[0]
        columns: dict[str, Any] = {
            "task_id": _objects(self._task_ids),
            "scenario": _objects(self._scenarios),
            "step": np.array(self._steps, dtype=np.int64),
            "error": _objects(self._errors),
            "checkpoints": self._checkpoints.read(),
            "reward_terms": self._with_masks(
                {name: np.array([terms[name] for terms in self._terms], dtype=np.float64) for name in names}
            ),
            "score": np.array(self._scores, dtype=np.float64),
            "success": np.array(self._successes, dtype=np.bool_),
            "invalid": np.array(self._invalid, dtype=np.bool_),
        }
        return self._with_masks(columns)

    def _with_masks(self, columns: dict[str, Any]) -> Info:
        infos: Info = {}
        for name, column in columns.items():
            infos[name] = column
            infos[f"_{name}"] = np.ones(self._count, dtype=np.bool_)
        return infos


def _objects(values: list[Any]) -> npt.NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


class CheckpointColumns:
    """Which checkpoints the information of each env lists, and which of these are passed.

    The columns are kept from step to step, and a step only writes what it has changed.

    Args:
        count: how many envs.
    """

    def __init__(self, count: int) -> None:
        self._row_of: dict[str, int] = {}
        self._passed = np.zeros((_FIRST_ROWS, count), dtype=np.bool_)
        self._listed = np.zeros((_FIRST_ROWS, count), dtype=np.bool_)
        self._episodes: list[Episode | None] = [None] * count
        self._sizes = [0] * count

    def note(self, number: int, episode: Episode) -> None:
        """Bring an env's column up to date."""
        if episode is not self._episodes[number]:
            # The episode before may have passed what this one has not.
            self._passed[:, number] = False
            self._listed[:, number] = False
            self._episodes[number], self._sizes[number] = episode, 0
            self._write(number, episode.checkpoints())
        elif episode.over:
            self._write(number, episode.checkpoints())
        else:
            passed = episode.grader.passed
            if len(passed) != self._sizes[number]:
                self._write(number, dict.fromkeys(islice(passed, self._sizes[number], None), True))
        self._sizes[number] = len(episode.grader.passed)

    def read(self) -> Info:
        """Return an array of each checkpoint that any env lists, and its mask ``_name``."""
        rows = len(self._row_of)
        passed, listed = self._passed[:rows].copy(), self._listed[:rows].copy()
        columns: Info = {}
        for name, values, mask, wanted in zip(self._row_of, passed, listed, listed.any(axis=1).tolist(), strict=True):
            if wanted:
                columns[name] = values
                columns[f"_{name}"] = mask
        return columns

    def _write(self, number: int, checkpoints: dict[str, bool]) -> None:
        for name, passed in checkpoints.items():
            row = self._row_of.get(name)
            if row is None:
                row = self._add(name)
            self._passed[row, number] = passed
            self._listed[row, number] = True

    def _add(self, name: str) -> int:
        row = self._row_of[name] = len(self._row_of)
        if row == len(self._passed):
            self._passed = np.concatenate([self._passed, np.zeros_like(self._passed)])
            self._listed = np.concatenate([self._listed, np.zeros_like(self._listed)])
        return row
