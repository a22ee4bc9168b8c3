"""GRPO settings: steps, loss, reward and curriculum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Self

from annotated_types import Ge, Gt, Le, Lt
from pydantic import Field, model_validator

from teller_gym.base.errors import OptionError
from teller_gym.configuration.settings import Settings, problem, problems
from teller_gym.grading.score import SCORE_UNITS, RewardConfig
from teller_gym.training.config.numbers import Count, Number, Positive, Reached, Share

_SCORE = RewardConfig()
_PENALTIES = "penalties"

Weight = Annotated[float, Ge(0)]


class RewardWeights(Settings):
    """Group ``reward``: GRPO's reward is (sum of weight * term) / (sum of weights) * (1 - penalties). Logs and reports
    still show the environment's score."""

    checkpoints: Weight = _SCORE.checkpoints
    """Weight of the checkpoints passed."""
    parameters: Weight = _SCORE.parameters
    """Weight of the parameter grader: the fraction of correct arguments in required calls."""
    outcome: Weight = _SCORE.outcome
    """Weight of success; as the only weight, it makes the reward sparse."""

    @model_validator(mode="after")
    def _weighs_something(self) -> Self:
        if not any(self._weights().values()):
            raise problem("expected a weight above 0, got none")
        return self

    @property
    def is_score(self) -> bool:
        """True if the weights equal the environment's own, so that the reward is the score."""
        return self == RewardWeights()

    def of(self, score: float, terms: Mapping[str, float]) -> float:
        """Return an episode's reward from its score and the score's unweighted terms, each in [0, 1].

        With the environments' own weights this is the score itself, otherwise the weighted terms, in [0, 1] and
        rounded to twelve digits, so that equal episodes do not differ in the last bit.
        """
        if self.is_score:
            return score
        weights = self._weights()
        reached = sum(weight * terms[name] for name, weight in weights.items() if weight) / sum(weights.values())
        return int(reached * (1.0 - terms[_PENALTIES]) * SCORE_UNITS + 0.5) / SCORE_UNITS

    def expect_terms(self, env_id: str, names: Iterable[str]) -> None:
        """Check that an environment reports the weighted terms.

        Needed only if the reward is not the score.

        Raises:
            OptionError: a term is missing.
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


class LossConfig(Settings):
    """Group ``loss``: grpo, dr_grpo, dapo or gspo."""

    type: Literal["grpo", "dr_grpo", "dapo"]
    """Divisor of a token's loss: the length of its rollout (grpo), the maximum length of a rollout (dr_grpo), or the
    tokens of the whole update (dapo)."""
    level: Literal["token", "sequence"]
    """Gives each token its own importance ratio (token), or all tokens of a rollout the same one (sequence), as in
    GSPO."""
    scale_rewards: Literal["group", "batch", "none"]
    """Standard deviation by which the difference between a reward and its group's mean is divided; with group, groups
    with nearly equal rewards count as much as others."""
    clip_low: Annotated[float, Gt(0), Lt(1)]
    """Distance below 1 from which a token's ratio is clipped."""
    clip_high: Positive
    """Distance above 1 from which a token's ratio is clipped; values above clip_low let rare good tokens grow."""
    beta: Annotated[float, Ge(0)]
    """Weight of the KL divergence from the model before GRPO; above 0, that model is kept in memory as well."""
    updates: Count
    """Number of updates from the rollouts of one step; each uses a different part of them."""
    out_of_tokens: Literal["scored", "left_out"]
    """Treatment of rollouts that reached total_tokens: scored up to that point, or left out of the loss; both are
    logged."""
    sampler_ratio: Literal["token_truncate", "token_mask", "sequence_truncate", "sequence_mask", "off"]
    """Correction for differences between the probabilities of vLLM and the trainer: importance ratios of tokens or of
    whole rollouts, truncated at the cap or masked above it. In 16 bits, rounding alone moves the ratio of a long
    rollout far from 1, and sequence_mask then leaves out most rollouts."""
    sampler_ratio_cap: Positive
    """Cap of the importance ratios."""

    def trainer_options(self) -> dict[str, Any]:
        """Return these settings as arguments of TRL's `GRPOConfig`."""
        options: dict[str, Any] = {
            "loss_type": self.type,
            "importance_sampling_level": self.level,
            "scale_rewards": self.scale_rewards,
            "epsilon": self.clip_low,
            "epsilon_high": self.clip_high,
            "beta": self.beta,
            "vllm_importance_sampling_correction": self.sampler_ratio != "off",
        }
        if self.sampler_ratio != "off":
            options |= {
                "vllm_importance_sampling_mode": self.sampler_ratio,
                "vllm_importance_sampling_clip_max": self.sampler_ratio_cap,
            }
        return options


