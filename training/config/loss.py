"""Settings of the loss of GRPO and its relatives, and their names in TRL."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from annotated_types import Ge
from pydantic import model_validator

from teller_gym.configuration.settings import Settings, problem
from teller_gym.training.config.numbers import Count, Positive


class LossConfig(Settings):
    """Group ``loss``: grpo, dr_grpo, dapo or gspo."""

    type: Literal["grpo", "dr_grpo", "dapo", "bnpo"]
    """Divisor of a token's loss: the length of its rollout (grpo), the maximum length of a rollout (dr_grpo), the
    tokens of the whole update (dapo), or those of one process's part of it (bnpo)."""
    level: Literal["token", "sequence"]
    """Gives each token its own importance ratio (token), or all tokens of a rollout the same one (sequence), as in
    GSPO."""
    scale_rewards: Literal["group", "batch", "none"]
    """Standard deviation by which the difference between a reward and its group's mean is divided; with group, groups
    with nearly equal rewards count as much as others."""
    clip_low: Positive
    """Distance below 1 from which a token's ratio is clipped."""
    clip_high: Positive
    """Distance above 1 from which it is clipped; values above clip_low let rare good tokens grow."""
    beta: Annotated[float, Ge(0)]
    """Weight of the divergence from the model that GRPO starts from; above 0, that model stays in memory, too."""
    updates: Count
    """Number of updates from the rollouts of one step, each from a part of its own."""
    out_of_tokens: Literal["scored", "left_out"]
    """Treatment of rollouts that reached total_tokens: scored as far as they got, or left out of the loss; they are
    logged either way."""
    sampler_ratio: Literal["token_truncate", "token_mask", "sequence_truncate", "sequence_mask", "off"]
    """Correction for probabilities that differ between vLLM and the trainer: ratios of tokens or of whole rollouts,
    capped or left out above the cap. In 16 bits, rounding alone moves the ratio of a long rollout far from 1, and
    sequence_mask then leaves out most rollouts."""
    sampler_ratio_cap: Positive
    """Cap of those ratios."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.clip_low >= 1:
            raise problem(f"expected a number below 1, got {self.clip_low}", "clip_low")
        return self

    def trainer_options(self) -> dict[str, Any]:
        """Return the options of TRL's `GRPOConfig`."""
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
