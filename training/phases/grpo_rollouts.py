"""Rollout function that plays episodes for GRPO.

A prompt has its task's id as an additional key of its only message; the trainer repeats each prompt for a
group, so all rollouts of a group play the same task. With a curriculum the prompt has its group's number instead, and
the task is chosen when the step begins.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any

from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.base.errors import InfrastructureError
from teller_gym.training.config.run import Config
from teller_gym.training.processes.group import here
from teller_gym.training.rollouts.engines import Draws, Engine
from teller_gym.training.rollouts.metrics import figures_of
from teller_gym.training.rollouts.rollout import End, EnvPool, Limits, Rollout, Spent, columns_of
from teller_gym.training.rollouts.step_groups import StepGroups
from teller_gym.training.rollouts.vllm_server import Server, engine_of
from teller_gym.training.run_folder.metrics_log import keep_rows
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import LeakGuard
from teller_gym.training.trainer_parts.curriculum_state import Course
from teller_gym.training.trainer_parts.dead_groups import group_figures, play_groups, spare_tasks, teaches


class Player:
    """The ``rollout_func`` for TRL, which plays the tasks of prompts or of a curriculum.

    It records metrics, and a transcript of one rollout per group.
    """

    def __init__(
        self, config: Config, tokenizer: Any, table: EnvPool, transcripts: Path, course: Course | None = None
    ) -> None:
        self.config = config
        self.chat = ChatFormat(tokenizer, PromptStyle.parse(config.model.prompt))
        self.limits = Limits(config.model.turn_tokens, config.model.total_tokens, config.method.grpo.patience)
        self.table = table
        self.transcripts = transcripts
        self.guard = LeakGuard()
        self.course = course
        self.left_out = frozenset({End.INVALID} | ({End.TOKENS} if config.loss.out_of_tokens == "left_out" else set()))
        """End reasons for which a rollout is left out of the loss."""
        self.played = StepGroups(config.method.grpo.group, range(0))
        """All groups of the current step, including replaced ones."""
        self.rollouts: list[Rollout] = []
        """This process's learned rollouts, in the order of the prompts."""
        self.everyones: list[Rollout] = []
        """Learned rollouts of all processes, without tokens, in the order of the groups."""
        self.common = 0
        """Length in tokens of the shortest prompt on any process, used as the prompt length of all rollouts."""
        self.dead = 0.0
        """Share of groups from which nothing can be learned."""
        self._spent: list[Spent] = []

    def __call__(self, prompts: list[list[dict[str, Any]]], trainer: Any) -> dict[str, list[Any]]:
        """Play one episode per prompt.

        Returns:
            The columns that `GRPOTrainer` expects from a rollout function, and the rewards.

        Raises:
            InfrastructureError: every episode was invalid, so that nothing can be learned.
            ElsewhereError: another process failed.
        """
        step, grpo, self._spent = self._step(trainer), self.config.method.grpo, []
        named = here().join_lists([prompt[-1]["task_id"] for prompt in prompts])
        chosen = self.course.choose(named) if self.course else named
        self.played = played = StepGroups(grpo.group, range(*self._own(len(prompts)).indices(len(named))))
        play_groups(
            played, chosen[:: grpo.group], grpo.groups_at_most, partial(self._play, trainer), partial(self._more, step),
            self._teaches,
        )  # fmt: skip
        if here().first:
            self._write(played.rollouts, step, set(range(len(played.places))) - set(played.kept))
        figures = self.course.learn(step, played.rollouts) if self.course else {}
        figures |= figures_of(played.rollouts, played.lengths, grpo.group, here().gather(sum(self._spent, Spent())))
        figures |= group_figures(played, self._teaches)
        self.rollouts, self.everyones = [played.own[row] for row in played.rows], played.learned
        self.dead = figures["groups/dead_after"]
        self.common = min(here().gather(min(len(rollout.prompt_ids) for rollout in self.rollouts)))
        # The shortest prompt's length counts as the prompt; the remainder of longer prompts is prepended to the
        # completion and masked. So no row is padded on the left, and attention needs no mask.
        return columns_of(self.rollouts, self.common) | {
            "figures": [figures] * len(prompts),
            "everyones": [played.rollouts] * len(prompts),
        }

    def _play(self, trainer: Any, tasks: dict[int, str]) -> None:
        """Play one round with a new engine, given the task at each place, and add its groups to the current step."""
        played, group, live = self.played, self.config.method.grpo.group, self.config.hardware.live_episodes
        engine = self._engine_of(trainer, len(self._spent))
        ids = [tasks[row // group] for row in played.rows_in([*tasks])]
        more = (engine, self.chat, self.limits, self.guard.check, live)
        rollouts = here().together(lambda: self.table.play(ids, *more))
        self._spent.append(self.table.spent)
        played.add([*tasks], rollouts)
        here().together(self._expect_one_that_counts)

    def _more(self, step: int, first: int, count: int) -> list[str]:
        """Return ``count`` replacement tasks for a step that has already used ``first`` of them."""
        if self.course:
            return self.course.more(count)
        return spare_tasks(self.config, Mixture.in_env(self.table.seats(1)[0]), step, first, count)

    def _teaches(self, group: Sequence[Rollout]) -> bool:
        return teaches(group, self.left_out, self.config.method.grpo.turn_discount)

    def _own(self, count: int) -> slice:
        """Return the range of this process's prompts among the prompts of all processes."""
        return slice(here().index * count, (here().index + 1) * count)

    def own(self, everyones: list[Any]) -> list[Any]:
        """Return this process's part of a list that has one value per rollout of all processes."""
        return everyones[self._own(len(self.rollouts))]

    def _expect_one_that_counts(self) -> None:
        if all(rollout.end is End.INVALID for rollout in self.played.rollouts):
            raise InfrastructureError("every episode of a training step broke; the log above says why")

    def _step(self, trainer: Any) -> int:
        """Return the index of the current step.

        The trainer counts updates, and a step may have several.
        """
        return int(trainer.state.global_step) // self.config.loss.updates

    def rewind(self, updates: int) -> None:
        """Delete the records of steps after ``updates`` updates, which will be repeated."""
        step = updates // self.config.loss.updates
        if here().first:
            keep_rows(self.transcripts, lambda row: row["step"] < step)
        if self.course:
            self.course.rewind(step)

    def expect_engine(self) -> None:
        """Check that the vLLM server, if one is used, responds before weights are sent to it."""
        if self.config.hardware.serves:
            here().led(Server(self.config.hardware.vllm_url).expect)

    def _engine_of(self, trainer: Any, number: int) -> Engine:
        """Return the engine for a round, given its index within the step."""
        hardware, temperature = self.config.hardware, self.config.method.grpo.temperature
        # One engine per round, seeded by step and round: a continued run draws the same as an uninterrupted one.
        apart = f"/{here().index}" if here().index else ""
        again = f"/round-{number}" if number else ""
        seed = random.Random(f"{self.config.seed}/{self._step(trainer)}{apart}{again}").getrandbits(32)
        draws = Draws(self.chat.end, temperature, seed)
        return engine_of(trainer, draws, hardware.vllm_url if hardware.serves else None)

    def _write(self, rollouts: list[Rollout], step: int, dropped: Set[int] = frozenset()) -> None:
        self.transcripts.parent.mkdir(parents=True, exist_ok=True)
        with self.transcripts.open("a", encoding="utf-8") as file:
            for number, rollout in enumerate(rollouts[:: self.config.method.grpo.group]):
                row = {
                    "step": step,
                    "task_id": rollout.task_id,
                    "end": rollout.end,
                    "score": rollout.score,
                    "terms": rollout.terms,
                    "errors": rollout.errors,
                    "messages": [message for message in rollout.messages if message["role"] != "system"],
                }
                if number in dropped:
                    row["dropped"] = True
                if rollout.defects:
                    row["defects"] = rollout.defects
                file.write(json.dumps(row) + "\n")
