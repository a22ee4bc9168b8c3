"""The scores of many episodes as arrays: what :meth:`Grader.standing` says of each, to the last bit."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from teller_gym.envs.episode import Episode
from teller_gym.grading.grader import SCORE_UNITS, Grader, RewardConfig

Floats = npt.NDArray[np.float64]


class ScoreColumns:
    """Scores and their terms.

    Args:
        count: how many envs.
        config: weights and penalties, the same for all.

    Attributes:
        passed, earned, failures, successes: what each env's grader has counted; whoever steps the envs writes it here.
        terms: the terms of the last :meth:`update`, by name, each of shape ``(count,)``.
        scores: the scores, likewise.
    """

    def __init__(self, count: int, config: RewardConfig) -> None:
        self._config = config
        # Buffers, in which single items are written several times as quickly as in arrays.
        self.passed = array("q", [0]) * count
        self.earned: Floats = np.zeros(count)
        self.failures = array("q", [0]) * count
        self.successes = bytearray(count)
        self._weights: Floats = np.zeros(count)
        self._required: Floats = np.ones(count)
        self.terms: dict[str, Floats] = {
            name: np.zeros(count) for name in ("checkpoints", "parameters", "outcome", "penalties")
        }
        self.scores: Floats = np.zeros(count)

    def note(self, number: int, grader: Grader) -> None:
        """Note all that a grader has counted; its env's score stays until the next :meth:`update`."""
        self.passed[number] = len(grader.passed)
        self.earned[number] = grader.earned
        self.failures[number] = grader.failures
        self.successes[number] = grader.success

    def start(self, numbers: Sequence[int], episodes: Sequence[Episode]) -> None:
        """Go on with other episodes in some envs; their scores are those that were paid for."""
        self._weights[numbers] = [episode.rubric.weight for episode in episodes]
        self._required[numbers] = [len(episode.rubric.required) for episode in episodes]
        self.scores[numbers] = [episode.score for episode in episodes]
        for number, episode in zip(numbers, episodes, strict=True):
            self.note(number, episode.grader)
        standings = [episode.grader.standing() for episode in episodes]
        for name, values in self.terms.items():
            values[numbers] = [getattr(standing, name) for standing in standings]

    def update(self) -> None:
        """Work the scores out of what was counted; operation by operation as a grader does it."""
        config = self._config
        checkpoints = np.array(self.passed) * self._weights
        parameters = self.earned / self._required
        outcome = np.array(self.successes).astype(np.float64)
        penalties = np.minimum(np.array(self.failures) * config.failed_call, config.failed_calls_at_most)
        total = config.checkpoints * checkpoints + config.parameters * parameters + config.outcome * outcome - penalties
        inside = np.floor(total * SCORE_UNITS + 0.5) / SCORE_UNITS
        self.terms = {"checkpoints": checkpoints, "parameters": parameters, "outcome": outcome, "penalties": penalties}
        self.scores = np.where((total > 0.0) & (total < 1.0), inside, total >= 1.0)

    def rewards(self, before: Floats, over: npt.NDArray[np.bool_]) -> Floats:
        """Return what the last steps are paid.

        Args:
            before: the scores before them.
            over: whether they ended each env's episode.
        """
        rewards: Floats = self.scores - before if self._config.shaped else np.where(over, np.array(self.successes), 0.0)
        return rewards
