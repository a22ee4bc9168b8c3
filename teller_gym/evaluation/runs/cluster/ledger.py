"""Bookkeeping of a plan's episodes, without a cluster: those that wait, those at each worker, and those done."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.records.run_folder import EpisodeKey

LOSSES = 3
"""So many workers may die with an episode; then it is given up."""


class Ledger:
    """Every episode of the plan is in one place: waiting, at a worker, or done (played or given up).

    An episode may bring down any worker that plays it. The episodes beside it should not be given up as well, so one
    that has a single loss left goes to a worker that has nothing else.
    """

    def __init__(self, plan: Sequence[Planned]) -> None:
        self._waiting = deque(plan)
        self._suspect: deque[Planned] = deque()
        self._out: dict[int, dict[EpisodeKey, Planned]] = {}
        self._losses: dict[EpisodeKey, int] = {}
        self._left = len(plan)

    @property
    def finished(self) -> bool:
        """True if every episode is done."""
        return self._left == 0

    @property
    def left(self) -> int:
        """The number of episodes that are not done."""
        return self._left

    def out(self, worker: int) -> int:
        """Return the number of episodes at a worker."""
        return len(self._out.get(worker, ()))

    def take(self, worker: int, window: int, may_start: Callable[[], bool]) -> list[Planned]:
        """Give a worker episodes, so that it has at most `window` (1 or more) of them; return those to send it.

        Args:
            may_start: asked before each.
        """
        held = self._out.setdefault(worker, {})
        if any(self._losses.get(key, 0) == LOSSES - 1 for key in held):
            return []
        taken = []
        if self._suspect and not held:
            if may_start():
                taken.append(self._suspect.popleft())
        else:
            while self._waiting and len(held) + len(taken) < window and may_start():
                taken.append(self._waiting.popleft())
        held.update((key_of(planned), planned) for planned in taken)
        return taken

    def done(self, worker: int, key: EpisodeKey) -> bool:
        """Note that a worker has played an episode; return False if it was not, or no longer, to play this one."""
        if self._out.get(worker, {}).pop(key, None) is None:
            return False
        self._left -= 1
        return True

    def lost(self, worker: int) -> list[Planned]:
        """Take back what a dead worker had, to go out first; return the episodes that are given up."""
        given_up, again = [], []
        for key, planned in self._out.pop(worker, {}).items():
            self._losses[key] = self._losses.get(key, 0) + 1
            if self._losses[key] >= LOSSES:
                self._left -= 1
                given_up.append(planned)
            elif self._losses[key] == LOSSES - 1:
                self._suspect.append(planned)
            else:
                again.append(planned)
        self._waiting.extendleft(reversed(again))
        return given_up


def key_of(planned: Planned) -> EpisodeKey:
    """Return the identity of a planned episode within a run, which equals `episodes.key` of its record."""
    return planned.task.id, planned.trial
