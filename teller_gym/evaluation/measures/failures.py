"""Failures in a run: root causes ordered by cost, and decision points at which episodes fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from teller_gym.evaluation.measures.metrics import ratios
from teller_gym.evaluation.measures.root_causes import UNTOLD, cause_of, consequences, failed, name_of, root_cause
from teller_gym.evaluation.measures.sums import share_of
from teller_gym.evaluation.records.episode import Episode, FaultRecord, key
from teller_gym.evaluation.records.run_folder import EpisodeKey
from teller_gym.tables.model import Metric


@dataclass(frozen=True, slots=True)
class Example:
    """An episode as an example of a cause; `step` counts from 1, and is 0 if the cause belongs to no step."""

    task_id: str
    trial: int
    step: int
    reason: str
    """The grader's description of the fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A type of mistake, named by `root_causes.name_of`.

    Attributes:
        clauses: SOP clauses that the mistake breaks, where known.
        fields: fields from which the value should have come, where known.
        episodes: number of episodes with this root cause.
        share: share of these episodes among all valid episodes.
        later: number of episodes in which the mistake only follows another one.
    """

    name: str
    kind: str
    tool: str
    argument: str | None
    clauses: tuple[str, ...]
    fields: tuple[str, ...]
    episodes: int
    share: Metric
    later: int
    example: Example | None
    """The episode with the fewest consequences among those with this root cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """The episodes whose correct path takes a certain branch of a decision point.

    Attributes:
        failed: number of these episodes that failed.
        share: share of these episodes that failed.
        causes: number of failures by root cause, most common first.
    """

    point: str
    branch: str
    episodes: int
    failed: int
    share: Metric
    causes: dict[str, int]


@dataclass(frozen=True, slots=True)
class Failures:
    """Root causes and branches in a run's failed episodes."""

    episodes: int
    """Number of valid episodes."""
    failed: int
    causes: tuple[Cause, ...]
    """Root causes, costliest first, then mistakes that are only consequences."""
    branches: tuple[Branch, ...]
    """Branches, ordered by their failures in excess of the run's average."""


def measure_failures(
    episodes: Sequence[Episode], point_of: Callable[[Episode, str], str] = lambda _, point: point, *, seed: int = 0
) -> Failures:
    """Find the root causes of failures in valid episodes of stage 2.

    ``point_of`` returns the name of a decision point for the report.
    """
    counted = sorted(episodes, key=key)
    return Failures(
        episodes=len(counted),
        failed=sum(map(failed, counted)),
        causes=tuple(_causes(counted, seed)),
        branches=tuple(_branches(counted, point_of, seed)),
    )


def _causes(episodes: Sequence[Episode], seed: int) -> list[Cause]:
    faults: dict[str, list[FaultRecord]] = {}
    owners: dict[str, list[Episode]] = {}
    later: Counter[str] = Counter()
    names = {key(episode): cause_of(episode) for episode in episodes}
    for episode in episodes:
        name = names[key(episode)]
        if name is None:
            continue
        owners.setdefault(name, []).append(episode)
        root, after = root_cause(episode), consequences(episode)
        for fault in after if root is None else [root, *after]:
            faults.setdefault(name_of(fault), []).append(fault)
        later.update({name_of(fault) for fault in after} - {name})
    shares = ratios(episodes, {name: share_of(_is_cause(name, names)) for name in owners}, seed=seed)
    found = []
    for name in {**owners, **faults}:
        mine, told = owners.get(name, []), faults.get(name, [])
        first = told[0] if told else None
        found.append(
            Cause(
                name=name,
                kind=first["kind"] if first else "",
                tool=first["tool"] if first else "",
                argument=first["argument"] if first else None,
                clauses=tuple(sorted({fault["clause"] for fault in told if fault["clause"]}, key=_clause_order)),
                fields=tuple(sorted({fault["field"] for fault in told if fault["field"]})),
                episodes=len(mine),
                share=shares.get(name, Metric(0.0)),
                later=later[name],
                example=_example(mine),
            )
        )
    return sorted(found, key=lambda cause: (-cause.episodes, -cause.later, cause.name))


def _is_cause(name: str, names: Mapping[EpisodeKey, str | None]) -> Callable[[Episode], bool]:
    return lambda episode: names[key(episode)] == name


def _clause_order(clause: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key that puts 5.2 before 5.10."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in clause.split("."))


def _example(episodes: Sequence[Episode]) -> Example | None:
    if not episodes:
        return None
    episode = min(episodes, key=lambda one: (len(consequences(one)), key(one)))
    fault = root_cause(episode)
    step = min(fault["step"] + 1, len(episode["trace"])) if fault else 0
    return Example(episode["task_id"], episode["trial"], step, fault["reason"] if fault else UNTOLD)


def _branches(episodes: Sequence[Episode], point_of: Callable[[Episode, str], str], seed: int) -> list[Branch]:
    groups: dict[tuple[str, str], list[Episode]] = {}
    for episode in episodes:
        for point, way in episode["branches"].items():
            groups.setdefault((point_of(episode, point), way), []).append(episode)
    average = sum(map(failed, episodes)) / len(episodes) if episodes else 0.0
    found = []
    for (point, way), members in groups.items():
        causes = Counter(name for one in members if (name := cause_of(one)) is not None)
        if causes:
            found.append(
                Branch(
                    point=point,
                    branch=way,
                    episodes=len(members),
                    failed=causes.total(),
                    share=ratios(members, {"failed": share_of(failed)}, seed=seed)["failed"],
                    causes=dict(sorted(causes.items(), key=lambda one: (-one[1], one[0]))),
                )
            )
    return sorted(found, key=lambda one: (round(average * one.episodes - one.failed, 9), one.point, one.branch))
