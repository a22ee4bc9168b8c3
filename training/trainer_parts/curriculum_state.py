"""Curriculum of a training run.

It divides scenarios into difficulty bands, and stores its state in a file from which an interrupted run continues
identically.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.files import append_line
from teller_gym.tasks.difficulty import bands, generated_in_range
from teller_gym.training.config.run import Config
from teller_gym.training.rollouts.rollout import Rollout
from teller_gym.training.run_folder.metrics_log import keep_rows, read_rows
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import GRPO_SEEDS, GRPO_SEEDS_A_RUN
from teller_gym.training.trainer_parts.curriculum import Curriculum, DrawTask, State


class Course:
    """Gets the tasks for each step from a curriculum, and reports their rewards to it.

    Its JSON Lines file has one line per step: the tasks, their scores, and the curriculum's state after the step.
    """

    def __init__(self, curriculum: Curriculum, path: Path) -> None:
        self._curriculum = curriculum
        self.path = path
        self.writes = True
        """True in the single process that writes the file; all processes have the same state."""

    def choose(self, slots: Sequence[Any]) -> list[str]:
        """Return a task id for each of a step's rollouts.

        Equal slots belong to the same group and get the same task.
        """
        groups = list(dict.fromkeys(slots))
        chosen = dict(zip(groups, self._curriculum.next_tasks(len(groups)), strict=True))
        return [chosen[slot] for slot in slots]

    def more(self, count: int) -> list[str]:
        """Return the ids of ``count`` further tasks for the same step."""
        return self._curriculum.more_tasks(count)

    def learn(self, step: int, rollouts: Sequence[Rollout]) -> dict[str, float]:
        """Report the rewards of a step's tasks to the curriculum, write the step's line, and return the metrics."""
        scores: dict[str, list[float | None]] = {}
        rewards: dict[str, list[float | None]] = {}
        for rollout in rollouts:
            scores.setdefault(rollout.task_id, []).append(rollout.score)
            # A group's spread is that of its rewards, not of its scores.
            rewards.setdefault(rollout.task_id, []).append(rollout.reward)
        for task_id, found in rewards.items():
            self._curriculum.update(task_id, found)
        row = {"step": step, "scores": scores, "state": msgspec.to_builtins(self._curriculum.save())}
        if self.writes:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            append_line(self.path, json.dumps(row).encode() + b"\n")
        return self._curriculum.figures()

    def rewind(self, step: int) -> None:
        """Restore the state before a step that will be played again.

        Raises:
            OptionError: the file lacks the state after the previous step; the message names what to remove.
        """
        if self.writes:
            keep_rows(self.path, lambda row: row["step"] < step)
        state = next((row.get("state") for row in read_rows(self.path) if row["step"] == step - 1), None)
        try:
            self._curriculum.restore(msgspec.convert(state, State) if step else None)
        except (msgspec.ValidationError, OptionError) as error:
            raise OptionError(
                f"{self.path} has no line of step {step - 1} that the curriculum can go on from ({error}); remove "
                f"{self.path.parent} to begin GRPO again"
            ) from error


def drawer(mixture: Mixture, count: int, first_seed: int) -> DrawTask:
    """Return a function that draws fresh tasks by difficulty band.

    Bands are relative to the scenario. Each of the ``count`` bands has about the same share of generated tasks, and
    seeds count up from ``first_seed``.

    Raises:
        OptionError: a scenario's tasks cannot be divided into that many bands.
    """
    ranges = {scenario: bands(scenario, count) for scenario in mixture.weights}

    def draw(band: int, number: int) -> str:
        scenario = mixture.scenario(first_seed + number)
        return generated_in_range(scenario, first_seed + number, *ranges[scenario][band]).id

    return draw


def open_course(config: Config, mixture: Mixture, path: Path) -> Course | None:
    """Return the configured curriculum, or None if there is none; see `drawer` for errors."""
    wanted = config.method.grpo.curriculum
    if wanted is None:
        return None
    draw = drawer(mixture, wanted.bands, GRPO_SEEDS + GRPO_SEEDS_A_RUN * config.seed)
    return Course(Curriculum(wanted, wanted.bands, draw, config.seed), path)
