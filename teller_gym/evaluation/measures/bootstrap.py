"""Bootstrap intervals that come out the same on every machine.

The resampled unit is the task: with several trials of one task, its trials are drawn together, because they are not
independent of each other. Index draws are raw bits of PCG64, a stream that NumPy promises to keep, and sums are
taken over integers, so no order of summation shows in the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
"""Enough that the ends of a 95 % interval move by well under a percentage point between seeds."""

_UNIT = 10**6
"""Values are rounded to millionths before summing; far below any interval's width."""

_LARGEST = 2**62
_BLOCK = 256


class Resampler:
    """Draws the resamples once and applies them to every metric, so that metrics of one report stay comparable.

    Args:
        clusters: number of tasks.
        seed: of the draws.
    """

    def __init__(self, clusters: int, seed: int = 0, resamples: int = RESAMPLES) -> None:
        self.clusters = clusters
        if clusters < 1:
            raise ValueError(f"expected at least one cluster to resample, got {clusters}")
        raw = np.random.PCG64(seed).random_raw(resamples * clusters)
        draws = (np.asarray(raw, dtype=np.uint64) % np.uint64(clusters)).astype(np.int64)
        self._draws: NDArray[np.int64] = draws.reshape(resamples, clusters)

    def ratios(self, numerators: Sequence[float], denominators: Sequence[float]) -> list[float]:
        """Return sorted ratios of sums, one a resample; resamples whose denominator is 0 are dropped.

        Args:
            numerators, denominators: one sum for each cluster, shape (clusters,).
        """
        found = self.drawn_ratios(numerators, denominators)
        return sorted(found[~np.isnan(found)].tolist())

    def drawn_ratios(self, numerators: Sequence[float], denominators: Sequence[float]) -> NDArray[np.float64]:
        """Ratios of sums in the order of the draws, NaN where a denominator is 0, shape (resamples,)."""
        top, bottom = self._sums(numerators), self._sums(denominators)
        found: NDArray[np.float64] = np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom != 0)
        return found

    def _sums(self, values: Sequence[float]) -> NDArray[np.int64] | NDArray[np.float64]:
        if len(values) != self.clusters:
            raise ValueError(f"expected {self.clusters} values, one a cluster, got {len(values)}")
        fixed = [round(value * _UNIT) for value in values]
        blocks = (self._draws[i : i + _BLOCK] for i in range(0, len(self._draws), _BLOCK))
        if max((abs(value) for value in fixed), default=0) * self.clusters > _LARGEST:
            # Python's own whole numbers have no bound, and take some ten times as long.
            large = np.array(fixed, dtype=object)
            return np.concatenate([large[block].sum(axis=1).astype(np.float64) for block in blocks])
        units = np.array(fixed, dtype=np.int64)
        return np.concatenate([units[block].sum(axis=1) for block in blocks])


def mean_of_ratios(
    resamplers: Sequence[Resampler], sums: Sequence[tuple[Sequence[float], Sequence[float]]]
) -> list[float]:
    """Return sorted means, one a resample, of ratios that are each resampled on their own.

    Args:
        sums: numerators and denominators for each resampler. A resample in which a denominator is 0 is dropped.
    """
    drawn = [resampler.drawn_ratios(*pair) for resampler, pair in zip(resamplers, sums, strict=True)]
    total = np.zeros(len(drawn[0]))
    for ratios in drawn:  # one after the other: the order of a sum in floats shows in its last bit
        total += ratios
    return sorted((total[~np.isnan(total)] / len(drawn)).tolist())


def interval(ordered: Sequence[float], level: float = 0.95) -> tuple[float, float] | None:
    """Return the central interval of sorted resampled values, by linear interpolation; None where there are none."""
    if not ordered:
        return None
    # Exact: 1 - 0.95 in floats is a little over 0.05 and would move the place of the lower end.
    tail = (1 - Fraction(str(level))) / 2
    return _quantile(ordered, tail), _quantile(ordered, 1 - tail)


def _quantile(ordered: Sequence[float], share: Fraction) -> float:
    place = share * (len(ordered) - 1)
    below = place.numerator // place.denominator
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * float(place - below)
