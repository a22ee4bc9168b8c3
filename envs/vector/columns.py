"""The results of many episodes, column by column, in the form that Gymnasium's vector environments give them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from teller_gym.base.errors import ErrorInfo
from teller_gym.envs.episode import Episode, Info
from teller_gym.envs.known import Read
from teller_gym.grading.score import TERMS, RewardConfig, standing_of

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Columns:
    """What the last steps of ``count`` envs led to: observations and information.

    A step writes what it changes, in lists; they become arrays when they are asked for.

    Args:
        count: how many envs.
        reward: weights and penalties of all of them.
    """

    def __init__(self, count: int, reward: RewardConfig) -> None:
        self._count = count
        self._episodes: list[Episode | None] = [None] * count
        self._task_ids = [""] * count
        self._scenarios = [""] * count
        # Buffers, in which single items are written several times as quickly as in arrays.
        self._steps = array("q", [0]) * count
        self._accounts = [""] * count
        self._results = [""] * count
        self._errors: list[ErrorInfo | None] = [None] * count
        self._defects: list[str | None] = [None] * count
        self._invalid = bytearray(count)
        self._checkpoints = CheckpointColumns(count)
        self._standings = [standing_of(reward, 0.0, 0.0, False, 0)] * count
        self._successes = bytearray(count)

    def start(self, numbers: Sequence[int], episodes: Sequence[Episode]) -> None:
        """Note the new episodes of some envs.

        Args:
            numbers: of the envs.
            episodes: theirs, at their start.
        """
        for number, episode in zip(numbers, episodes, strict=True):
            self._accounts[number], self._results[number] = episode.opening(), ""
            self._errors[number] = None
            self._defects[number] = None
        self._go_on_with(numbers, episodes)

    def settle(
        self,
        numbers: Sequence[int],
        episodes: Sequence[Episode],
        actions: Sequence[str],
        reads: Sequence[Read],
        outcomes: Sequence[str | Exception],
    ) -> tuple[Floats, Flags, Flags]:
        """Settle actions that were read and run, and note what they led to.

        Args:
            numbers: of the envs that act.
            episodes: theirs; so is all that follows.
            actions: as they were sent.
            reads: as they were read.
            outcomes: what running them gave.

        Returns:
            Rewards, and whether episodes were terminated and truncated.
        """
        known, counts = self._episodes, self._steps
        # New ones, as whoever does not act is started: letting go of a whole list is quicker than item by item.
        accounts = self._accounts = [""] * self._count
        results = self._results = [""] * self._count
        errors = self._errors = [None] * self._count
        defects = self._defects = [None] * self._count
        checkpoints = self._checkpoints
        rows = checkpoints.rows
        standings, rewards = self._standings, [0.0] * self._count
        others: list[tuple[int, Episode]] = []
        terminated, truncated = np.zeros((2, self._count), dtype=np.bool_)
        for number, episode, action, read, outcome in zip(numbers, episodes, actions, reads, outcomes, strict=True):
            step = episode.settle(action, read, outcome)
            rewards[number], standings[number] = episode.pay()
            accounts[number] = step.account
            results[number] = step.result
            if step.error is not None:
                errors[number] = step.error
                defects[number] = episode.defects.get(step.number)
            if episode is not known[number] or step.number != counts[number] + 1:
                others.append((number, episode))  # it is a restored one, say, or was stepped alone
            else:
                counts[number] = step.number
                if step.passed:
                    row = rows.get(step.passed) or checkpoints.row(step.passed)
                    row[0][number] = row[1][number] = 1
            if step.terminated or step.truncated:
                terminated[number], truncated[number] = step.terminated, step.truncated
                self._invalid[number] = episode.failure is not None
                self._successes[number] = episode.grader.success
                checkpoints.note(number, episode)
        if others:
            self._go_on_with([number for number, _ in others], [episode for _, episode in others])
        return np.array(rewards), terminated, truncated

    def _go_on_with(self, numbers: Sequence[int], episodes: Sequence[Episode]) -> None:
        """Take over episodes as they stand."""
        for number, episode in zip(numbers, episodes, strict=True):
            self._episodes[number] = episode
            self._task_ids[number] = episode.task.id
            self._scenarios[number] = episode.scenario.name
            self._steps[number] = len(episode.history)
            self._invalid[number] = episode.failure is not None
            self._standings[number] = episode.grader.standing()
            self._successes[number] = episode.grader.success
        self._checkpoints.start(numbers, episodes)

    def observations(self) -> dict[str, tuple[str, ...]]:
        """Return the batched observations."""
        return {"state": tuple(self._accounts), "tool_result": tuple(self._results)}

    def finals(self, ended: Flags) -> Info:
        """Return how the episodes of some envs ended, as ``final_obs`` and ``final_info``; nothing if none did."""
        if not ended.any():
            return {}
        observations: npt.NDArray[np.object_] = np.full(self._count, None, dtype=object)
        for number in np.flatnonzero(ended).tolist():
            observations[number] = {"state": self._accounts[number], "tool_result": self._results[number]}
        finals = {"final_obs": observations, "final_info": self.infos_of(ended)}
        return finals | {f"_{name}": ended.copy() for name in finals}

    def infos_of(self, chosen: Flags) -> Info:
        """Return the information of some envs alone: :meth:`infos` with nothing in the others' places."""
        return _restricted(self.infos(), chosen)

    def infos(self) -> Info:
        """Return the keys of :meth:`Episode.info`, each with its mask ``_key``; all envs must have started."""
        standings = self._standings
        terms = {name: np.array([getattr(standing, name) for standing in standings]) for name in TERMS}
        columns: dict[str, Any] = {
            "task_id": _objects(self._task_ids),
            "scenario": _objects(self._scenarios),
            "step": np.array(self._steps),
            "error": _objects(self._errors),
            "checkpoints": self._checkpoints.read(),
            "reward_terms": self._with_masks(terms),
            "score": np.array([standing.score for standing in standings]),
            "success": np.array(self._successes).view(np.bool_),
            "invalid": np.array(self._invalid).view(np.bool_),
            "defect": _objects(self._defects),
        }
        return self._with_masks(columns)

    def _with_masks(self, columns: dict[str, Any]) -> Info:
        infos: Info = {}
        for name, column in columns.items():
            infos[name] = column
            infos[f"_{name}"] = np.ones(self._count, dtype=np.bool_)
        return infos


