"""Splits the rollouts of an update into forward and backward passes within a token budget.

The lengths of rollouts differ by large factors. TRL pads all of them to the longest; here rows of similar length share
a pass and are padded to its longest, so that hardly any padding is computed and the budget bounds memory.
"""

from __future__ import annotations

from collections.abc import Sequence


def split(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Return the rows of each pass, longest first.

    Args:
        lengths: tokens of each row, prompt included.
        budget: tokens of a pass, padding included. A row that is longer has a pass of its own.
    """
    found: list[list[int]] = []
    for row in sorted(range(len(lengths)), key=lambda row: (-lengths[row], row)):
        if found and (len(found[-1]) + 1) * lengths[found[-1][0]] <= budget:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def split_alike(lengths: Sequence[int], everyones: Sequence[Sequence[int]], budget: int) -> list[list[int]]:
    """Return the rows of each pass, as `split` does, for one of several processes that share weights.

    All processes make equally many passes with equally many rows, since they gather metrics row by row; ``everyones``
    are the lengths of every process.
    """
    order = sorted(range(len(lengths)), key=lambda row: (-lengths[row], row))
    longest = [max(rank) for rank in zip(*(sorted(one, reverse=True) for one in everyones), strict=True)]
    return [[order[rank] for rank in ranks] for ranks in split(longest, budget)]
