"""Tasks and actions outside of a run's plan: what an env plays just now, and actions that were stored before."""

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
    """Stands for who writes the actions where no agent is asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reset(self) -> None:
        """Forget nothing: there is nothing to remember."""

    def act(self, obs: Mapping[str, Any], info: Mapping[str, Any]) -> str:
        """Raise: the actions come from elsewhere."""
        raise NotImplementedError(f"{self.name} is not asked for actions")


def chosen_of(core: AnyStage) -> Chosen:
    """Return the task that an env plays just now, as a run knows it.

    Args:
        core: the env, unwrapped, after a reset.
    """
    task = core.task
    if isinstance(task, GraphTask):
        return Chosen(task.id, task.scenario, str(task.split))
    return as_chosen(task, outcome_field(core.scenario), level_of(core.scenario, core.distractors))


@dataclass(frozen=True, slots=True)
class Replayed:
    """The result of playing stored actions.

    Attributes:
        episode: the record; invalid where something broke.
        left_over: actions for which the episode was over already.
        open: True if it was not over after the last one; its grade is then the one so far.
    """

    episode: Episode
    left_over: int = 0
    open: bool = False


def replay(planned: Planned, place: Place, actions: Sequence[str], notes: Sequence[Mapping[str, Any]] = ()) -> Replayed:
    """Play stored actions until they or the episode end; failures are part of the return value.

    Args:
        notes: of each turn, what the record says of the model.
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
