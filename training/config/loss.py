"""The loss of GRPO and its relatives: every setting of it, and the same in TRL's words."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from annotated_types import Ge
from pydantic import model_validator

from teller_gym.configuration.settings import Settings, problem
from teller_gym.training.config.numbers import Count, Positive


class LossConfig(Settings):
    """Group ``loss``: grpo, dr_grpo, dapo or gspo."""

    type: Literal["grpo", "dr_grpo", "dapo", "bnpo"]
    """What a token's loss is divided by: the length of its rollout (grpo), the longest that a rollout may be (dr_grpo),
    the tokens of the whole update (dapo), those of one process's part of it (bnpo)."""
    level: Literal["token", "sequence"]
    """Whether each token has a ratio of its own or all of a rollout share one, as GSPO has it."""
    scale_rewards: Literal["group", "batch", "none"]
    """Whose standard deviation divides what a reward is above its group's mean; with group, a group whose rewards
    hardly differ counts as much as one in which they do."""
    clip_low: Positive
    """How far the ratio may fall below 1 before a token stops to count."""
    clip_high: Positive
    """How far it may rise above 1; above clip_low, rare good tokens can grow."""
    beta: Annotated[float, Ge(0)]
    """Weight of the divergence from the model that GRPO begins with; above 0, that model is kept in memory too."""
    updates: Count
    """Updates from the rollouts of one step, each from its own part of them."""
    out_of_tokens: Literal["scored", "left_out"]
    """Whether rollouts that reached total_tokens count as far as they got, or teach nothing; they are logged either
    way."""
    sampler_ratio: Literal["token_truncate", "token_mask", "sequence_truncate", "sequence_mask", "off"]
    """How the loss makes up for probabilities that differ between vLLM and the trainer: ratios of tokens or of whole
    rollouts, capped or left out where they pass the cap. The ratio of a long rollout in 16 bits is far from 1 by
    rounding alone, and sequence_mask then leaves out most."""
    sampler_ratio_cap: Positive
    """That cap."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.clip_low >= 1:
            raise problem(f"expected a number below 1, got {self.clip_low}", "clip_low")
        return self

    def trainer_options(self) -> dict[str, Any]:
        """Options of TRL's `GRPOConfig`."""
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
