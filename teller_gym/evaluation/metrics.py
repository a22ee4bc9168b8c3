"""The metrics of stage 2, as pure functions over episode records.

Each metric is a ratio of two sums over the valid episodes; for a mean the lower sum counts episodes. Invalid
episodes never enter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .bootstrap import RESAMPLES, Resampler, interval
from .episodes import ERROR_KINDS, Episode, Kind, Status

Part = tuple[float, float]
"""What one episode adds to a metric's numerator and denominator."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure with its interval. All None where no episode says anything about it."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def to_dict(self) -> dict[str, float | None]:
        return {"value": _rounded(self.value), "low": _rounded(self.low), "high": _rounded(self.high)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Metric:
        return cls(data["value"], data["low"], data["high"])


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def valid(episodes: Iterable[Episode]) -> list[Episode]:
    """The episodes that count."""
    return [episode for episode in episodes if episode["status"] != Status.INVALID]


def tool_precision(required: Collection[str], invoked: Collection[str]) -> float:
    """Share of the invoked API names that were required; 0 where nothing was invoked though something was required.

    The paper's own table bears this out: models that often invoke nothing have a precision lower by as much.
    """
    return _overlap(set(required), set(invoked), len(set(invoked)))


def tool_recall(required: Collection[str], invoked: Collection[str]) -> float:
    """Share of the required API names that were invoked; 0 where none was required though some were invoked."""
    return _overlap(set(required), set(invoked), len(set(required)))


def _overlap(required: set[str], invoked: set[str], total: int) -> float:
    if not required and not invoked:
        return 1.0
    return len(required & invoked) / total if total else 0.0


def tool_f1(required: Collection[str], invoked: Collection[str]) -> float:
    """Harmonic mean of one episode's precision and recall; the metric is its mean over episodes."""
    needed, used = set(required), set(invoked)
    if not needed and not used:
        return 1.0
    return 2 * len(needed & used) / (len(needed) + len(used))


def shows(episode: Episode, kind: str) -> bool:
    """Whether an episode shows an error of a kind."""
    if kind == "blank":
        return all(turn["kind"] != Kind.CALL for turn in episode["trace"])
    if kind == "budget" and episode["status"] == Status.TRUNCATED:
        return True
    return episode["error_counts"].get(kind, 0) > 0


def error_kinds(episodes: Iterable[Episode]) -> list[str]:
    """The kinds to report: the known ones in their order, then others that occur, by name."""
    seen = {kind for episode in episodes for kind in episode["error_counts"]}
    return [*ERROR_KINDS, *sorted(seen - set(ERROR_KINDS))]


def _mean(measure: Callable[[Episode], float | None]) -> Callable[[Episode], Part]:
    def part(episode: Episode) -> Part:
        value = measure(episode)
        return (0.0, 0.0) if value is None else (float(value), 1.0)

    return part


def _term(name: str) -> Callable[[Episode], Part]:
    return _mean(lambda episode: episode["reward_terms"].get(name))


def _tools(measure: Callable[[Collection[str], Collection[str]], float]) -> Callable[[Episode], Part]:
    return _mean(lambda episode: measure(episode["required_tools"], episode["invoked_tools"]))


def _tokens(kind: str) -> Callable[[Episode], Part]:
    return _mean(lambda episode: None if episode["tokens"] is None else episode["tokens"][kind])


METRICS: Mapping[str, Callable[[Episode], Part]] = {
    "score": _mean(lambda episode: episode["score"]),
    "accuracy": _mean(lambda episode: episode["success"]),
    "checkpoints": _term("checkpoints"),
    "parameters": _term("parameters"),
    "tool_precision": _tools(tool_precision),
    "tool_recall": _tools(tool_recall),
    "tool_f1": _tools(tool_f1),
    # Pooled over all calls of all episodes, so that a long episode weighs as many calls as it made.
    "valid_calls": lambda episode: (float(episode["valid_calls"]), float(episode["attempts"])),
    "steps": _mean(lambda episode: episode["steps"]),
    "prompt_tokens": _tokens("prompt"),
    "completion_tokens": _tokens("completion"),
}
"""Name of each metric and what one episode adds to it."""


def summarise(
    episodes: Iterable[Episode], *, names: Sequence[str] | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, Metric]:
    """Every metric with its 95 % interval, error shares as `error_<kind>`.

    names: of METRICS, to measure only these. seed: of the bootstrap's draws. resamples: 0 leaves the intervals out.
    """
    counted = sorted(valid(episodes), key=lambda episode: (episode["task_id"], episode["trial"]))
    parts = {name: [METRICS[name](episode) for episode in counted] for name in names or METRICS}
    for kind in error_kinds(counted) if names is None else ():
        parts[f"error_{kind}"] = [(float(shows(episode, kind)), 1.0) for episode in counted]
    places = _clusters(counted)
    resampler = Resampler(max(places) + 1, seed, resamples) if resamples and places else None
    return {name: _ratio(part, places, resampler) for name, part in parts.items()}


def _clusters(episodes: Sequence[Episode]) -> list[int]:
    """For each episode the number of its task."""
    order = {task_id: place for place, task_id in enumerate(dict.fromkeys(e["task_id"] for e in episodes))}
    return [order[episode["task_id"]] for episode in episodes]


def _ratio(parts: Sequence[Part], places: Sequence[int], resampler: Resampler | None) -> Metric:
    top, bottom = math.fsum(a for a, _ in parts), math.fsum(b for _, b in parts)
    if not bottom:
        return Metric(None)
    if resampler is None or resampler.clusters < 2:
        return Metric(top / bottom)
    sums: list[list[list[float]]] = [[[], []] for _ in range(resampler.clusters)]
    for place, (a, b) in zip(places, parts, strict=True):
        sums[place][0].append(a)
        sums[place][1].append(b)
    ordered = resampler.ratios([math.fsum(a) for a, _ in sums], [math.fsum(b) for _, b in sums])
    ends = interval(ordered)
    return Metric(top / bottom, *(ends or (None, None)))


def pass_hat(episodes: Iterable[Episode], *, seed: int = 0, resamples: int = RESAMPLES) -> dict[int, Metric]:
    """pass^k for k = 1 … trials: the chance that k trials of one task, drawn without repetition, all succeed.

    A task with fewer than k valid trials says nothing about pass^k and is left out of it.
    """
    trials: dict[str, list[bool]] = {}
    for episode in valid(episodes):
        trials.setdefault(episode["task_id"], []).append(episode["success"])
    counts = [(len(runs), sum(runs)) for _, runs in sorted(trials.items())]
    resampler = Resampler(len(counts), seed, resamples) if resamples and counts else None
    result = {}
    for k in range(1, max((n for n, _ in counts), default=0) + 1):
        parts = [(math.comb(c, k) / math.comb(n, k), 1.0) if n >= k else (0.0, 0.0) for n, c in counts]
        result[k] = _ratio(parts, range(len(parts)), resampler)
    return result


def by_group(
    episodes: Iterable[Episode],
    group: Callable[[Episode], str | None],
    *,
    names: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> dict[str, tuple[int, dict[str, Metric]]]:
    """Size and metrics of each group of valid episodes, groups by name; `group` returning None leaves one out."""
    groups: dict[str, list[Episode]] = {}
    for episode in valid(episodes):
        name = group(episode)
        if name is not None:
            groups.setdefault(name, []).append(episode)
    return {
        name: (len(members), summarise(members, names=names, seed=seed, resamples=resamples))
        for name, members in sorted(groups.items())
    }
