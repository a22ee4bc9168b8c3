"""Episode played by hand, with a model's observations and the grade at the end."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from teller_gym.base.errors import OptionError
from teller_gym.envs.contract import contract_of
from teller_gym.evaluation.records.episode import Episode, Times
from teller_gym.evaluation.runs.parts import OWN, Env, Part, make_env
from teller_gym.evaluation.runs.play import BrokenError, Planned, Play
from teller_gym.evaluation.runs.players import Place
from teller_gym.evaluation.runs.stored_actions import Author, chosen_of


class Answer(NamedTuple):
    """Response of the env to an action."""

    observation: Mapping[str, str]
    error: Mapping[str, Any] | None
    """Error as `{"kind", "message", "field"}`, or None."""


class Case:
    """A running episode.

    Args:
        env: environment, which `close` closes.
        env_id, options: id and constructor options of the environment.
        seed: seed that selects the case if task_id is None.
        player: name of the agent in records.

    Attributes:
        task_id: id of the case.
        stage: 1 for graph reconstruction, 2 for tool calls.
        opening: system and user message.
        tools: schemas of the available tools in OpenAI's format; empty in stage 1.
        observation: the first observation.
        history: actions and their answers.
        failure: description of a system failure that ended the episode, if any.
    """

    def __init__(
        self, env: Env, env_id: str, options: Mapping[str, Any], seed: int, task_id: str | None, player: str
    ) -> None:
        self.env_id, self.seed = env_id, seed
        self._env = env
        self._core = contract_of(env)
        # The first reset determines the task; the second one, in `start`, is as in any run with this task.
        env.reset(seed=seed, options=None if task_id is None else {"task_id": task_id})
        task = chosen_of(self._core)
        self.task_id = task.id
        self.stage: int = getattr(self._core, "stage", 2)
        self.part = Part(env_id, task.scenario, self.stage, dict(options), OWN, (task,))
        self._play = Play(Planned(0, task, 0, seed), Place(env, Author(player)), time.perf_counter)
        try:
            self._play.start()
        except BrokenError as error:
            raise OptionError(f"env: {error}") from error
        self.opening = self._play.messages()
        self.tools = self._play.tools
        self.observation: Mapping[str, str] = self._play.obs
        self.history: list[tuple[str, Answer]] = []
        self.failure: str | None = None

    @property
    def over(self) -> bool:
        return self._play.over or self.failure is not None

    @property
    def max_steps(self) -> int:
        """Step limit of the episode."""
        return int(self._core.max_steps)

    @property
    def out_of_steps(self) -> bool:
        """True if the episode ended because the step limit was reached."""
        return self.failure is None and "budget" in self._core.grade().errors if self.over else False

    def act(self, action: str) -> Answer:
        """Play one action and return the env's response."""
        try:
            self._play.apply(action)
        except BrokenError as broken:
            self.failure = str(broken)
            answer = Answer({"state": "", "tool_result": ""}, None)
        else:
            error = self._play.info()["error"]
            answer = Answer(self._play.obs, None if error is None else dict(error))
        self.history.append((action, answer))
        return answer

    def grade(self) -> dict[str, Any] | None:
        """Return the current grade as JSON values.

        It is None after a system failure and, in stage 1, before the answer.
        """
        if self.failure is not None or (self.stage == 1 and not self.history):
            return None
        grade = self._core.grade()
        return {
            "score": grade.score,
            "success": grade.success,
            "reward_terms": dict(grade.terms),
            "checkpoints": [
                {"checkpoint": row.checkpoint, "passed": row.passed, "reason": row.reason} for row in grade.reasons
            ],
            "outputs": grade.outputs,
            "errors": {str(kind): count for kind, count in grade.errors.items()},
            "collateral": list(grade.collateral),
            "required_tools": list(grade.required_tools),
            "invoked_tools": list(grade.invoked_tools),
        }

    def record(self) -> tuple[Episode, Times]:
        """Return the record of the finished episode and its duration."""
        return self._play.record(), self._play.times()

    def close(self) -> None:
        self._env.close()


def open_case(env_id: str, options: Mapping[str, Any], seed: int, task_id: str | None, player: str) -> Case:
    """Create the env and start a case in it; see `Case`."""
    env = make_env(env_id, options)
    try:
        return Case(env, env_id, options, seed, task_id, player)
    except BaseException:
        env.close()
        raise
