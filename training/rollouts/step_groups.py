"""What processes tell each other of the rollouts that each of them has played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from teller_gym.training.processes.group import here
from teller_gym.training.rollouts.rollout import Rollout


def for_all(rollouts: Sequence[Rollout], group: int, rows: Sequence[int]) -> list[Rollout]:
    """Return the rollouts of one process without their tokens, for scores, credit and transcripts of all.

    Args:
        rollouts: in the order of the prompts.
        group: rollouts of a group; only the first of each keeps its messages, which its transcript shows.
        rows: number of each rollout among those of all processes.
    """
    return [
        replace(one, prompt_ids=[], ids=[], mask=[], logprobs=[], messages=[] if row % group else one.messages)
        for row, one in zip(rows, rollouts, strict=True)
    ]


@dataclass
class Played:
    """The groups of a step, in the order in which they were played; of two in the same place the later one counts.

    A step learns from so many rollouts, which have numbers, the rows; each process has some of them. A group has the
    rows of its place, that many after each other, and processes may share it.

    Attributes:
        group: rollouts of a group.
        rows: those of this process.
        places: of each group.
        rollouts: of all processes, group after group, without their tokens.
        lengths: tokens of each, prompt included.
        own: the rollouts by which this process's rows are learned, by row.
    """

    group: int
    rows: range
    places: list[int] = field(default_factory=list)
    rollouts: list[Rollout] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    own: dict[int, Rollout] = field(default_factory=dict)

    def rows_in(self, places: Sequence[int]) -> list[int]:
        """Return those of this process's rows that lie in some places."""
        every = (row for place in places for row in range(place * self.group, (place + 1) * self.group))
        return [row for row in every if row in self.rows]

    def add(self, places: Sequence[int], rollouts: Sequence[Rollout]) -> None:
        """Add groups that were played; all processes must call it.

        Args:
            places: rising, the same on every process.
            rollouts: of this process, in the order of its rows in those places.
        """
        rows, processes = self.rows_in(places), here()
        self.own |= dict(zip(rows, rollouts, strict=True))
        # Rows rise from process to process, so that joined lists have group after group.
        self.rollouts += processes.join_lists(for_all(rollouts, self.group, rows))
        self.lengths += processes.join_lists([len(one.context) for one in rollouts])
        self.places += places

    @property
    def groups(self) -> list[list[Rollout]]:
        """The rollouts of each group."""
        return [self.rollouts[start : start + self.group] for start in range(0, len(self.rollouts), self.group)]

    @property
    def kept(self) -> list[int]:
        """For each place, the number of the group that is learned from."""
        last = {place: number for number, place in enumerate(self.places)}
        return [last[place] for place in sorted(last)]

    @property
    def learned(self) -> list[Rollout]:
        """The rollouts of all processes that are learned from, in the order of the rows, without their tokens."""
        groups = self.groups
        return [one for number in self.kept for one in groups[number]]
