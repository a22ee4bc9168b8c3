"""The results of many episodes, column by column, in the form that Gymnasium's vector environments give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from teller_gym.envs.episode import Episode, Info, Step
from teller_gym.grading import Standing

_NO_STEP = Step(0, "", "", None, Standing(0.0, 0.0, 0.0, 0.0, 0.0), 0, "", 0.0, False, False)


class Columns:
    """What the last steps of ``count`` envs led to: observations and information.

    What every step changes is read from the steps when it is asked for, column by column; the rest is written when it
    changes.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._episodes: list[Episode | None] = [None] * count
        self._task_ids = [""] * count
        self._scenarios = [""] * count
        self._last = [_NO_STEP] * count
        self._successes = [False] * count
        self._invalid = [False] * count
        self._checkpoints = CheckpointColumns(count)

    def start(self, number: int, episode: Episode, observation: Mapping[str, str]) -> None:
        """Note an env's new episode.

        Args:
            number: of the env.
            episode: the new one.
            observation: its first.
        """
        self._go_on_with(number, episode)
        result, account = observation["tool_result"], observation["state"]
        self._last[number] = Step(0, result, account, None, episode.grader.standing(), 0, "", 0.0, False, False)
        self._checkpoints.note(number, episode)

    def note(self, numbers: Sequence[int], episodes: Sequence[Episode], steps: Sequence[Step]) -> None:
        """Note steps.

        Args:
            numbers: of the envs that stepped.
            episodes: those of all envs.
            steps: one for each of the numbers.
        """
        if episodes != self._episodes:  # some are restored, say
            for number in numbers:
                if episodes[number] is not self._episodes[number]:
                    self._go_on_with(number, episodes[number])
        last = self._last
        for number, step in zip(numbers, steps, strict=True):
            last[number] = step
            if step.terminated or step.truncated:
                self._successes[number] = episodes[number].grader.success
                self._invalid[number] = episodes[number].failure is not None
        self._checkpoints.update(numbers, episodes, steps)

    def _go_on_with(self, number: int, episode: Episode) -> None:
        self._episodes[number] = episode
        self._task_ids[number] = episode.task.id
        self._scenarios[number] = episode.scenario.name
        self._successes[number] = self._invalid[number] = False
        self._checkpoints.clear(number)

    def observations(self) -> dict[str, tuple[str, ...]]:
        """Return the batched observations."""
        last = self._last
        return {"state": tuple([step.account for step in last]), "tool_result": tuple([step.result for step in last])}

    def last(self, number: int, episode: Episode) -> tuple[dict[str, str], Info]:
        """Return the observation and the information of one env after its last step, as a single env gives them."""
        step = self._last[number]
        observation = {"state": step.account, "tool_result": step.result}
        return observation, episode.info(step.error, step.standing.terms())

    def infos(self) -> Info:
        """Return the keys of :meth:`Episode.info`, each with its mask ``_key``; all envs must have been noted."""
        last = self._last
        standings = [step.standing for step in last]
        terms = {
            "checkpoints": [standing.checkpoints for standing in standings],
            "parameters": [standing.parameters for standing in standings],
            "outcome": [standing.outcome for standing in standings],
            "penalties": [standing.penalties for standing in standings],
        }
        columns: dict[str, Any] = {
            "task_id": _objects(self._task_ids),
            "scenario": _objects(self._scenarios),
            "step": np.array([step.number for step in last], dtype=np.int64),
            "error": _objects([step.error for step in last]),
            "checkpoints": self._checkpoints.read(),
            "reward_terms": self._with_masks(
                {name: np.array(values, dtype=np.float64) for name, values in terms.items()}
            ),
            "score": np.array([standing.score for standing in standings], dtype=np.float64),
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
        else:
            self._write(number, [(name, True) for name in islice(now, self._sizes[number], None)])
        self._sizes[number] = len(now)

    def update(self, numbers: Sequence[int], episodes: Sequence[Episode], steps: Sequence[Step]) -> None:
        """Bring the columns of envs that stepped up to date."""
        sizes, whole, rows = self._sizes, self._whole, self._rows
        for number, step in zip(numbers, steps, strict=True):
            if step.terminated or step.truncated or whole[number]:
                self.note(number, episodes[number])
            elif step.passed == sizes[number] + 1:  # nearly always, and quicker than by note()
                sizes[number] += 1
                row = rows.get(step.newest)
                if row is None:
                    row = self._row(step.newest)
                row[0][number] = row[1][number] = 1
            elif step.passed != sizes[number]:
                self.note(number, episodes[number])

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
            passed, listed = self._rows.get(name) or self._row(name)
            passed[number], listed[number] = value, True

    def _row(self, name: str) -> tuple[bytearray, bytearray]:
        row = self._rows[name] = bytearray(self._count), bytearray(self._count)
        return row
