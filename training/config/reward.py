"""The reward of GRPO: weights of the score's terms, as in the files of `configs/reward`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Self

from annotated_types import Ge
from pydantic import model_validator

from teller_gym.base.errors import OptionError
from teller_gym.configuration.settings import Settings, problem
from teller_gym.grading.score import SCORE_UNITS, RewardConfig

_SCORE = RewardConfig()
_PENALTIES = "penalties"

Weight = Annotated[float, Ge(0)]


class RewardWeights(Settings):
    """Group ``reward``: GRPO's reward is (sum of weight * term) / (sum of weights) * (1 - penalties). Logs and reports
    still show the environment's score."""

    checkpoints: Weight = _SCORE.checkpoints
    """Weight of the checkpoints passed."""
    parameters: Weight = _SCORE.parameters
    """Weight of the parameter grader: the share of right arguments in required calls."""
    outcome: Weight = _SCORE.outcome
    """Weight of success; with success only, the reward is sparse."""

    @model_validator(mode="after")
    def _weighs_something(self) -> Self:
        if not any(self._weights().values()):
            raise problem("expected a weight above 0, got none")
        return self

    @property
    def is_score(self) -> bool:
        """True if the weights are those of the environments, so that the reward equals the score."""
        return self == RewardWeights()

    def of(self, score: float, terms: Mapping[str, float]) -> float:
        """Return the reward of an episode so far.

        Args:
            score: the environment's.
            terms: its unweighted parts by name, each in [0, 1], penalties included.

        Returns:
            The score itself with the environments' own weights, otherwise the weighted terms, in [0, 1] and rounded to
            twelve digits: equal episodes must not differ in the last bit.
        """
        if self.is_score:
            return score
        weights = self._weights()
        reached = sum(weight * terms[name] for name, weight in weights.items() if weight) / sum(weights.values())
        return int(reached * (1.0 - terms[_PENALTIES]) * SCORE_UNITS + 0.5) / SCORE_UNITS

    def expect_terms(self, env_id: str, names: Iterable[str]) -> None:
        """Check that an environment reports the weighted terms; needed if the reward is not the score.

        Raises:
            OptionError: one is missing.
        """
        weighed = [name for name, weight in self._weights().items() if weight]
        missing = sorted({*weighed, _PENALTIES} - set(names))
        if missing:
            raise OptionError(
                f"method.grpo.reward: expected an environment that reports the terms {', '.join(missing)}, got "
                f"{env_id}; reward=score takes its score as it is"
            )

    def _weights(self) -> dict[str, float]:
        return {"checkpoints": self.checkpoints, "parameters": self.parameters, "outcome": self.outcome}
