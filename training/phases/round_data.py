"""Generates the data of a round on the first process: batches of the student's tasks, then expert episodes."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from teller_gym.agents.chat import PromptStyle
from teller_gym.base.errors import InfrastructureError, OptionError, PausedError
from teller_gym.base.orderly import ends_itself
from teller_gym.envs.contract import execution_of
from teller_gym.training.config.rounds import RoundsConfig
from teller_gym.training.config.run import Config
from teller_gym.training.demonstrations.batches import encode
from teller_gym.training.demonstrations.expert import expert_factory, play_expert
from teller_gym.training.models.load import load_model, quiet
from teller_gym.training.phases.lessons import EXPERT, STUDENT, Lesson, RoundFile, Row, learned_tokens, row_of
from teller_gym.training.phases.student import Desk, Student
from teller_gym.training.processes.isolate import apart, give_back
from teller_gym.training.rollouts.rollout import End
from teller_gym.training.run_folder.metrics_log import finish_wandb
from teller_gym.training.run_folder.progress import tell
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import make_env, round_seeds

Pause = Callable[[str], None]
"""Function called where work may stop, with a description of the saved work.

It raises PausedError after a signal.
"""


class Method(Protocol):
    """Method that plays a round and chooses its lessons, created from its settings and a `Desk`.

    Attributes:
        name: name of the phase and of its settings.
        seed_blocks: blocks of task seeds for the student and for the expert, which no other method uses; see
            `teller_gym.training.tasks.seeds.round_seeds`.
        settings: settings of the phase.
        together: number of tasks that are played at once.
        control: True if only the expert's episodes are learned, with as many tokens.
    """

    name: str
    seed_blocks: tuple[int, int]
    settings: RoundsConfig
    together: int
    control: bool

    def play(self, student: Student, task_ids: Sequence[str], seed: int) -> list[Row]:
        """Play tasks, and return a row with its lessons for each task."""

    def figures(self, rows: Sequence[Row]) -> dict[str, float]:
        """Return the method's metrics for a round."""


class Maker:
    """Plays the rounds of a phase and writes their files; ``kind`` is the class of the phase's method."""

    def __init__(self, kind: Any, config: Config) -> None:
        self.desk = Desk(config)
        self.phase = str(kind.name)
        self.method: Method = kind(getattr(config.method, self.phase), self.desk)
        self._student_seeds, self._expert_seeds = self.method.seed_blocks
        self._config, self._settings = config, self.method.settings

    def make(self, number: int, student: Path, file: RoundFile) -> None:
        """Play the rest of a round and finish its file.

        Args:
            number: number of the round, from 1.
            student: the student's checkpoint.
            file: the round's file, which `RoundFile.begin` has started.

        Raises:
            PausedError: a signal came; finished batches are kept.
            LeakError: a task is in an evaluation split.
            InfrastructureError: every episode of a batch was invalid.
        """
        rows = file.resume(self._whole)
        with pausing(f"{self.phase}: round {number}") as pause:
            if sum(row["source"] == STUDENT for row in rows) < self._settings.tasks:
                self._play_student(number, student, file, rows, pause)
            self._play_expert(number, student, file, rows, pause)
        file.finish()

    def _whole(self, rows: list[Row]) -> int:
        """Return the number of rows to keep; an incomplete batch is replayed as a whole."""
        played = sum(row["source"] == STUDENT for row in rows)
        return len(rows) if played == self._settings.tasks else played // self.method.together * self.method.together

    def _play_student(self, number: int, folder: Path, file: RoundFile, rows: list[Row], pause: Pause) -> None:
        config = self._config
        mixture, band = Mixture.of(config.env.id, config.env.options), config.band
        seeds = round_seeds(self._student_seeds, config.seed, number)[: self._settings.tasks]
        student = Student.load(folder, config)
        for begin in range(len(rows), len(seeds), self.method.together):
            part = seeds[begin : begin + self.method.together]
            pause(f"{len(rows)} of {len(seeds)} tasks")
            # Seeded by the batch: a continued run draws the same as an uninterrupted one.
            seed = random.Random(f"{config.seed}/{self.phase}/{number}/{len(rows)}").getrandbits(32)
            played = self.method.play(student, [mixture.generated(band, one) for one in part], seed)
            if all(one["end"] == End.INVALID for row in played for one in row["episodes"]):
                raise InfrastructureError("every episode of a batch broke; the log above says why")
            _add(file, rows, played)
            tell(f"{self.phase}: round {number}, {len(rows)}/{len(seeds)} tasks played")
        del student
        give_back()

    def _play_expert(self, number: int, folder: Path, file: RoundFile, rows: list[Row], pause: Pause) -> None:
        """Add expert episodes until their tokens reach their share, or the total number if ``control`` is true."""
        students, found = learned_tokens(rows, STUDENT), learned_tokens(rows, EXPERT)
        wanted = students / (1 - self._settings.expert_share) - (0 if self.method.control else students)
        if found >= wanted:
            return
        config = self._config
        _, tokenizer = load_model(folder, config)
        env = make_env(config.env.id, config.env.options, "generated")
        expert, style = expert_factory(config.method.sft.working)(env), PromptStyle.parse(config.model.prompt)
        mixture, band = Mixture.in_env(env), config.band
        for seed in round_seeds(self._expert_seeds, config.seed, number)[len(rows) - self._settings.tasks :]:
            pause(f"all tasks and {found} tokens of the expert")
            trajectory = play_expert(env, expert, mixture.generated(band, seed), self.desk.guard)
            lesson = Lesson.of(encode(trajectory, tokenizer, style))
            _add(file, rows, [row_of(execution_of(env).task, EXPERT, [], [lesson])])
            found += lesson.tokens
            if found >= wanted:
                env.close()
                return
        raise OptionError(
            f"method.{self.phase}: all expert episodes that a round has seeds for have {found} tokens, and "
            f"{wanted:.0f} are wanted; set fewer tasks or a smaller expert_share"
        )


def _add(file: RoundFile, rows: list[Row], more: Sequence[Row]) -> None:
    numbered = [{"step": len(rows) + at, **row} for at, row in enumerate(more)]
    file.append(numbered)
    rows += numbered


def make_apart(kind: Any, config: Config, number: int, student: Path, file: RoundFile) -> None:
    """Call `Maker.make` in a separate process, whose GPU memory is freed afterwards.

    A signal ends the process immediately; complete batches are kept. Raises the errors of `Maker.make`, or
    InfrastructureError if the process dies.
    """
    name = f"{kind.name}: round {number}"
    died = (
        f"{name}: the process that played it died, perhaps for want of memory; its whole batches are kept, and the "
        "same command goes on from there"
    )
    with pausing(name) as pause:
        apart(_make, kind, config, number, student, file, died=died, look=partial(pause, "whole batches"))


def _make(kind: Any, config: Config, number: int, student: Path, file: RoundFile) -> None:
    quiet()
    Maker(kind, config).make(number, student, file)


@contextmanager
def pausing(name: str) -> Iterator[Pause]:
    """Return a context in which work can stop after a signal.

    The error message begins with ``name``.
    """
    with ends_itself() as wish:

        def pause(kept: str) -> None:
            if wish.number is not None:
                finish_wandb()
                by = signal.Signals(wish.number).name
                raise PausedError(f"{name}: stopped by {by}; {kept} are kept; the same command continues")

        yield pause
