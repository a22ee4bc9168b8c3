"""The rollout function that GRPO plays episodes with.

A prompt carries the id of its task as a further key of its only message; the trainer repeats each prompt for a group,
so all rollouts of a group work the same task. With a curriculum a prompt carries the number of its group instead, and
the task is chosen when the step begins.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.base.errors import InfrastructureError
from teller_gym.training.columns import columns_of
from teller_gym.training.config import Config
from teller_gym.training.course import Course
from teller_gym.training.engine_choice import engine_of
from teller_gym.training.engines import Draws, Engine
from teller_gym.training.figures import Work, figures_of
from teller_gym.training.processes import here
from teller_gym.training.rollout import End, Limits, Rollout, Table
from teller_gym.training.rounds import for_all
from teller_gym.training.runlog import keep_rows
from teller_gym.training.tasks import LeakGuard
from teller_gym.training.vllm_server import Server


class Player:
    """The ``rollout_func``: plays the tasks that prompts name or a course chooses, and records metrics and transcripts.

    Args:
        config: the run.
        tokenizer: with the chat template that the model is trained with.
        table: environments.
        transcripts: JSON Lines file for one rollout of each group.
        guard: against tasks of the evaluation splits.
        course: chooses the tasks, if prompts do not name them.
    """

    def __init__(
        self, config: Config, tokenizer: Any, table: Table, transcripts: Path, guard: LeakGuard | None = None,
        course: Course | None = None,
    ) -> None:  # fmt: skip
        self.config = config
        self.chat = ChatFormat(tokenizer, PromptStyle.parse(config.model.prompt))
        self.limits = Limits(config.model.turn_tokens, config.model.total_tokens, config.method.grpo.patience)
        self.table = table
        self.transcripts = transcripts
        self.guard = guard or LeakGuard()
        self.course = course
        self.rollouts: list[Rollout] = []
        """Those played last, in the order of the prompts."""
        self.everyones: list[Rollout] = []
        """Those of all processes, without tokens, in the order of the groups."""
        self.common = 0
        """Tokens that the prompts of those have in common."""

    def __call__(self, prompts: list[list[dict[str, Any]]], trainer: Any) -> dict[str, list[Any]]:
        """Play one episode a prompt; return what `GRPOTrainer` asks of a rollout function, and the rewards.

        Raises:
            InfrastructureError: if every episode broke, since then nothing can be learned.
            ElsewhereError: another process failed.
        """
        processes, step = here(), self._step(trainer)
        named = processes.join_lists([prompt[-1]["task_id"] for prompt in prompts])
        chosen = self.course.choose(named) if self.course else named
        task_ids = chosen[self._own(len(prompts))]
        engine, live = self._engine_of(trainer), self.config.hardware.live_episodes
        rollouts = processes.together(
            lambda: self.table.play(task_ids, engine, self.chat, self.limits, self.guard.check, live)
        )
        group = self.config.method.grpo.group
        self.everyones = processes.join_lists(for_all(rollouts, group, self._own(len(prompts)).start))
        processes.together(self._expect_one_that_counts)
        if processes.first:
            self._write(self.everyones, step)
        figures = self.course.learn(step, self.everyones) if self.course else {}
        lengths = processes.join_lists([len(one.context) for one in rollouts])
        works = processes.gather(Work(self.table.spent, engine.reads))
        figures |= figures_of(self.everyones, lengths, group, works)
        # What all prompts of the step have in length counts as the prompt; the rest stands, masked, before the model's
        # first turn. So no row is padded on the left, and attention needs no mask.
        common = min(processes.gather(min(len(rollout.prompt_ids) for rollout in rollouts)))
        self.rollouts, self.common = rollouts, common
        return columns_of(rollouts, common) | {
            "figures": [figures] * len(rollouts),
            "everyones": [self.everyones] * len(rollouts),
        }

    def _own(self, count: int) -> slice:
        """Where this process's prompts, so many as each process has, stand among those of all."""
        return slice(here().index * count, (here().index + 1) * count)

    def own(self, everyones: list[Any]) -> list[Any]:
        """Return the part of a list with a value a rollout of all processes that belongs to `rollouts`."""
        return everyones[self._own(len(self.rollouts))]

    def _expect_one_that_counts(self) -> None:
        if all(rollout.end is End.INVALID for rollout in self.everyones):
            raise InfrastructureError("every episode of a training step broke; the log above says why")

    def _step(self, trainer: Any) -> int:
        """The step that is played, from 0; the trainer counts updates, of which a step may have several."""
        return int(trainer.state.global_step) // self.config.loss.updates

    def rewind(self, updates: int) -> None:
        """Drop what was kept of the steps after so many updates, which will be played again."""
        step = updates // self.config.loss.updates
        if here().first:
            keep_rows(self.transcripts, lambda row: row["step"] < step)
        if self.course:
            self.course.rewind(step)

    def expect_engine(self) -> None:
        """See that vLLM's server, if one generates, answers: before weights are pushed to it.

        Raises:
            InfrastructureError: it does not.
        """
        if self.config.hardware.serves:
            here().led(Server(self.config.hardware.vllm_url).expect)

    def _engine_of(self, trainer: Any) -> Engine:
        hardware, temperature = self.config.hardware, self.config.method.grpo.temperature
        # An engine a step, seeded by the step: a run that continues draws what it would have drawn without the cut.
        apart = f"/{here().index}" if here().index else ""
        seed = random.Random(f"{self.config.seed}/{self._step(trainer)}{apart}").getrandbits(32)
        return engine_of(
            trainer, Draws(self.chat.end, temperature, seed), hardware.vllm_url if hardware.serves else None
        )

    def _write(self, rollouts: list[Rollout], step: int) -> None:
        self.transcripts.parent.mkdir(parents=True, exist_ok=True)
        with self.transcripts.open("a", encoding="utf-8") as file:
            for rollout in rollouts[:: self.config.method.grpo.group]:
                row = {
                    "step": step,
                    "task_id": rollout.task_id,
                    "end": rollout.end,
                    "score": rollout.score,
                    "terms": rollout.terms,
                    "errors": rollout.errors,
                    "messages": [message for message in rollout.messages if message["role"] != "system"],
                }
                if rollout.defects:
                    row["defects"] = rollout.defects
                file.write(json.dumps(row) + "\n")