def _restricted(infos: Info, chosen: Flags) -> Info:
    """Return information with masks for some envs alone, and without what none of these has."""
    found: Info = {}
    for name, column in infos.items():
        mask = infos.get(f"_{name}")
        if mask is None or not (mask & chosen).any():
            continue
        found[f"_{name}"] = mask & chosen
        if isinstance(column, dict):
            found[name] = _restricted(column, chosen)
        else:
            found[name] = np.full(len(chosen), None if column.dtype == object else 0, dtype=column.dtype)
            found[name][chosen] = column[chosen]
    return found


def _objects(values: list[Any]) -> npt.NDArray[np.object_]:
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


class CheckpointColumns:
    """Which checkpoints the information of each env lists, and which of these are passed.

    The columns are kept from step to step, and a step only writes what it has changed.

    Args:
        count: how many envs.

    Attributes:
        rows: for each checkpoint whether each env has passed it, and whether it is listed.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        # Bytes, since single items of arrays take several times as long to write.
        self.rows: dict[str, tuple[bytearray, bytearray]] = {}

    def start(self, numbers: Sequence[int], episodes: Sequence[Episode]) -> None:
        """Go on with other episodes in some envs."""
        for passed, listed in self.rows.values():
            np.frombuffer(passed, dtype=np.uint8)[numbers] = 0
            np.frombuffer(listed, dtype=np.uint8)[numbers] = 0
        for number, episode in zip(numbers, episodes, strict=True):
            self.note(number, episode)

    def note(self, number: int, episode: Episode) -> None:
        """Bring an env's column up to date."""
        for name, value in episode.checkpoints().items():
            passed, listed = self.rows.get(name) or self.row(name)
            passed[number], listed[number] = value, True

    def row(self, name: str) -> tuple[bytearray, bytearray]:
        """Return the columns of a checkpoint that no env has listed so far."""
        row = self.rows[name] = bytearray(self._count), bytearray(self._count)
        return row

    def read(self) -> Info:
        """Return an array of each checkpoint that any env lists, and its mask ``_name``."""
        columns: Info = {}
        for name, (passed, listed) in self.rows.items():
            if 1 in listed:
                columns[name] = np.frombuffer(passed, dtype=np.bool_).copy()
                columns[f"_{name}"] = np.frombuffer(listed, dtype=np.bool_).copy()
        return columns
