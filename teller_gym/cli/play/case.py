"""One episode worked by hand: what a model would see, and the grade once it has ended."""

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
    """The env's answer to an action."""

    observation: Mapping[str, str]
    error: Mapping[str, Any] | None
    """`{"kind", "message", "field"}`."""


class Case:
    """One episode under way.

    Args:
        env: closed by `close`.
        env_id, options: what it was made of.
        seed: draws the case where task_id names none.
        player: name of the agent in records.

    Attributes:
        task_id: the case that is worked.
        stage: 1: one answer, the graph; 2: calls of tools.
        opening: system and user message.
        tools: schemas of those in play, in OpenAI's format; none in stage 1.
        observation: the first one.
        history: actions and their answers.
        failure: our own failure that broke the episode off, if any.
    """

    def __init__(
        self, env: Env, env_id: str, options: Mapping[str, Any], seed: int, task_id: str | None, player: str
    ) -> None:
        self.env_id, self.seed = env_id, seed
        self._env = env
        self._core = contract_of(env)
        # A first reset finds out the task; the one that is played is that of any run with this task.
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
        """True if the episode has ended."""
        return self._play.over or self.failure is not None

    @property
    def max_steps(self) -> int:
        """Steps that the episode may take."""
        return int(self._core.max_steps)

    @property
    def out_of_steps(self) -> bool:
        """True if the step budget ended it."""
        return self.failure is None and "budget" in self._core.grade().errors if self.over else False

    def act(self, action: str) -> Answer:
        """Play one action."""
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
        """Return the present grade, as JSON values; None where there is none.

        That is so after a failure of ours, and in stage 1 before the answer.
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
        """Return the record of the episode, once it has ended, and how long it took in seconds."""
        return self._play.record(), self._play.times()

    def close(self) -> None:
        """Close the env."""
        self._env.close()


def open_case(env_id: str, options: Mapping[str, Any], seed: int, task_id: str | None, player: str) -> Case:
    """Begin a case; see `Case`."""
    env = make_env(env_id, options)
    try:
        return Case(env, env_id, options, seed, task_id, player)
    except BaseException:
        env.close()
        raise
