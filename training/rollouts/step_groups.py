"""Groups of a training step, shared by all processes that played their rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from teller_gym.training.processes.group import here
from teller_gym.training.rollouts.rollout import Rollout


@dataclass
class StepGroups:
    """Groups of a training step in playing order.

    Of two groups in the same place, the later one counts. The rollouts that a step learns from are numbered as rows,
    and each process has some of them. A group has the consecutive rows of its place, and processes may share it.

    Attributes:
        group: number of rollouts in a group.
        rows: rows of this process.
        places: place of each group.
        rollouts: rollouts of all processes, group after group, without their tokens.
        lengths: tokens of each rollout, including the prompt.
        own: the learned rollouts of this process, by row.
    """

    group: int
    rows: range
    places: list[int] = field(default_factory=list)
    rollouts: list[Rollout] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    own: dict[int, Rollout] = field(default_factory=dict)

    def rows_in(self, places: Sequence[int]) -> list[int]:
        """Return the rows of the groups at the given places that belong to this process."""
        every = (row for place in places for row in range(place * self.group, (place + 1) * self.group))
        return [row for row in every if row in self.rows]

    def add(self, places: Sequence[int], rollouts: Sequence[Rollout]) -> None:
        """Add played groups; all processes must call it.

        Args:
            places: places of the groups in ascending order, the same on every process.
            rollouts: this process's rollouts, in the order of `rows_in`.
        """
        rows, processes = self.rows_in(places), here()
        self.own |= dict(zip(rows, rollouts, strict=True))
        # For scores, credit and transcripts; only the first of a group needs its messages, for the transcript.
        light = [
            replace(one, prompt_ids=[], ids=[], mask=[], logprobs=[], messages=[] if row % self.group else one.messages)
            for row, one in zip(rows, rollouts, strict=True)
        ]
        # Rows ascend from process to process, so that joined lists are in the order of groups.
        self.rollouts += processes.join_lists(light)
        self.lengths += processes.join_lists([len(one.context) for one in rollouts])
        self.places += places

    @property
    def groups(self) -> list[list[Rollout]]:
        return [self.rollouts[start : start + self.group] for start in range(0, len(self.rollouts), self.group)]

    @property
    def kept(self) -> list[int]:
        """Index in `groups` of the learned group at each place."""
        last = {place: number for number, place in enumerate(self.places)}
        return [last[place] for place in sorted(last)]

    @property
    def learned(self) -> list[Rollout]:
        """Learned rollouts of all processes, in row order and without their tokens."""
        groups = self.groups
        return [one for number in self.kept for one in groups[number]]
