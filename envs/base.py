"""The base class of all envs: Gymnasium's interface and the members of the contract."""

from __future__ import annotations

import copy
from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import gymnasium as gym
import msgspec
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from teller_gym.base.errors import OptionError
from teller_gym.base.text import one_of
from teller_gym.envs.episode.base import Episode, Info
from teller_gym.envs.options import expect_options, read_seed
from teller_gym.envs.spaces.text import FreeText, ToolCallText
from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult
from teller_gym.tools.tool import ToolSet

Observation = dict[str, str]
EpisodeT = TypeVar("EpisodeT", bound=Episode)


class EpisodeEnv(gym.Env[Observation, str], Generic[EpisodeT]):
    """Base class of envs, which play one episode at a time."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}  # type: ignore[misc]
    stage: ClassVar[int] = 2
    example: ClassVar[str] = "loans-0001"
    """Example of a task id, for messages."""
    _settings: Any

    def _set_up(self, settings: Any, render_mode: str | None) -> None:
        """Initialise the attributes that every env has; the last step of a constructor."""
        one_of("render_mode", render_mode, (None, "ansi"))
        self._settings = settings
        self._spec: EnvSpec | None = None
        self._episode: EpisodeT | None = None
        self.render_mode = render_mode
        texts: dict[str, gym.Space[Any]] = {"state": FreeText(), "tool_result": FreeText()}
        self.observation_space = spaces.Dict(texts)  # type: ignore[assignment]
        self.action_space = self._actions()

    def _actions(self) -> gym.Space[str]:
        """Create the action space; requires the settings."""
        return ToolCallText(self.tools)

    @abstractmethod
    def named(self, options: dict[str, Any]) -> EpisodeT:
        """Start an episode of the task that the options of a reset name; raises ``OptionError``."""

    @abstractmethod
    def drawn(self, bits: int) -> EpisodeT:
        """Start an episode of the task that random bits select."""

    @property
    @abstractmethod
    def tools(self) -> ToolSet:
        """The available tools."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode.

        Args:
            seed: seeds the env's generator, which draws the task.
            options: ``{"task_id": …}`` selects a frozen or a generated task.

        Raises:
            OptionError: an option or task id is unknown.
        """
        expect_options(options, f"{{'task_id': '{self.example}'}}")
        super().reset(seed=read_seed(seed))
        # Raw bits, because NumPy guarantees a stable stream only for them.
        episode = self.named(options) if options else self.drawn(int(self.np_random.bit_generator.random_raw()))
        self._episode = episode
        return {"state": episode.opening(), "tool_result": ""}, episode.begun()

    def step(self, action: str) -> tuple[Observation, float, bool, bool, Info]:
        """Run one action; no text of an agent makes it raise.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over, or none was started.
        """
        episode = self._episode or self.episode
        step = episode.act(action)
        observation = {"state": step.account, "tool_result": step.result}
        reward, standing = episode.pay()
        return observation, reward, step.terminated, step.truncated, episode.info(step.error, standing.terms())

    def render(self) -> str | None:
        """Return the episode as text for people (``render_mode="ansi"``)."""
        episode = self._episode
        return None if self.render_mode is None or episode is None else episode.rendered()

    @property
    def spec(self) -> EnvSpec | None:
        """The spec from which the env was made; its options are plain values."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = _plain(spec)

    @property
    def episode(self) -> EpisodeT:
        """The current episode; raises ``ResetNeeded`` before the first reset."""
        if self._episode is None:
            raise gym.error.ResetNeeded("there is no task yet: call reset() first")
        return self._episode

    @property
    def task(self) -> Any:
        """The task of the episode; raises ``ResetNeeded`` before the first reset."""
        return self.episode.task

    @property
    def distractors(self) -> int:
        """Number of available tools that belong to no procedure, unless tools are chosen one by one."""
        return int(self._settings.distractors)

    @property
    def failure(self) -> str | None:
        """The fault of our code or the machine that ended the episode, or None."""
        return None if self._episode is None else self._episode.failure

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the available tools in OpenAI's function format."""
        return self.tools.schemas()

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far; see :func:`~teller_gym.envs.chat.chat_messages`."""
        return self.episode.messages()

    def grade(self) -> Grade:
        """Grade the episode so far; raises ``ResetNeeded`` before the first reset."""
        return self.episode.grade()

    def diagnosis(self) -> tuple[CheckpointResult, ...]:
        """Return every checkpoint with the reason why it passed or failed, then outcome and penalties."""
        grade = self.grade()
        return (*grade.reasons, *grade.terms_explained)

    def snapshot(self) -> EpisodeT:
        """Copy the episode, in microseconds; raises ``ResetNeeded`` before the first reset.

        The opaque copy can be restored any number of times, in every env of the same scenario and reward.
        """
        return self.episode.fork()

    def restore(self, snapshot: EpisodeT) -> None:
        """Continue from a snapshot of this or another env of the same scenario and reward.

        Raises:
            OptionError: the snapshot comes from an env with another reward, on which its score depends.
        """
        expected, got = self._settings.reward, snapshot.settings.reward
        if got != expected:
            raise OptionError(f"snapshot: expected one of an env with the reward {expected}, got {got}")
        self._episode = snapshot.fork(self._settings)

    def state_hash(self) -> str:
        """Return a fingerprint of all changes by the episode; raises ``ResetNeeded`` before the first reset."""
        return self.episode.state_hash()


def _plain(spec: EnvSpec | None) -> EnvSpec | None:
    """Return a spec with plain values as options, which can be saved as JSON and makes the same env again."""
    if spec is None:
        return None
    plain = copy.copy(spec)
    plain.kwargs = {
        name: msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value
        for name, value in spec.kwargs.items()
    }
    return plain
