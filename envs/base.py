"""What the envs whose episodes are made of calls share: Gymnasium's interface and the members of the contract."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import gymnasium as gym
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from teller_gym.base.errors import ErrorInfo, OptionError
from teller_gym.base.text import one_of, shown
from teller_gym.envs.episode import Info, Step
from teller_gym.envs.resetting import read_seed
from teller_gym.envs.spaces import FreeText, ToolCallText
from teller_gym.envs.spec import plain_spec
from teller_gym.grading.grader import Grade
from teller_gym.grading.reasons import CheckpointResult
from teller_gym.tools.tool import ToolSet

Observation = dict[str, str]


class Terms(Protocol):
    """A score with its terms."""

    def terms(self) -> dict[str, float]:
        """Return the terms by name."""


class Running(Protocol):
    """An episode under way, of whatever kind of task."""

    over: bool
    failure: str | None
    settings: Any
    """Those of its env; two envs with the same ``reward`` may exchange snapshots."""

    @property
    def tools(self) -> ToolSet:
        """The tools in play."""

    def act(self, action: str) -> Step:
        """Run one action, which is then to be paid for."""

    def pay(self) -> tuple[float, Terms]:
        """Return what the step just made earned, and the score with its terms."""

    def opening(self) -> str:
        """Return the first observation's ``state``."""

    def info(self, error: ErrorInfo | None, terms: dict[str, float]) -> Info:
        """Return the information after a step."""

    def begun(self) -> Info:
        """Return the information before the first step."""

    def rendered(self) -> str:
        """Return the episode as a person would read it."""

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far."""

    def grade(self) -> Grade:
        """Return the whole grade so far."""

    def state_hash(self) -> str:
        """Return a fingerprint of what the episode has changed."""

    def fork(self, settings: Any = None) -> Self:
        """Return an independent copy, with the settings of the env in which it goes on if they are others."""


EpisodeT = TypeVar("EpisodeT", bound=Running)


class CallEnv(gym.Env[Observation, str], Generic[EpisodeT]):
    """An env whose episodes are made of calls; see the classes that derive from it."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}  # type: ignore[misc]
    stage: ClassVar[int] = 2
    _settings: Any

    def _set_up(self, render_mode: str | None) -> None:
        """Take what every such env has; ``tools`` must be there before the first episode."""
        one_of("render_mode", render_mode, (None, "ansi"))
        self._spec: EnvSpec | None = None
        self._episode: EpisodeT | None = None
        self.render_mode = render_mode
        texts: dict[str, gym.Space[Any]] = {"state": FreeText(), "tool_result": FreeText()}
        self.observation_space = spaces.Dict(texts)  # type: ignore[assignment]

    def _take_tools(self) -> None:
        self.action_space = ToolCallText(self.tools)

    @property
    @abstractmethod
    def tools(self) -> ToolSet:
        """The tools in play."""

    @abstractmethod
    def begin(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> EpisodeT:
        """Start an episode as :meth:`reset` does, and return it."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode; see :meth:`begin`."""
        episode = self.begin(seed=seed, options=options)
        return {"state": episode.opening(), "tool_result": ""}, episode.begun()

    def _seed(self, seed: int | None) -> None:
        super().reset(seed=read_seed(seed))

    def step(self, action: str) -> tuple[Observation, float, bool, bool, Info]:
        """Run one action; never raises on what an agent wrote.

        Raises:
            gymnasium.error.ResetNeeded: the episode is over, or none was started.
        """
        episode = self._episode or self.episode
        step = episode.act(action)
        observation = {"state": step.account, "tool_result": step.result}
        reward, standing = episode.pay()
        return observation, reward, step.terminated, step.truncated, episode.info(step.error, standing.terms())

    def render(self) -> str | None:
        """Return the episode as a person would read it (``render_mode="ansi"``)."""
        episode = self._episode
        return None if self.render_mode is None or episode is None else episode.rendered()

    @property
    def spec(self) -> EnvSpec | None:
        """The spec that the env was made from; its options are plain values."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = plain_spec(spec)

    @property
    def episode(self) -> EpisodeT:
        """The episode; raises ``ResetNeeded`` before the first reset."""
        if self._episode is None:
            raise gym.error.ResetNeeded("there is no task yet: call reset() first")
        return self._episode

    @property
    def failure(self) -> str | None:
        """What broke, if a fault of ours cut the episode off."""
        return None if self._episode is None else self._episode.failure

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools in play in OpenAI's function format."""
        return self.tools.schemas()

    def messages(self) -> list[dict[str, Any]]:
        """Return the chat so far; see :func:`~teller_gym.envs.chat.chat_messages`."""
        return self.episode.messages()

    def grade(self) -> Grade:
        """Return the whole grade of the episode so far; raises ``ResetNeeded`` before the first reset."""
        return self.episode.grade()

    def diagnosis(self) -> tuple[CheckpointResult, ...]:
        """Return every checkpoint with the reason why it is passed or not, then what outcome and penalties come to."""
        grade = self.grade()
        return (*grade.reasons, *grade.terms_explained)

    def snapshot(self) -> EpisodeT:
        """Return the episode as it stands, in microseconds; raises ``ResetNeeded`` before the first reset.

        It is opaque, good for any number of restores, and fits every env of the same scenario and reward.
        """
        return self.episode.fork()

    def restore(self, snapshot: EpisodeT) -> None:
        """Go back to a snapshot of this or another env of the same scenario and reward.

        Raises:
            OptionError: the snapshot is of an env with another reward, by which its score so far was worked out.
        """
        expect_reward(self._settings.reward, snapshot.settings.reward)
        self._episode = snapshot.fork(self._settings)

    def state_hash(self) -> str:
        """Return a fingerprint of all that the episode has changed in the bank; see :meth:`grade`."""
        return self.episode.state_hash()


def expect_reward(expected: object, got: object) -> None:
    """Check that a snapshot is of an env with the same reward, by which its score so far was worked out.

    Raises:
        OptionError: it is of another.
    """
    if got != expected:
        raise OptionError(f"snapshot: expected one of an env with the reward {expected}, got {got}")


def expect_diagnose(diagnose: object) -> None:
    """Check the option ``diagnose``; raises ``OptionError``."""
    if not isinstance(diagnose, bool):
        raise OptionError(f"diagnose: expected True or False, got {shown(diagnose)}")


def expect_max_steps(max_steps: object) -> None:
    """Check the option ``max_steps``; raises ``OptionError``."""
    if max_steps is not None and (type(max_steps) is not int or max_steps < 1):
        raise OptionError(f"max_steps: expected None or a whole number of 1 or more, got {shown(max_steps)}")
