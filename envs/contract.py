"""The contract for agents, trainers and adapters: the members that an env of either stage adds to Gymnasium's.

Any env that has them conforms, of any class. From a Gymnasium env, wrapped or not, get them with
:func:`contract_of`, or with :func:`execution_of` and :func:`reconstruction_of` where the stage is known::

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
    """An env, unwrapped, of tasks of one type with snapshots of another.

    Members that describe an episode raise ``gymnasium.error.ResetNeeded`` while there is none; ``stage``, ``scenario``,
    ``distractors``, ``max_steps`` and ``failure`` are always available.

    Attributes:
        stage: 1 for the reconstruction of a procedure's graph, 2 for its execution.
    """

    stage: ClassVar[int]

    @property
    def scenario(self) -> Scenario:
        """The scenario of the episode."""

    @property
    def task(self) -> TaskT_co:
        """The task of the episode; its ``id`` names it."""

    @property
    def tools(self) -> ToolSet:
        """The tools in play, by the names shown and in the order shown."""

    @property
    def distractors(self) -> int:
        """Number of tools that belong to no procedure and that the env's options put into play."""

    @property
    def max_steps(self) -> int:
        """Steps that an episode may take."""

    @property
    def failure(self) -> str | None:
        """Fault of ours that cut the episode off, which then must not be scored; None if there was none."""

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools that can be called, in OpenAI's function format."""

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far: system, user, assistant, tool."""

    def grade(self) -> Grade:
        """Return the whole grade of the episode."""

    def diagnosis(self) -> tuple[CheckpointResult, ...]:
        """Return every checkpoint with the reason why it is passed or not."""

    def snapshot(self) -> SnapshotT:
        """Return a copy of the episode: opaque, good for any number of restores, and can be pickled."""

    def restore(self, snapshot: SnapshotT, /) -> None:
        """Go back to a snapshot of this or another env of the same scenario and reward."""

    def state_hash(self) -> str:
        """Return a fingerprint of what the episode has changed."""


Execution: TypeAlias = "EnvContract[Task, BankEpisode]"
"""An env of stage 2."""

Reconstruction: TypeAlias = "EnvContract[GraphTask, GraphEpisode]"
"""An env of stage 1."""

AnyStage: TypeAlias = "Execution | Reconstruction"


def contract_of(env: gym.Env[Any, Any]) -> AnyStage:
    """Return the contract members of an env of either stage, through all its wrappers."""
    return cast("AnyStage", env.unwrapped)


def execution_of(env: gym.Env[Any, Any]) -> Execution:
    """Return the contract members of a stage 2 env; see :func:`contract_of`."""
    return cast("Execution", env.unwrapped)


def reconstruction_of(env: gym.Env[Any, Any]) -> Reconstruction:
    """Return the contract members of a stage 1 env; see :func:`contract_of`."""
    return cast("Reconstruction", env.unwrapped)
