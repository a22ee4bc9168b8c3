"""The results of many episodes, column by column, in the form that Gymnasium's vector environments give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice, repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from teller_gym.envs.episode import Episode, Info, Step


class Columns:
    """What the last steps of ``count`` envs led to: observations and information.

    Each env is noted right after its step, because with many episodes alive none of them is still in the processor's
    caches when all have stepped; and only what a step can change is written.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._episodes: list[Episode | None] = [None] * count
        self._states = [""] * count
        self._results = [""] * count
        self._task_ids = [""] * count
        self._scenarios = [""] * count
        self._steps = [0] * count
        self._last = [Step("", None, {}, 0.0, False, False)] * count
        self._scores = [0.0] * count
        self._successes = [False] * count
        self._invalid = [False] * count
        self._checkpoints = CheckpointColumns(count)

    def start(self, number: int, episode: Episode, observation: Mapping[str, str], terms: dict[str, float]) -> None:
        """Note an env's new episode.

        Args:
            number: of the env.
            episode: the new one.
            observation: its first.
            terms: unweighted parts of the score.
        """
        self._go_on_with(number, episode)
        self._states[number], self._results[number] = observation["state"], observation["tool_result"]
        self._steps[number] = 0
        self._last[number] = Step("", None, terms, 0.0, False, False)
        self._scores[number] = episode.score
        self._checkpoints.note(number, episode)

    def note(self, number: int, episode: Episode, step: Step) -> None:
        """Note a step of an env's episode."""
        if episode is not self._episodes[number]:  # restored, say
            self._go_on_with(number, episode)
        self._states[number] = episode.account(step.error)
        self._results[number] = step.result
        self._steps[number] = len(episode.history)
        self._last[number] = step
        self._scores[number] = episode.score
        if episode.over:
            self._successes[number] = episode.grader.success
            self._invalid[number] = episode.failure is not None
        self._checkpoints.note(number, episode)

    def _go_on_with(self, number: int, episode: Episode) -> None:
        self._episodes[number] = episode
        self._task_ids[number] = episode.task.id
        self._scenarios[number] = episode.scenario.name
        self._successes[number] = self._invalid[number] = False
        self._checkpoints.clear(number)

    def observations(self) -> dict[str, tuple[str, ...]]:
        """Return the batched observations."""
        return {"state": tuple(self._states), "tool_result": tuple(self._results)}

    def last(self, number: int, episode: Episode) -> tuple[dict[str, str], Info]:
        """Return the observation and the information of one env after its last step, as a single env gives them."""
        observation = {"state": self._states[number], "tool_result": self._results[number]}
        return observation, episode.info(self._last[number].error, self._last[number].terms)

    def infos(self) -> Info:
        """Return the keys of :meth:`Episode.info`, each with its mask ``_key``; all envs must have been noted."""
        terms = [step.terms for step in self._last]
        columns: dict[str, Any] = {
            "task_id": _objects(self._task_ids),
            "scenario": _objects(self._scenarios),
            "step": np.array(self._steps, dtype=np.int64),
            "error": _objects([step.error for step in self._last]),
            "checkpoints": self._checkpoints.read(),
            "reward_terms": self._with_masks(
                {name: np.array([each[name] for each in terms], dtype=np.float64) for name in terms[0]}
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
        self._count = count
        # Bytes, since single items of arrays take several times as long to write.
        self._rows: dict[str, tuple[bytearray, bytearray]] = {}
        self._sizes = [0] * count
        self._whole = [True] * count

    def clear(self, number: int) -> None:
        """Forget what an env's last episode has passed."""
        for passed, listed in self._rows.values():
            passed[number] = listed[number] = 0
        self._sizes[number] = 0
        self._whole[number] = True

    def note(self, number: int, episode: Episode) -> None:
        """Bring an env's column up to date."""
        now = episode.grader.passed
        if episode.over or self._whole[number]:
            self._write(number, episode.checkpoints().items())
            self._whole[number] = False
        elif len(now) != self._sizes[number]:
            self._write(number, zip(islice(now, self._sizes[number], None), repeat(True), strict=False))
        self._sizes[number] = len(now)

    def read(self) -> Info:
        """Return an array of each checkpoint that any env lists, and its mask ``_name``."""
        columns: Info = {}
        for name, (passed, listed) in self._rows.items():
            if 1 in listed:
                columns[name] = np.frombuffer(passed, dtype=np.bool_).copy()
                columns[f"_{name}"] = np.frombuffer(listed, dtype=np.bool_).copy()
        return columns

    def _write(self, number: int, checkpoints: Iterable[tuple[str, bool]]) -> None:
        for name, value in checkpoints:
            row = self._rows.get(name)
            if row is None:
                row = self._rows[name] = bytearray(self._count), bytearray(self._count)
            row[0][number] = value
            row[1][number] = True
