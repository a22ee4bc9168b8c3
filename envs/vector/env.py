"""Many episodes in one process: Gymnasium's ``SyncVectorEnv`` of :class:`TellerEnv`, at a lower cost per step."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from teller_gym.base.errors import OptionError
from teller_gym.base.text import as_text, shown
from teller_gym.envs.bank import BankEnv
from teller_gym.envs.episode import Episode, Info
from teller_gym.envs.known import KnownCalls
from teller_gym.envs.spec import plain_spec
from teller_gym.envs.teller import TellerEnv
from teller_gym.envs.vector.columns import Columns, Flags, Floats
from teller_gym.envs.vector.reset import read_mask, read_options, read_seeds

Observations = dict[str, tuple[str, ...]]

MOST_ENVS = 1_000_000
"""No memory holds more; a number that was meant otherwise would fill it before anything is said."""


class TellerVectorEnv(VectorEnv[Observations, Sequence[str], npt.NDArray[Any]]):
    """Step ``num_envs`` episodes at once: ``gym.make_vec(id, num_envs, vectorization_mode="vector_entry_point")``.

    Observations, rewards, flags and infos equal those of Gymnasium's ``SyncVectorEnv`` for the same seeds, options and
    actions. ``infos["checkpoints"]`` and ``infos["reward_terms"]`` hold one array per name.

    Args:
        num_envs: number of envs.
        autoreset_mode: ``NextStep``, ``SameStep`` or ``Disabled``, or Gymnasium's ``AutoresetMode``.
        options: as for :class:`TellerEnv`, shared by all envs.

    Attributes:
        envs: one :class:`TellerEnv` per episode, for access to a single one. They share everything that never changes,
            including their action space.

    Raises:
        OptionError: an unknown value; the message names what is allowed.
    """

    single_env: ClassVar[type[TellerEnv]] = TellerEnv

    def __init__(
        self, num_envs: int = 1, autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP, **options: Any
    ) -> None:
        if "max_episode_steps" in options:
            wanted = options["max_episode_steps"]
            raise OptionError(
                f"max_episode_steps: expected none in the package's own vector env, got {shown(wanted)}; say "
                f"max_steps={shown(wanted)}, which ends an episode when its budget is spent, in every env"
            )
        if type(num_envs) is not int or not 1 <= num_envs <= MOST_ENVS:
            raise OptionError(f"num_envs: expected a whole number from 1 to {MOST_ENVS}, got {shown(num_envs)}")
        try:
            self.autoreset_mode = AutoresetMode(_mode(autoreset_mode))
        except ValueError:
            allowed = ", ".join(mode.value for mode in AutoresetMode)
            raise OptionError(f"autoreset_mode: expected one of {allowed}, got {shown(autoreset_mode)}") from None
        self._spec: EnvSpec | None = None
        first = self.single_env(**options)
        self.num_envs = num_envs
        self.envs = [first, *(copy.copy(first) for _ in range(num_envs - 1))]
        self.render_mode = first.render_mode
        self.metadata = {**first.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = first.action_space
        self.action_space = batch_space(first.action_space, num_envs)
        self.single_observation_space = first.observation_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self._ended: Flags = np.zeros(num_envs, dtype=np.bool_)
        self._columns = Columns(num_envs, first.reward_config)
        self._known = KnownCalls()

    # -- Gymnasium's interface ----------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Info]:
        """Start an episode in every env, or in those selected by a mask.

        Args:
            seed: the first env's seed, from which the others count up; or one per env.
            options: ``task_id``: one task for all, or a sequence with one per env; ``reset_mask``: array of booleans,
                which envs to reset.

        Raises:
            OptionError: an unknown option or task id, or not one per env.
            TypeError, ValueError: a mask or seeds that do not fit, as ``SyncVectorEnv`` raises them.
        """
        seeds = read_seeds(seed, self.num_envs)
        mask = read_mask(options, self.num_envs)
        choices = read_options(options, self.num_envs)
        started = range(self.num_envs) if mask is None else np.flatnonzero(mask).tolist()
        self._start(started, seeds, choices)
        columns = self._columns
        return columns.observations(), columns.infos() if mask is None else columns.infos_of(mask)

    def step(self, actions: Sequence[str]) -> tuple[Observations, npt.NDArray[np.float64], Flags, Flags, Info]:
        """Run one action in each env; never raises on what an agent wrote.

        An env whose episode ended with the last step starts the next one instead, unless the caller resets
        (``Disabled``) or the reset came with that step (``SameStep``).

        Raises:
            gymnasium.error.ResetNeeded: an episode is over and only the caller can start the next, or none was started.
            OptionError: not one action per env.
        """
        given: object = actions
        if not isinstance(given, Sequence | np.ndarray) or isinstance(given, str | bytes):
            raise OptionError(f"actions: expected a list of {self.num_envs} texts, got {shown(given)}")
        if len(actions) != self.num_envs:
            raise OptionError(f"actions: expected {self.num_envs}, one for each env, got {len(actions)}")
        waiting = self._waiting()
        episodes, columns = self.episodes, self._columns
        rewards, terminated, truncated = self._act(episodes, actions, waiting)
        if waiting:
            self._start(waiting)
        self._ended = terminated | truncated
        infos = self._follow_up() if self.autoreset_mode is AutoresetMode.SAME_STEP else {}
        infos |= columns.infos()
        return columns.observations(), rewards, terminated, truncated, infos

    @property
    def spec(self) -> EnvSpec | None:
        """The spec that the env was made from; its options are plain values."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        self._spec = plain_spec(spec)

    def render(self) -> tuple[Any, ...]:
        """Return each case as a person would read it (``render_mode="ansi"``)."""
        return tuple(env.render() for env in self.envs)

    # -- what agents, trainers and reports use besides ----------------------------------------------------------------

    @property
    def episodes(self) -> list[Episode]:
        """The episodes, with ``messages()``, ``tool_schemas()``, ``task`` and so on; raises ``ResetNeeded`` early."""
        return [env.episode for env in self.envs]

    @property  # type: ignore[misc]  # as in SyncVectorEnv
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]
        """The generators that draw the tasks, one for each env."""
        return self.get_attr("np_random")

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]
        """The seeds of the generators."""
        return self.get_attr("np_random_seed")

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each single env, or get an attribute of each."""
        found = [env.get_wrapper_attr(name) for env in self.envs]
        return tuple(item(*args, **kwargs) if callable(item) else item for item in found)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of each single env."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of each single env; a list or tuple has one value per env, anything else applies to all.

        Raises:
            ValueError: not one value per env.
        """
        each = list(values) if isinstance(values, list | tuple) else [values] * self.num_envs
        if len(each) != self.num_envs:
            raise ValueError(f"values: expected {self.num_envs}, one for each env, got {len(each)}")
        for env, value in zip(self.envs, each, strict=True):
            env.set_wrapper_attr(name, value)

    def close_extras(self, **kwargs: Any) -> None:
        """Close the single envs, and forget the calls that were known."""
        self._known.forget()
        for env in self.envs:
            env.close()

    # -- inside -------------------------------------------------------------------------------------------------------

    def _waiting(self) -> list[int]:
        """Return the envs that start an episode instead of acting."""
        ended: list[int] = np.flatnonzero(self._ended).tolist()
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            return ended
        if self.autoreset_mode is AutoresetMode.DISABLED and ended:
            raise gym.error.ResetNeeded(
                f"the episodes of the envs {ended} are over: "
                "call reset(options={'reset_mask': terminated | truncated}) first"
            )
        return []

    def _act(self, episodes: list[Episode], actions: Sequence[str], waiting: list[int]) -> tuple[Floats, Flags, Flags]:
        """Act in each env that does not wait; return rewards and whether episodes were terminated and truncated."""
        resting = set(waiting)
        # In the order of their texts, calls of one tool on one case follow one another: its code and documents then are
        # in the processor's caches. The episodes know nothing of each other, so that the order shows nowhere.
        numbers = [number for number in range(self.num_envs) if number not in resting]
        numbers.sort(key=list(map(as_text, actions)).__getitem__)
        # Lists in this order: each is then read from its beginning to its end.
        acting = [episodes[number] for number in numbers]
        given = [actions[number] for number in numbers]
        reads = [self._known.read(episode, action) for episode, action in zip(acting, given, strict=True)]
        outcomes = [episode.run(read) for episode, read in zip(acting, reads, strict=True)]
        return self._columns.settle(numbers, acting, given, reads, outcomes)

    def _start(
        self,
        numbers: Sequence[int],
        seeds: Sequence[int | None] | None = None,
        options: Sequence[dict[str, Any] | None] | None = None,
    ) -> None:
        """Start the next episode of some envs; seeds and options, if any, are those of all envs."""
        nothing = [None] * self.num_envs
        seeds, options = seeds or nothing, options or nothing
        episodes: list[Episode] = []
        try:
            for number in numbers:
                episodes.append(self.envs[number].begin(seed=seeds[number], options=options[number]))
        finally:  # an option may be refused; the envs before it have started
            started = numbers[: len(episodes)]
            self._columns.start(started, episodes)
            self._ended[started] = False

    def _follow_up(self) -> Info:
        """Start the next episode where one has ended; return how those ended."""
        finals = self._columns.finals(self._ended)
        if finals:
            self._start(np.flatnonzero(self._ended).tolist())
        return finals


def _mode(given: object) -> object:
    """Return an autoreset mode as given; None, which is no mode, for what may not even be compared."""
    return given if isinstance(given, str | AutoresetMode) else None


class BankVectorEnv(TellerVectorEnv):
    """The same for cases of several scenarios; the options are those of :class:`BankEnv`."""

    single_env = BankEnv
