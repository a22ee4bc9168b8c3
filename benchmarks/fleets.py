"""Many episodes that the expert plays side by side in the package's own vector env, for measuring its steps."""

import time
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

Actions = Mapping[str, Sequence[str]]
"""The expert's actions by task id."""


class Fleet:
    """Every task in turn; the steps are counted, the resets are not, as with a single env."""

    def __init__(self, env_id: str, actions: Actions, count: int) -> None:
        self._actions = actions
        self._next = cycle(actions)
        self._tasks = [next(self._next) for _ in range(count)]
        self._done = [0] * count
        self.env: Any = gym.make_vec(env_id, count, vectorization_mode="vector_entry_point", autoreset_mode="Disabled")
        self.env.reset(options={"task_id": self._tasks})

    def step(self) -> tuple[int, float]:
        """Step all once; returns how many that were, and the seconds it took.

        Raises:
            RuntimeError: the expert's calls did not earn the full score, so that something else would be measured.
        """
        actions = [self._actions[task][done] for task, done in zip(self._tasks, self._done, strict=True)]
        start = time.perf_counter()
        _, _, terminated, _, infos = self.env.step(actions)
        seconds = time.perf_counter() - start
        self._done = [done + 1 for done in self._done]
        if terminated.any():
            require_full(infos["score"][terminated])
            for number in np.flatnonzero(terminated).tolist():
                self._tasks[number], self._done[number] = next(self._next), 0
            self.env.reset(options={"task_id": self._tasks, "reset_mask": terminated})
        return len(actions), seconds

    def step_anew(self) -> tuple[int, float]:
        """The same, as if no call had ever been sent before."""
        self.env.unwrapped._known.forget()
        return self.step()


class RollingFleet:
    """Tasks as the env draws them, with its autoreset: all that a training loop waits for is counted.

    Args:
        env_id, actions, count: as in :class:`Fleet`.
        mode: ``NextStep`` or ``SameStep``.
    """

    def __init__(self, env_id: str, actions: Actions, count: int, mode: str) -> None:
        self._actions = actions
        self._mode = mode
        self.env: Any = gym.make_vec(env_id, count, vectorization_mode="vector_entry_point", autoreset_mode=mode)
        _, infos = self.env.reset(seed=0)
        self._tasks: list[str] = infos["task_id"].tolist()
        self._done = [0] * count
        self._ended: list[bool] = [False] * count

    def step(self) -> tuple[int, float]:
        """Step all once; returns how many that were, and the seconds it took.

        Raises:
            RuntimeError: the expert's calls did not earn the full score, so that something else would be measured.
        """
        waits = self._ended if self._mode == "NextStep" else [False] * len(self._tasks)
        places = zip(self._tasks, self._done, waits, strict=True)
        actions = ["" if wait else self._actions[task][done] for task, done, wait in places]
        start = time.perf_counter()
        _, _, terminated, _, infos = self.env.step(actions)
        seconds = time.perf_counter() - start
        if terminated.any():
            require_full((infos if self._mode == "NextStep" else infos["final_info"])["score"][terminated])
        self._tasks, self._ended = infos["task_id"].tolist(), terminated.tolist()
        self._done = infos["step"].tolist()
        return len(actions), seconds


def require_full(scores: npt.NDArray[Any]) -> None:
    """Raise a ``RuntimeError`` unless all are 1."""
    if (scores != 1.0).any():
        raise RuntimeError(f"the expert's calls scored {scores}, expected 1.0 at the end")
