"""TRL's GRPOTrainer with token budgets for forward passes, and optional advantages per turn."""

from __future__ import annotations

import contextlib
from typing import Any

import torch
from accelerate.utils import DistributedType
from torch import Tensor
from trl import GRPOTrainer

from teller_gym.training.demonstrations.batches import split_alike
from teller_gym.training.phases.grpo_rollouts import Player
from teller_gym.training.rollouts.rollout import End
from teller_gym.training.trainer_parts.turn_credit import turn_advantages

_BY_ROWS = ("grpo", "dr_grpo")
"""Losses that are means over rows; dapo's is already divided by the tokens of the whole update."""


class TurnTrainer(GRPOTrainer):
    """GRPOTrainer that limits the tokens instead of the rollouts of a forward and backward pass.

    TRL's batch has all rollouts of an update, padded to the longest of them. Here it is split into passes
    (`teller_gym.training.demonstrations.batches`), each trimmed to its longest row, and their gradients add up to the
    batch's. TRL's loss accepts advantages of shape (rollouts, tokens) "to support subclasses", which `discount` uses.
    """

    player: Player
    discount: float | None = None
    """Discount for advantages per turn, see `turn_advantages`; None gives one advantage per rollout."""
    left_out: frozenset[End] = frozenset({End.INVALID})
    """End reasons for which a rollout is left out of the loss."""
    budget: int = 0
    """Maximum tokens per pass; 0 processes a whole batch at once."""
    _found: Tensor | None = None
    """Log-probabilities of the last pass, of shape (rows, tokens)."""
    _ratios: tuple[float, float] = (0.0, 0.0)
    """Sum and number of the importance ratios since the last log line."""

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        self.player.expect_engine()
        output = super()._generate_and_score_completions(inputs)
        # If a step's rewards share one deviation, TRL tests only that for zero instead of each group's.
        self._metrics["train"]["frac_reward_zero_std"][-1] = self.player.dead
        if self.discount is not None:
            whole = output["advantages"]
            output["advantages"] = advantages = whole.new_zeros(output["completion_ids"].shape)
            rollouts, group = self.player.rollouts, self.num_generations
            # Processes may share a group.
            everyones = self.player.everyones
            found = turn_advantages(everyones, group, self.discount, self.scale_rewards, self.left_out)
            for row, (rollout, turns) in enumerate(zip(rollouts, self.player.own(found), strict=True)):
                offset = len(rollout.prompt_ids) - self.player.common
                for span, advantage in zip(rollout.spans, turns, strict=True):
                    advantages[row, offset + span.start : offset + span.end] = advantage
        return output

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """Return a batch's loss, and accumulate the gradients of all passes except the last."""
        passes = self._passes(inputs)
        if len(passes) == 1 or not self.model.training:
            return super().compute_loss(model, trimmed(inputs, passes[0]), return_outputs, num_items_in_batch)
        before: Any = 0.0
        for rows in passes[:-1]:
            with self._adding_up(model):
                loss = self._part(model, inputs, rows, num_items_in_batch)
                self.accelerator.backward(loss)
            before += loss.detach()
        return self._part(model, inputs, passes[-1], num_items_in_batch) + before

    def _part(self, model: Any, inputs: dict[str, Any], rows: list[int], items: Any) -> Any:
        """Return one pass's contribution to the batch's loss."""
        loss = super().compute_loss(model, trimmed(inputs, rows), False, items)
        return loss * (len(rows) / len(inputs["completion_ids"])) if self.loss_type in _BY_ROWS else loss

    def _passes(self, inputs: dict[str, Any]) -> list[list[int]]:
        lengths = inputs["prompt_ids"].shape[1] + lengths_of(inputs["completion_mask"])
        return self._equally_many(lengths.tolist())

    def _equally_many(self, lengths: list[int]) -> list[list[int]]:
        """Return the passes for rows of these lengths, with equal numbers of passes and rows on every process."""
        if self.budget == 0:
            return [list(range(len(lengths)))]
        gathered = self.accelerator.gather(torch.tensor([lengths], device=self.accelerator.device))
        return split_alike(lengths, gathered.tolist(), self.budget)

    @contextlib.contextmanager
    def _adding_up(self, model: Any) -> Any:
        """Accumulate gradients without synchronizing processes."""
        state = self.accelerator.gradient_state
        before = state.sync_gradients
        state._set_sync_gradients(False)
        by_itself = self.accelerator.distributed_type in (DistributedType.MULTI_GPU, DistributedType.MULTI_CPU)
        try:
            with self.accelerator.no_sync(model) if by_itself else contextlib.nullcontext():
                yield
        finally:
            state._set_sync_gradients(before)

    def _compute_loss(self, model: Any, inputs: dict[str, Any]) -> Any:
        loss = super()._compute_loss(model, inputs)
        sampled, found = inputs.get("sampling_per_token_logps"), self._found
        # With vLLM, TRL logs it. After the first update the policy differs from the sampled one.
        first = self.state.global_step % self.args.steps_per_generation == 0
        if sampled is not None and found is not None and first and "importance_sampling_ratio" not in inputs:
            ratios = (found - sampled).exp()[_learned(inputs) > 0]
            totals = torch.stack([ratios.sum(), ratios.new_tensor(float(ratios.numel()))])
            total, count = self.accelerator.reduce(totals, reduction="sum").tolist()
            self._ratios = self._ratios[0] + total, self._ratios[1] + count
        return loss

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        """Log metrics, with the update time as TRL's ``step_time`` minus the rollout time."""
        spent = self._metrics["train"]
        total, count = self._ratios
        if count:
            # Passes differ in their number of tokens.
            spent["sampling/importance_sampling_ratio/mean"] = [total / count]
            self._ratios = (0.0, 0.0)
        if rounds := len(spent.get("seconds/generating", [])):
            played = sum(spent["seconds/generating"]) + sum(spent["seconds/environments"])
            spent["seconds/updates"] = [(sum(spent["step_time"]) - played) / rounds]
        super().log(logs, start_time)

    def _get_per_token_logps_and_entropies(
        self, model: Any, input_ids: Tensor, attention_mask: Tensor, logits_to_keep: int,
        batch_size: int | None = None, compute_entropy: bool = False, **more: Any,
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:  # fmt: skip
        call = super()._get_per_token_logps_and_entropies
        if batch_size is None or self.budget == 0 or compute_entropy:
            whole: tuple[Tensor, Tensor | None, Tensor | None] = call(
                model, input_ids, attention_mask, logits_to_keep, batch_size, compute_entropy, **more
            )
            if compute_entropy:
                self._found = whole[0].detach()
            return whole
        # TRL's pass over a whole batch before the updates.
        prompt = input_ids.shape[1] - logits_to_keep
        lengths = prompt + lengths_of(attention_mask[:, prompt:])
        logps = input_ids.new_zeros((len(input_ids), logits_to_keep), dtype=torch.float32)
        for rows in self._equally_many(lengths.tolist()):
            end = int(lengths[rows].max())
            found, _, _ = call(model, input_ids[rows, :end], attention_mask[rows, :end], max(1, end - prompt))
            logps[rows, : end - prompt] = found[:, : end - prompt].float()
        return logps, None, None


def lengths_of(mask: Tensor) -> Tensor:
    """Return the used length of each row in a mask of shape (rows, tokens), at least 1."""
    places = torch.arange(1, mask.shape[1] + 1, device=mask.device)
    return (places * (mask > 0)).amax(1).clamp(min=1)


def trimmed(inputs: dict[str, Any], rows: list[int]) -> dict[str, Any]:
    """Return some rows of a batch, without the columns that only longer rows use."""
    tokens = inputs["completion_ids"].shape[1]
    end = int(lengths_of(inputs["completion_mask"][rows]).max())
    found = dict(inputs)
    for name, value in inputs.items():
        if isinstance(value, Tensor) and value.ndim:
            part = value[rows]
            by_token = value.ndim == 2 and value.shape[1] == tokens and not name.startswith("prompt")
            found[name] = part[:, :end] if by_token else part
    return found


def _learned(inputs: dict[str, Any]) -> Tensor:
    mask: Tensor = inputs["completion_mask"]
    return mask * inputs["tool_mask"] if "tool_mask" in inputs else mask
