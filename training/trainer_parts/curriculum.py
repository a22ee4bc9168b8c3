"""Curriculum that chooses harder GRPO tasks as the score rises, and few tasks whose groups have equal rewards.

A group with equal rewards teaches nothing: its task was far too easy or far too hard. So most tasks come from the
current band of difficulty. A harder band becomes current when the mean score is high enough, an easier one when it is
too low; bands whose recent groups had equal rewards are drawn less often; tasks whose groups had different rewards may
be replayed.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.training.config.grpo import CurriculumConfig

KEPT = 64
"""Number of latest tasks with different rewards that are remembered for replay."""

EQUAL = 1e-9
"""Maximum difference between equal rewards."""

DrawTask = Callable[[int, int], str]
"""Function that returns the id of a fresh task.

Its arguments are a band and a number that is never repeated.
"""


class Group(msgspec.Struct, frozen=True, array_like=True):
    """Result of one group: its mean reward, and True if its rewards differ."""

    score: float
    spread: bool


class Pick(msgspec.Struct, frozen=True, array_like=True):
    """A chosen task, its band, and True if it is a replay."""

    task_id: str
    band: int
    again: bool


class State(msgspec.Struct):
    """State of a curriculum, which is saved as JSON beside checkpoints.

    Attributes:
        level: the current band; 0 is the easiest.
        since: number of groups of fresh tasks from that band since it became current.
        picked: number of tasks chosen so far.
        fresh: number of fresh tasks so far.
        replayed: number of replays so far.
        recent: latest groups of fresh tasks by band, oldest first.
        kept: tasks whose groups had different rewards, oldest first.
        open: chosen tasks whose rewards have not been reported.
    """

    recent: list[list[Group]]
    level: int = 0
    since: int = 0
    picked: int = 0
    fresh: int = 0
    replayed: int = 0
    kept: list[Pick] = []
    open: list[Pick] = []


class Curriculum:
    """Chooses tasks for groups from ``bands`` difficulty bands.

    Equal seeds and rewards give equal tasks.
    """

    def __init__(self, config: CurriculumConfig, bands: int, draw: DrawTask, seed: int) -> None:
        self.config = config
        self._bands = bands
        self._draw = draw
        self._seed = seed
        self._state = State([[] for _ in range(bands)])
        self._done: list[tuple[Pick, Group]] = []

    @property
    def level(self) -> int:
        """The current band, from which most tasks come; 0 is the easiest."""
        return self._state.level

    def next_tasks(self, count: int) -> list[str]:
        """Return the ids of different tasks for a step's groups.

        Earlier tasks without reported rewards are discarded.
        """
        self._state.open = []
        self._done = []
        return self.more_tasks(count)

    def more_tasks(self, count: int) -> list[str]:
        """Return the ids of further tasks for the same step, different from its earlier ones."""
        picks = [self._pick() for _ in range(count)]
        self._state.open += picks
        return [pick.task_id for pick in picks]

    def update(self, task_id: str, rewards: Sequence[float | None]) -> None:
        """Record the rewards of a task's group.

        Rewards of invalid episodes are None; a group with fewer than two others is ignored.

        Raises:
            OptionError: the task was not chosen for this step, or its rewards were already reported.
        """
        state = self._state
        pick = next((pick for pick in state.open if pick.task_id == task_id), None)
        if pick is None:
            raise OptionError(f"curriculum: expected one of {[one.task_id for one in state.open]}, got {task_id!r}")
        state.open.remove(pick)
        valid = [reward for reward in rewards if reward is not None]
        if len(valid) < 2:
            return
        group = Group(sum(valid) / len(valid), max(valid) - min(valid) > EQUAL)
        self._done.append((pick, group))
        if group.spread:
            state.kept = [*state.kept, pick][-KEPT:]
        # Replayed tasks were chosen for their spread, so they do not represent their band.
        if not pick.again:
            state.recent[pick.band] = [*state.recent[pick.band], group][-self.config.window :]
            if pick.band == state.level:
                self._move()

    def weights(self) -> list[float]:
        """Return the relative frequency of fresh tasks for each band."""
        level, config = self._state.level, self.config
        shares = [config.easier / level if band < level else 0.0 for band in range(self._bands)]
        above = level + 1 < self._bands
        if above:
            shares[level + 1] = config.harder
        shares[level] = 1.0 - (config.easier if level else 0.0) - (config.harder if above else 0.0)
        return [share * max(config.least, self._promise(band)) for band, share in enumerate(shares)]

    def figures(self) -> dict[str, float]:
        """Return metrics of the groups recorded since the last call of `next_tasks`."""
        groups = [group for _, group in self._done]
        recent = self._state.recent[self._state.level]
        figures = {
            "curriculum/level": float(self._state.level),
            "curriculum/no_spread": sum(not group.spread for group in groups) / max(1, len(groups)),
            "curriculum/replayed": float(sum(pick.again for pick, _ in self._done)),
        }
        if recent:
            figures["curriculum/score"] = sum(group.score for group in recent) / len(recent)
        for band in range(self._bands):
            figures[f"curriculum/band_{band}"] = float(sum(pick.band == band for pick, _ in self._done))
        return figures

    def save(self) -> State:
        """Return a copy of the state."""
        return msgspec.json.decode(msgspec.json.encode(self._state), type=State)

    def restore(self, state: State | None) -> None:
        """Restore a state returned by `save`, or the initial state if it is None."""
        state = State([[] for _ in range(self._bands)]) if state is None else state
        if len(state.recent) != self._bands:
            raise OptionError(f"curriculum: expected a state with {self._bands} bands, got {len(state.recent)}")
        self._state = msgspec.json.decode(msgspec.json.encode(state), type=State)
        self._done = []

    def _pick(self) -> Pick:
        state = self._state
        draw = random.Random(f"curriculum/{self._seed}/{state.picked}").random
        state.picked += 1
        if state.kept and state.replayed + 1 <= self.config.replay * state.picked:
            state.replayed += 1
            kept = state.kept.pop(int(draw() * len(state.kept)))
            return Pick(kept.task_id, kept.band, True)
        ends = list(accumulate(self.weights()))
        # min, because the product may be rounded up to the last bound.
        band = min(bisect_right(ends, draw() * ends[-1]), self._bands - 1)
        state.fresh += 1
        return Pick(self._draw(band, state.fresh - 1), band, False)

    def _promise(self, band: int) -> float:
        """Return the share of a band's recent groups with different rewards.

        One additional such group is counted, so that the share is never 0.
        """
        recent = self._state.recent[band]
        return (sum(group.spread for group in recent) + 1) / (len(recent) + 1)

    def _move(self) -> None:
        """Change the current band if the mean score of a full window of its groups requires it."""
        state, config = self._state, self.config
        state.since += 1
        if state.since < config.window:
            return
        recent = state.recent[state.level]
        mean = sum(group.score for group in recent) / len(recent)
        step = 1 if mean >= config.raise_at else -1 if mean <= config.lower_at else 0
        level = min(max(state.level + step, 0), self._bands - 1)
        if level != state.level:
            state.level, state.since = level, 0
