"""Fast evaluation of many agents on one task, which share the standard calls up to their first other call."""

from __future__ import annotations

from typing import Any

import msgspec

from teller_gym.envs.episode.bank import BankEpisode, BankSettings
from teller_gym.grading.score import RewardConfig
from teller_gym.procedure.lapses import Expert
from teller_gym.procedure.officer import Steps
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Task
from teller_gym.tools.run import action_text

SETTINGS = BankSettings(
    reward=RewardConfig(), max_steps=None, sop="abstract", distractors=0, progress=False, diagnose=False
)
"""Default env settings without progress reports."""

Result = dict[str, Any]

_decode = msgspec.json.Decoder(Result).decode


class Trunk:
    """Standard calls of a task, played once; other episodes fork from a shared prefix.

    If ``max_steps`` is None, the limit is the env's, which depends on the scenario's frozen instances.
    """

    def __init__(self, task: Task, max_steps: int | None = None) -> None:
        self.task = task
        self.policy = load_scenario(task.scenario).policy_of(task)
        self._actions = [action_text(call) for call in task.standard.calls]
        self._results: list[Result] = []
        self._forks: list[BankEpisode] = []
        settings = SETTINGS if max_steps is None else msgspec.structs.replace(SETTINGS, max_steps=max_steps)
        episode = BankEpisode(task, settings)
        for action in self._actions:
            self._forks.append(episode.fork())
            self._results.append(_result(episode.act(action).result))
        self.end = episode

    def expert(self) -> Steps:
        """Start the scenario's expert on the task."""
        return load_scenario(self.task.scenario).expert(self.task.request, self.policy)

    def known(self) -> dict[str, Result]:
        """Return the results of the standard calls by call text."""
        return dict(zip(self._actions, self._results, strict=True))

    def play(self, expert: Expert) -> BankEpisode:
        """Play an expert until the episode ends or the expert stops, and return the episode."""
        return self.follow(expert(self.task.request, self.policy))

    def follow(self, steps: Steps) -> BankEpisode:
        """Play steps and return the resulting episode.

        Stored results are used for the prefix of standard calls.
        """
        place = 0
        try:
            call = next(steps)
            while place < len(self._actions) and action_text(call) == self._actions[place]:
                place += 1
                call = steps.send(self._results[place - 1])
        except StopIteration:
            return self.end if place == len(self._actions) else self._forks[place].fork()
        if place == len(self._actions):
            return self.end
        episode = self._forks[place].fork()
        try:
            while not episode.over:
                call = steps.send(_result(episode.act(action_text(call)).result))
        except StopIteration:
            pass
        return episode


def _result(text: str) -> Result:
    return _decode(text) if text else {}