class CurriculumConfig(Settings):
    """Group ``method``, block ``grpo.curriculum``; method/curriculum.yaml explains the values."""

    bands: Annotated[int, Ge(2)] = 4
    """Number of difficulty ranges, each with about the same share of generated tasks."""
    window: Count = 16
    """Number of latest groups that count for a band's mean score."""
    raise_at: Reached = 0.7
    """Mean score of the current band's window at which the next band becomes the current one."""
    lower_at: Annotated[float, Ge(0)] = 0.1
    """Mean score of the current band's window at which the band below becomes the current one again."""
    easier: Share = 0.2
    """Total share of fresh tasks from all bands below the current one."""
    harder: Share = 0.1
    """Share of fresh tasks from the next band above."""
    least: Reached = 0.2
    """Minimum fraction to which a band's share shrinks, in proportion to its recent groups with equal rewards."""
    replay: Share = 0.25
    """Maximum share of replayed tasks, which are those whose group had different rewards."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        found = []
        if not self.lower_at < self.raise_at:
            found.append(("lower_at", f"expected below raise_at ({self.raise_at}), got {self.lower_at}"))
        if not self.easier + self.harder < 1:
            found.append(("", f"expected easier and harder to leave a share, got {self.easier} and {self.harder}"))
        problems(found)
        return self


class GrpoConfig(Settings):
    """Group ``method``, block ``grpo``."""

    steps: Number
    """Number of rollout rounds, each followed by loss.updates updates; 0 skips GRPO."""
    tasks: Count
    """Number of tasks per step, over all processes."""
    group: Annotated[int, Ge(2)]
    """Rollouts per task; rewards are compared within this group."""
    most_groups: Annotated[float, Ge(1)]
    """Maximum number of groups in a step, as a multiple of tasks. Groups that teach nothing, such as those with equal
    rewards, are replaced by groups of other tasks up to this number; 1 replaces none."""
    optimizer: Literal["adamw", "sgd"]
    """Optimizer. With sgd, the length of an update follows its gradient. A fresh adamw moves every weight equally in
    its first updates, including those whose gradient is noise, and a short run consists of nothing else."""
    learning_rate: Positive
    """Peak learning rate. With sgd and gradients longer than max_grad_norm, an update moves the weights by this rate
    times max_grad_norm."""
    lora_learning_rate: Positive
    """Peak learning rate for adapters. The sampler receives them merged into the weights, where changes below 16-bit
    resolution are rounded away."""
    max_grad_norm: Positive
    """Norm to which longer gradients are clipped."""
    turn_discount: Annotated[float, Ge(0), Le(1)] | None
    """Gives every turn its own advantage: the reward gained in it plus this fraction of the next turn's return,
    compared with the group's value at the same turn. With null, the whole rollout has one advantage."""
    warmup_steps: Number
    """Updates over which the learning rate rises."""
    temperature: Positive
    """Temperature of the rollouts and of the probabilities in the loss."""
    patience: Count
    """Consecutive failed calls that end a rollout, which is scored up to that point: such episodes rarely recover and
    cost most."""
    save_steps: Count
    """Steps between checkpoints."""
    log_steps: Count
    """Steps between log lines."""
    reward: RewardWeights = Field(default_factory=RewardWeights)
    curriculum: CurriculumConfig | None = None
    """Plays tasks from easy to hard as the score rises, as in method=curriculum; null plays generated tasks in
    order."""

    @property
    def groups_at_most(self) -> int:
        """Maximum number of groups in a step."""
        # A product such as 1.15 * 20 may be rounded to just below a whole number.
        return int(self.most_groups * self.tasks + 1e-9)
