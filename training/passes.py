"""How the rollouts of an update are split into forward and backward passes of a token budget.

Rollouts differ in length several times over. TRL pads all of them to the longest; here rows of similar length share a
pass and are padded to its longest, so that a pass costs what its rollouts cost and memory is bounded by the budget.
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


def split_into(lengths: Sequence[int], budget: int, count: int) -> list[list[int]]:
    """Return that many passes, at least as many as `split` makes: processes that share weights must make equally many.

    Raises:
        ValueError: the budget asks for more passes, or there are fewer rows.
    """
    passes = split(lengths, budget)
    if not len(passes) <= count <= len(lengths):
        raise ValueError(f"expected {len(passes)} to {len(lengths)} passes, got {count}")
    while len(passes) < count:
        most = max(range(len(passes)), key=lambda one: (len(passes[one]), -one))
        rows = passes[most]
        passes[most : most + 1] = [rows[: len(rows) // 2], rows[len(rows) // 2 :]]
    return passes
