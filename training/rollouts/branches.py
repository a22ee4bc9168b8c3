"""Branching groups: the first rollout of a group is a trunk, and the others continue from one of its turns.

The environment is restored to its snapshot before that turn, and the tokens up to there are the trunk's. So the group
compares continuations of the same state. The common beginning is left out of the loss, since scores do not depend on
it, in the trunk as well, which would otherwise learn it from the noise of what follows.

The turn is drawn uniformly from all of the trunk's except the last; if it is the first, all rollouts begin at the
start. A trunk that ends soon after a turn has fewer turns to draw from, so it branches there more often than a long
one: as a sample of continuations of a state, a trunk is a little shorter than its branches.
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
    """State of an episode before a turn.

    Attributes:
        rollout: the episode so far.
        snapshot: state of the environment.
    """

    rollout: Rollout
    snapshot: Any

    def enter(self, env: gym.Env[Any, Any]) -> Rollout:
        """Restore an environment, reset to the same task, to this point; return a rollout that continues from it."""
        contract_of(env).restore(self.snapshot)
        return copied(self.rollout)


def copied(rollout: Rollout) -> Rollout:
    """Return an independent copy of an unfinished episode; its tokens so far are not learned."""
    found = replace(
        rollout, ids=list(rollout.ids), mask=list(rollout.mask), logprobs=list(rollout.logprobs),
        terms=dict(rollout.terms), errors=dict(rollout.errors), defects=list(rollout.defects),
        spans=list(rollout.spans),
    )  # fmt: skip
    leave_out(found, len(found.ids))
    return found


def leave_out(rollout: Rollout, tokens: int) -> None:
    """Exclude the first ``count`` tokens after the prompt from the loss, as if they were the environment's."""
    rollout.mask[:tokens] = [0] * tokens
    rollout.logprobs[:tokens] = [0.0] * tokens


class Points:
    """Keeps for each trunk the point before one of its turns, drawn uniformly from all but the last while it is played.

    The number of turns is unknown in advance, so points are drawn by reservoir sampling, and a trunk holds at most two
    snapshots. Before the first turn there is no point to keep.

    Args:
        seed: seed of the draws; each depends only on it, the task and the turn.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._next: dict[int, Point] = {}
        self._found: dict[int, Point] = {}

    def going_on(self, place: int, rollout: Rollout, env: gym.Env[Any, Any]) -> None:
        """Record that the trunk at a place will have another turn."""
        # The previous turn was not the last.
        if place in self._next:
            self._found[place] = self._next.pop(place)
        draw = random.Random(f"{self._seed}/{rollout.task_id}/{rollout.turns}").random()
        if draw * (rollout.turns + 1) < 1:
            self._next[place] = Point(copied(rollout), contract_of(env).snapshot())

    def of(self, place: int) -> Point | None:
        """Return the point of a trunk that has ended; None is its start."""
        return self._found.get(place)


class PlayRound(Protocol):
    """Plays a round on every process. All processes must call it, even with nothing to play."""

    def __call__(
        self, task_ids: Sequence[str], begin: Begin | None = None, going_on: GoingOn | None = None
    ) -> list[Rollout]:
        """Return a rollout for each task id."""


def play_branched(
    tasks: dict[int, str], rows: Sequence[int], group: int, share: float, seed: str, play: PlayRound
) -> list[Rollout]:
    """Play groups in two rounds: first trunks and the groups that do not branch, then the branches.

    Every process must call it with the same tasks. If processes share a group, its point is sent from the process that
    played the trunk to the others.

    Args:
        tasks: task of each place, in ascending order of places.
        rows: ascending rows of this process in these places; a place has one row per rollout of its group.
        group: number of rollouts in a group; the first is the trunk.
        share: share of groups that branch.
        seed: seed of the draws.
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
        # A broken trunk has no reliable turns: its group begins at the start.
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
    """Return the points of other processes' trunks; each process sends those of the groups that it shares."""
    ending_here = {row // group for row in rows if row % group == group - 1}
    given = {place: point for place, point in own.items() if place not in ending_here}
    return {place: point for part in here().gather(given) for place, point in part.items()}
