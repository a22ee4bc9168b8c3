"""Validation during training, which plays the split validation greedily and stores the best weights."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import TrainerCallback

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.sampling import CachedSampler, Sampler
from teller_gym.base.errors import ErrorKind, InfrastructureError
from teller_gym.procedure.task import Split
from teller_gym.training.config.evaluation import validation_tasks
from teller_gym.training.config.run import Config
from teller_gym.training.processes.group import here
from teller_gym.training.rollouts.engines import Draws, Engine
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits, Rollout
from teller_gym.training.rollouts.vllm_server import engine_of
from teller_gym.training.run_folder.metrics_log import MetricsLog, log_wandb
from teller_gym.training.run_folder.progress import tell
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import make_env
from teller_gym.training.trainer_parts.best_weights import BEST, Best, Mark
from teller_gym.training.trainer_parts.stopping import Stopper


class Validation(TrainerCallback):
    """Plays the validation tasks at regular steps, if the settings ask for it.

    Training continues as if nothing had been played: the state of every random generator is restored. The metrics file
    has one line per validation, and a step with a line is not validated again. A step ended by a signal is validated
    when training continues.

    Args:
        folder: folder of the trainer's checkpoints; the best weights are stored beside it.
        updates: number of updates per step.
    """

    trainer: Any = None

    def __init__(
        self, config: Config, phase: str, tokenizer: Any, log: MetricsLog, folder: Path, stopper: Stopper,
        updates: int = 1,
    ) -> None:  # fmt: skip
        self.config, self.phase, self.log, self.stopper = config, phase, log, stopper
        self.tokenizer = tokenizer
        self.every = config.method.validation.steps(phase) * updates
        if self.every and config.hardware.sharded:
            tell(f"{phase}: no validation, since no process holds all weights")
            self.every = 0
        self.best = Best(phase, folder.with_name(BEST))
        self._mark: Mark | None = None
        self._table = EnvPool(lambda: make_env(config.env.id, config.env.options, Split.VALIDATION))
        self._tasks: list[str] = []

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Load the best earlier result, and validate the current step if a signal prevented that."""
        if not self.every:
            return
        if state.is_world_process_zero:
            self._mark = self.best.begin(state.global_step)
        if state.global_step:
            self._validate(state)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if self.every and not self.stopper.stopped:
            self._validate(state)

    def _validate(self, state: Any) -> None:
        step = state.global_step
        if step % self.every and step < state.max_steps:
            return
        if state.is_world_process_zero and not self._done(step):
            with untouched():
                mark, invalid = self._play(step)
            figures = {"validation/score": mark.score, "validation/valid_calls": mark.valid_calls}
            self._tell(step, {**figures, "validation/invalid": invalid})
            if self._mark is None or mark.score > self._mark.score:
                self.best.keep(self._model(), self.tokenizer, mark)
                self._mark = mark
        # The training processes' own group may wait for hours, unlike the trainers'.
        here().gather(None)

    def _done(self, step: int) -> bool:
        return any(row["step"] == step and "validation/score" in row for row in self.log.rows(self.phase))

    def _play(self, step: int) -> tuple[Mark, float]:
        """Play all tasks, and return the result and the share of invalid episodes."""
        wanted, model = self.config.method.validation, self.config.model
        if not self._tasks:
            scenarios = Mixture.of(self.config.env.id, self.config.env.options).weights
            self._tasks = validation_tasks(wanted, scenarios, self.config.band)
        chat = ChatFormat(self.tokenizer, PromptStyle.parse(model.prompt))
        limits = Limits(model.turn_tokens, model.total_tokens, self.config.method.grpo.patience)
        rollouts = []
        sampler = self._sampler(chat.end)
        for start in range(0, len(self._tasks), wanted.at_once):
            rollouts += self._table.play(self._tasks[start : start + wanted.at_once], sampler, chat, limits)
        valid = [one for one in rollouts if one.end is not End.INVALID]
        if not valid:
            raise InfrastructureError("every episode of a validation broke; the log above says why")
        mark = Mark(step, sum(one.score or 0.0 for one in valid) / len(valid), _valid_calls(valid))
        return mark, 1 - len(valid) / len(rollouts)

    def _model(self) -> Any:
        return self.trainer.accelerator.unwrap_model(self.trainer.model)

    def _sampler(self, end: int) -> Sampler | Engine:
        """Return a greedy engine.

        It is the rollout engine if this is the only process, otherwise a sampler of the model.
        """
        if here().count > 1:
            return CachedSampler(self._model(), [end], temperature=0.0)
        hardware = self.config.hardware
        return engine_of(self.trainer, Draws(end, 0.0, 0), hardware.vllm_url if hardware.serves else None)

    def _tell(self, step: int, figures: dict[str, float]) -> None:
        """Write the metrics to the metrics file, to W&B and to stderr."""
        self.log.write(self.phase, step, figures)
        log_wandb({**figures, "train/global_step": step})
        shown = "score {validation/score:.3f}, valid calls {validation/valid_calls:.2f}".format(**figures)
        tell(f"{self.phase} {step}: validation {shown}")


def _valid_calls(rollouts: list[Rollout]) -> float:
    """Return the share of calls that did not fail, or 0 if there were no calls."""
    calls = failed = 0
    for one in rollouts:
        calls += sum(bool(message.get("tool_calls")) for message in one.messages)
        calls += one.errors.get(ErrorKind.MALFORMED, 0)  # which contains no call
        failed += sum(one.errors.values())
    return max(0, calls - failed) / max(1, calls)


@contextlib.contextmanager
def untouched() -> Iterator[None]:
    """Restore the state of all random generators at the end of the block."""
    states = random.getstate(), np.random.get_state()
    cards = range(torch.cuda.device_count()) if torch.cuda.is_available() else ()
    try:
        with torch.random.fork_rng(cards):
            yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])
