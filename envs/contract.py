"""The contract for agents, trainers and adapters: the members that an env of either stage adds to Gymnasium's.

An env of any class with these members conforms. Use :func:`contract_of` to get them from a Gymnasium env, wrapped or
not, or :func:`execution_of` and :func:`reconstruction_of` if the stage is known::

    env = gym.make("Teller-Loans-v0")
    env.reset(seed=7)
    core = execution_of(env)
    saved = core.snapshot()
    env.step(action)
    core.restore(saved)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias, TypeVar, cast

import gymnasium as gym

from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult
from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Task
from teller_gym.stage1.task import GraphTask
from teller_gym.tools.tool import ToolSet

if TYPE_CHECKING:
    from teller_gym.envs.episode.bank import BankEpisode
    from teller_gym.envs.episode.graph import GraphEpisode

TaskT_co = TypeVar("TaskT_co", covariant=True)
SnapshotT = TypeVar("SnapshotT")


class EnvContract(Protocol[TaskT_co, SnapshotT]):
    """An unwrapped env, generic in the types of its tasks and snapshots.

    Members that describe an episode raise ``gymnasium.error.ResetNeeded`` before the first reset; ``stage``,
    ``scenario``, ``distractors``, ``max_steps`` and ``failure`` are always available.

    Attributes:
        stage: 1 for the reconstruction of a procedure's graph, 2 for its execution.
    """

    stage: ClassVar[int]

    @property
    def scenario(self) -> Scenario:
        """The scenario of the episode."""

    @property
    def task(self) -> TaskT_co:
        """The task of the episode, identified by its ``id``."""

    @property
    def tools(self) -> ToolSet:
        """The available tools, by the names and in the order that agents see."""

    @property
    def distractors(self) -> int:
        """Number of available tools that belong to no procedure, according to the env's options."""

    @property
    def max_steps(self) -> int:
        """Maximum number of steps of an episode."""

    @property
    def failure(self) -> str | None:
        """Fault of our code or the machine that ended the episode, which must then not be scored; otherwise None."""

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the available tools in OpenAI's function format."""

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far: system, user, assistant, tool."""

    def grade(self) -> Grade:
        """Grade the episode so far."""

    def diagnosis(self) -> tuple[CheckpointResult, ...]:
        """Return every checkpoint with the reason why it passed or failed."""

    def snapshot(self) -> SnapshotT:
        """Return an opaque copy of the episode that can be pickled and restored any number of times."""

    def restore(self, snapshot: SnapshotT, /) -> None:
        """Continue from a snapshot of this or another env of the same scenario and reward."""

    def state_hash(self) -> str:
        """Return a fingerprint of all changes by the episode."""


Execution: TypeAlias = "EnvContract[Task, BankEpisode]"
"""An env of stage 2."""

Reconstruction: TypeAlias = "EnvContract[GraphTask, GraphEpisode]"
"""An env of stage 1."""

AnyStage: TypeAlias = "Execution | Reconstruction"


def contract_of(env: gym.Env[Any, Any]) -> AnyStage:
    """Return the unwrapped env of either stage, typed by the contract."""
    return cast("AnyStage", env.unwrapped)


def execution_of(env: gym.Env[Any, Any]) -> Execution:
    """Return the unwrapped stage 2 env, typed by the contract."""
    return cast("Execution", env.unwrapped)


def reconstruction_of(env: gym.Env[Any, Any]) -> Reconstruction:
    """Return the unwrapped stage 1 env, typed by the contract."""
    return cast("Reconstruction", env.unwrapped)
