"""Metrics over episodes with intervals, as pure functions of episode records.

Each metric is a ratio of two sums over the valid episodes. The order of the episodes does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from teller_gym.agents.base import Prices
from teller_gym.evaluation.measures import stage1 as stage1_metrics
from teller_gym.evaluation.measures import stage2 as stage2_metrics
from teller_gym.evaluation.measures.bootstrap import RESAMPLES, Resampler, interval, mean_of_ratios
from teller_gym.evaluation.measures.intervals import FEW, of_constant, of_mean, of_share
from teller_gym.evaluation.measures.stage2 import error_kinds, error_share
from teller_gym.evaluation.measures.sums import Measure, Part, cost, failed_instead, share_of, valid
from teller_gym.evaluation.records.episode import Episode, key
from teller_gym.tables.model import Metric


def measures(stage: int, prices: Prices | None = None) -> dict[str, Measure]:
    """Return the metrics of a stage by name, with `cost_usd` last and without error shares."""
    own = stage1_metrics.METRICS if stage == 1 else stage2_metrics.METRICS
    return {**own, "cost_usd": cost(prices)}


def summarise(
    episodes: Iterable[Episode], *, stage: int = 2, names: Sequence[str] | None = None, prices: Prices | None = None,
    seed: int = 0, resamples: int = RESAMPLES,
) -> dict[str, Metric]:  # fmt: skip
    """Return a stage's metrics with 95 % intervals.

    In stage 2 they include the error shares, named `error_<kind>`.

    Args:
        names: metrics to compute; all if None.
        prices: prices of the agent's tokens; without them `cost_usd` has no value.
        seed: seed for the bootstrap.
        resamples: number of bootstrap resamples; 0 omits the intervals.
    """
    counted = sorted(valid(episodes), key=key)
    known = measures(stage, prices)
    chosen = {name: known[name] for name in (known if names is None else names)}
    for kind in error_kinds(counted) if names is None and stage == 2 else ():
        chosen[f"error_{kind}"] = error_share(kind)
    return ratios(counted, chosen, seed=seed, resamples=resamples)


def ratios(
    episodes: Iterable[Episode], chosen: Mapping[str, Measure], *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, Metric]:
    """Compute the chosen measures over valid episodes with 95 % intervals.

    For the options see `summarise`.
    """
    counted = sorted(valid(episodes), key=key)
    places = _clusters(counted)
    resampler = Resampler(max(places) + 1, seed, resamples) if resamples and places else None
    return {
        name: _ratio(measure, [measure(one) for one in counted], places, resampler) for name, measure in chosen.items()
    }


def as_failures(episodes: Sequence[Episode], *, stage: int, names: Sequence[str], seed: int = 0) -> dict[str, Metric]:
    """Return the metrics with invalid episodes counted as failures of the agent.

    The result is empty if no episode is invalid.
    """
    if len(valid(episodes)) == len(episodes):
        return {}
    return summarise(map(failed_instead, episodes), stage=stage, names=names, seed=seed)


def _clusters(episodes: Sequence[Episode]) -> list[int]:
    """Return the index of each episode's task."""
    order = {task_id: place for place, task_id in enumerate(dict.fromkeys(e["task_id"] for e in episodes))}
    return [order[episode["task_id"]] for episode in episodes]


def _ratio(
    measure: Measure,
    parts: Sequence[Part],
    places: Sequence[int],
    resampler: Resampler | None,
    most: float | None = None,
) -> Metric:
    """Return a measure's ratio with its interval; see `intervals.of_share` for `most`."""
    top, bottom = math.fsum(a for a, _ in parts), math.fsum(b for _, b in parts)
    if not bottom:
        return Metric(None)
    if resampler is None or resampler.clusters < 2:
        return Metric(top / bottom)
    sums = _sums(parts, places, resampler.clusters)
    ends = of_share(*sums, most) if measure.share else _resampled(measure, top / bottom, sums, resampler)
    return Metric(top / bottom, *(ends or (None, None)))


def _resampled(
    measure: Measure, value: float, sums: tuple[list[float], list[float]], resampler: Resampler
) -> tuple[float, float] | None:
    ends = interval(resampler.ratios(*sums))
    if ends is None or ends[0] < ends[1] or resampler.clusters >= FEW:
        return ends
    return of_constant(value, measure.bounds, resampler.clusters)


