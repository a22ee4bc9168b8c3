"""Groups that branch: the first rollout of a group is a trunk, and the others go on from one of its turns.

The environment is brought back to its snapshot before that turn, and the tokens until there are the trunk's. So the
group compares what follows from the same state. What came before is the same in all its rollouts: their scores say
nothing of it, and it is left out of the loss, in the trunk too, where it would be learned by the noise of what follows.

The turn is drawn evenly from all of the trunk's but the last; with the first one, all begin at the start. A trunk that
ends soon after a turn has fewer turns to draw from, so it branches there more often than a long one: as a sample of
what follows from a state, a trunk is a little shorter than its branches.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import gymnasium as gym

from teller_gym.envs.contract import contract_of
from teller_gym.training.processes.group import here
from teller_gym.training.rollouts.rollout import Begin, End, GoingOn, Rollout


@dataclass(frozen=True)
class Point:
    """Where an episode stands before a turn.

    Attributes:
        rollout: what was played until there.
        snapshot: of the environment.
    """

    rollout: Rollout
    snapshot: Any

    def enter(self, env: gym.Env[Any, Any]) -> Rollout:
        """Bring an environment, reset to the same task, to this point; return a rollout that goes on from it."""
        contract_of(env).restore(self.snapshot)
        return copied(self.rollout)


def copied(rollout: Rollout) -> Rollout:
    """Return a copy that can go on by itself, of an episode that has not ended; its tokens so far are not learned."""
    found = replace(
        rollout, ids=list(rollout.ids), mask=list(rollout.mask), logprobs=list(rollout.logprobs),
        terms=dict(rollout.terms), errors=dict(rollout.errors), defects=list(rollout.defects),
        spans=list(rollout.spans),
    )  # fmt: skip
    leave_out(found, len(found.ids))
    return found


def leave_out(rollout: Rollout, tokens: int) -> None:
    """Keep so many tokens after the prompt out of the loss, as if they were the environment's."""
    rollout.mask[:tokens] = [0] * tokens
    rollout.logprobs[:tokens] = [0.0] * tokens


class Points:
    """Keeps for each trunk the point before one of its turns while it is played, drawn evenly from all but the last.

    How many turns there will be is not known: each takes the place of the one before it by chance, as reservoirs are
    sampled, so that a trunk holds two snapshots at most. Before the first turn there is no point to keep.

    Args:
        seed: of the draws; each depends on it, the task and the turn alone.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._next: dict[int, Point] = {}
        self._found: dict[int, Point] = {}

    def going_on(self, place: int, rollout: Rollout, env: gym.Env[Any, Any]) -> None:
        """Take note that the trunk of a place has another turn before it."""
        # The turn before this one was not the last.
        if place in self._next:
            self._found[place] = self._next.pop(place)
        draw = random.Random(f"{self._seed}/{rollout.task_id}/{rollout.turns}").random()
        if draw * (rollout.turns + 1) < 1:
            self._next[place] = Point(copied(rollout), contract_of(env).snapshot())

    def of(self, place: int) -> Point | None:
        """Return the point of a trunk that has ended; None is its start."""
        return self._found.get(place)


class PlayRound(Protocol):
    """Plays a round on every process, which all must ask for; a process may have nothing to play."""

    def __call__(
        self, task_ids: Sequence[str], begin: Begin | None = None, going_on: GoingOn | None = None
    ) -> list[Rollout]:
        """Return a rollout for each task id."""


def play_branched(
    tasks: dict[int, str], rows: Sequence[int], group: int, share: float, seed: str, play: PlayRound
) -> list[Rollout]:
    """Play groups in two rounds: trunks and all of the groups that do not branch, then the branches.

    Every process must call it with the same tasks. Processes may share a group; its point then goes from the one that
    has played the trunk to the others.

    Args:
        tasks: of each place, rising.
        rows: those of this process in these places, rising; a place has as many as a group.
        group: rollouts of a group; the first one is the trunk.
        share: of the groups that branch.
        seed: of the draws.
        play: plays a round.

    Returns:
        A rollout for each row.
    """
    points = Points(seed)
    branched = {
        place: random.Random(f"{seed}/{task_id}").random() < share for place, task_id in tasks.items()
    }  # the same on every process
    first = [row for row in rows if row % group == 0 or not branched[row // group]]
    then = [row for row in rows if row % group and branched[row // group]]

    def going_on(slot: int, rollout: Rollout, env: gym.Env[Any, Any]) -> None:
        if branched[first[slot] // group]:
            points.going_on(first[slot] // group, rollout, env)

    found = dict(zip(first, play([tasks[row // group] for row in first], None, going_on), strict=True))
    own = {}
    for row, rollout in found.items():
        # A trunk that broke says nothing of how its turns were: its group begins at the start.
        if branched[row // group] and rollout.end is not End.INVALID and (point := points.of(row // group)):
            leave_out(rollout, len(point.rollout.ids))
            own[row // group] = point
    starts = own | _from_others(own, rows, group)

    def begin(slot: int, env: gym.Env[Any, Any]) -> Rollout | None:
        point = starts.get(then[slot] // group)
        return point.enter(env) if point else None

    found |= zip(then, play([tasks[row // group] for row in then], begin), strict=True)
    return [found[row] for row in rows]


def _from_others(own: dict[int, Point], rows: Sequence[int], group: int) -> dict[int, Point]:
    """Return the points of other processes' trunks; each gives those of groups that it has not all rows of."""
    ending_here = {row // group for row in rows if row % group == group - 1}
    given = {place: point for place, point in own.items() if place not in ending_here}
    return {place: point for part in here().gather(given) for place, point in part.items()}
