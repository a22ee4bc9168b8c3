"""Replay of stored actions, and recording of episodes played outside of a run."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teller_gym.envs.contract import AnyStage
from teller_gym.evaluation.records.episode import Episode
from teller_gym.evaluation.runs.parts import level_of, outcome_field
from teller_gym.evaluation.runs.play import BrokenError, Planned, Play
from teller_gym.evaluation.runs.players import Place
from teller_gym.evaluation.runs.tasks import Chosen, as_chosen
from teller_gym.stage1.task import GraphTask


class Author:
    """Placeholder agent for episodes whose actions come from elsewhere."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reset(self) -> None:
        """Do nothing, since the placeholder has no state."""

    def act(self, obs: Mapping[str, Any], info: Mapping[str, Any]) -> str:
        raise NotImplementedError(f"{self.name} is not asked for actions")


def chosen_of(core: AnyStage) -> Chosen:
    """Return an unwrapped env's current task in the form in which a run selects tasks."""
    task = core.task
    if isinstance(task, GraphTask):
        return Chosen(task.id, task.scenario, str(task.split))
    return as_chosen(task, outcome_field(core.scenario), level_of(core.scenario, core.distractors))


@dataclass(frozen=True, slots=True)
class Replayed:
    """Result of replaying stored actions.

    Attributes:
        episode: the new record, which is invalid if something failed.
        left_over: number of stored actions that remained when the episode ended.
        open: True if the episode was not over after the last action, so that its grade is preliminary.
    """

    episode: Episode
    left_over: int = 0
    open: bool = False


def replay(planned: Planned, place: Place, actions: Sequence[str], notes: Sequence[Mapping[str, Any]] = ()) -> Replayed:
    """Replay actions until they or the episode end.

    A failure is returned as an invalid record.

    Args:
        notes: information about the model for each turn of the record.
    """
    play = Play(planned, place, time.perf_counter)
    try:
        play.start()
        for number, action in enumerate(actions):
            if play.over:
                return Replayed(play.record(), left_over=len(actions) - number)
            play.apply(action, note=notes[number] if notes else None)
        return Replayed(play.record(), open=not play.over)
    except BrokenError as error:
        return Replayed(play.broken(error))