def _sums(parts: Sequence[Part], places: Sequence[int], clusters: int) -> tuple[list[float], list[float]]:
    """Return the numerators and denominators, summed within each cluster."""
    split: list[list[Part]] = [[] for _ in range(clusters)]
    for place, part in zip(places, parts, strict=True):
        split[place].append(part)
    return [math.fsum(a for a, _ in one) for one in split], [math.fsum(b for _, b in one) for one in split]


def macro(
    groups: Sequence[Iterable[Episode]], *, stage: int = 2, names: Sequence[str], seed: int = 0,
    resamples: int = RESAMPLES,
) -> dict[str, Metric]:  # fmt: skip
    """Return the unweighted mean of each metric over groups of episodes, such as the scenarios of a run.

    The interval of a mean of shares is combined from the groups' intervals (`intervals.of_mean`); for other metrics,
    tasks are resampled within each group. The value is None if a group has no value.
    """
    sorted_groups = [sorted(valid(group), key=key) for group in groups]
    places = [_clusters(group) for group in sorted_groups]
    known, counts = measures(stage), [max(place, default=0) + 1 for place in places]
    # With one seed for all, groups of equal size would get identical draws.
    resamplers = [Resampler(count, seed + 1 + i, resamples) for i, count in enumerate(counts)] if resamples else []
    mine: Sequence[Resampler | None] = resamplers or [None] * len(counts)
    found = {}
    for name in names:
        measure = known[name]
        parts = [[measure(episode) for episode in group] for group in sorted_groups]
        own = [
            _ratio(measure, part, place, resampler if measure.share else None)
            for part, place, resampler in zip(parts, places, mine, strict=True)
        ]
        values = [one.value for one in own if one.value is not None]
        if not values or len(values) < len(own):
            found[name] = Metric(None)
            continue
        ends = None
        if measure.share:
            ranges = [(one.low, one.high) for one in own if one.low is not None and one.high is not None]
            ends = of_mean(values, ranges) if len(ranges) == len(values) else None
        elif resamplers and min(counts) > 1:
            sums = [_sums(part, place, count) for part, place, count in zip(parts, places, counts, strict=True)]
            ends = interval(mean_of_ratios(resamplers, sums))
            if ends is not None and ends[0] == ends[1] and sum(counts) < FEW:
                still = [of_constant(value, measure.bounds, count) for value, count in zip(values, counts, strict=True)]
                ranges = [one for one in still if one is not None]
                ends = of_mean(values, ranges) if len(ranges) == len(values) else None
        found[name] = Metric(math.fsum(values) / len(values), *(ends or (None, None)))
    return found


_PASSES = share_of(lambda episode: episode["success"])


def pass_hat(episodes: Iterable[Episode], *, seed: int = 0, resamples: int = RESAMPLES) -> dict[int, Metric]:
    """Return pass^k by k, from 1 to the number of trials.

    It is the probability that k trials of a task, drawn without replacement, all succeed. A task with fewer than k
    valid trials does not count towards pass^k.
    """
    trials: dict[str, list[bool]] = {}
    for episode in valid(episodes):
        trials.setdefault(episode["task_id"], []).append(episode["success"])
    counts = [(len(runs), sum(runs)) for _, runs in sorted(trials.items())]
    resampler = Resampler(len(counts), seed, resamples) if resamples and counts else None
    result = {}
    for k in range(1, max((n for n, _ in counts), default=0) + 1):
        parts = [(math.comb(c, k) / math.comb(n, k), 1.0) if n >= k else (0.0, 0.0) for n, c in counts]
        tried = sum(n for n, _ in counts if n >= k)
        result[k] = _ratio(_PASSES, parts, range(len(parts)), resampler, tried)
    return result


def by_group(
    episodes: Iterable[Episode],
    group: Callable[[Episode], str | None],
    *,
    stage: int = 2,
    names: Sequence[str] | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> dict[str, tuple[int, dict[str, Metric]]]:
    """Return the size and metrics of each group of valid episodes.

    An episode for which `group` returns None is left out.
    """
    groups: dict[str, list[Episode]] = {}
    for episode in valid(episodes):
        name = group(episode)
        if name is not None:
            groups.setdefault(name, []).append(episode)
    return {
        name: (len(members), summarise(members, stage=stage, names=names, seed=seed, resamples=resamples))
        for name, members in sorted(groups.items())
    }
