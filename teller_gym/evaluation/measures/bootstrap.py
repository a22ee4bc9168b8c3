"""Bootstrap intervals that are identical on every machine.

The resampled unit is the task: all trials of a task are drawn together, because they are not independent. Indices come
from raw bits of PCG64, a stream that NumPy keeps stable, and sums are taken over integers, so the order of summation
does not affect the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
"""Number of resamples; the bounds of a 95 % interval then vary by well under a percentage point between seeds."""

_UNIT = 10**6
"""Resolution to which values are rounded before summing, far finer than the width of any interval."""

_LARGEST = 2**62
_BLOCK = 256


class Resampler:
    """Draws task resamples once and applies them to every metric.

    The metrics therefore stay comparable.
    """

    def __init__(self, clusters: int, seed: int = 0, resamples: int = RESAMPLES) -> None:
        self.clusters = clusters
        if clusters < 1:
            raise ValueError(f"expected at least one cluster to resample, got {clusters}")
        raw = np.random.PCG64(seed).random_raw(resamples * clusters)
        draws = (np.asarray(raw, dtype=np.uint64) % np.uint64(clusters)).astype(np.int64)
        self._draws: NDArray[np.int64] = draws.reshape(resamples, clusters)

    def ratios(self, numerators: Sequence[float], denominators: Sequence[float]) -> list[float]:
        """Return the sorted ratios of sums over the resamples, without resamples whose denominator is 0."""
        found = self.drawn_ratios(numerators, denominators)
        return sorted(found[~np.isnan(found)].tolist())

    def drawn_ratios(self, numerators: Sequence[float], denominators: Sequence[float]) -> NDArray[np.float64]:
        """Return the ratios of sums in draw order, of shape (resamples,), with NaN for a denominator of 0."""
        top, bottom = self._sums(numerators), self._sums(denominators)
        found: NDArray[np.float64] = np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom != 0)
        return found

    def _sums(self, values: Sequence[float]) -> NDArray[np.int64] | NDArray[np.float64]:
        if len(values) != self.clusters:
            raise ValueError(f"expected {self.clusters} values, one a cluster, got {len(values)}")
        fixed = [round(value * _UNIT) for value in values]
        blocks = (self._draws[i : i + _BLOCK] for i in range(0, len(self._draws), _BLOCK))
        if max((abs(value) for value in fixed), default=0) * self.clusters > _LARGEST:
            # Python integers cannot overflow, but take about ten times as long.
            large = np.array(fixed, dtype=object)
            return np.concatenate([large[block].sum(axis=1).astype(np.float64) for block in blocks])
        units = np.array(fixed, dtype=np.int64)
        return np.concatenate([units[block].sum(axis=1) for block in blocks])


def mean_of_ratios(
    resamplers: Sequence[Resampler], sums: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> list[float]:
    """Return the sorted means of several ratios over the resamples.

    Each ratio is resampled independently.

    Args:
        sums: numerators and denominators for each resampler. A resample with a denominator of 0 is discarded.
    """
    drawn = [resampler.drawn_ratios(*pair) for resampler, pair in zip(resamplers, sums, strict=True)]
    total = np.zeros(len(drawn[0]))
    for ratios in drawn:  # in a fixed order, since the order of a float sum affects its last bit
        total += ratios
    return sorted((total[~np.isnan(total)] / len(drawn)).tolist())


def interval(ordered: Sequence[float], level: float = 0.95) -> tuple[float, float] | None:
    """Return the central interval of sorted values by linear interpolation, or None if there are no values."""
    if not ordered:
        return None
    # Exact arithmetic: in floats 1 - 0.95 is slightly above 0.05, which would shift the lower end.
    tail = (1 - Fraction(str(level))) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def _quantile(ordered: Sequence[float], share: Fraction) -> float:
    place = share * (len(ordered) - 1)
    below = place.numerator // place.denominator
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * float(place - below)
