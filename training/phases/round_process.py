"""Plays a round in a process of its own, so that on a GPU all memory of the playing model is free for learning."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from teller_gym.training.config.run import Config
from teller_gym.training.models.load import quiet
from teller_gym.training.phases.lessons import RoundFile
from teller_gym.training.phases.phase import RoundsMethod
from teller_gym.training.phases.round_data import Maker, pausing
from teller_gym.training.phases.student import Desk
from teller_gym.training.processes.isolate import apart


def make_apart(phase: RoundsMethod, config: Config, number: int, student: Path, file: RoundFile) -> None:
    """Call `Maker.make` in a fresh process. A signal ends it at once; complete batches are kept.

    Args:
        phase: the phase.
        config: the run.
        number: number of the round, from 1.
        student: checkpoint of the model that plays.
        file: file of the round, which was begun.

    Raises:
        PausedError: a signal came; complete batches are kept.
        LeakError: a task is in an evaluation split.
        InfrastructureError: every episode of a batch was invalid, or the process died.
    """
    name = f"{phase.name}: round {number}"
    died = (
        f"{name}: the process that played it died, perhaps for want of memory; its whole batches are kept, and the "
        "same command goes on from there"
    )
    with pausing(name) as pause:
        apart(_make, phase, config, number, student, file, died=died, look=partial(pause, "whole batches"))


def _make(phase: RoundsMethod, config: Config, number: int, student: Path, file: RoundFile) -> None:
    quiet()
    Maker(phase, config, Desk(config)).make(number, student, file)
