"""Edit distance for the language tools of the catalogue."""

from __future__ import annotations


def edit_distance(
    one: str, other: str, insertion_cost: int, deletion_cost: int, substitution_cost: int, allow_swaps: bool
) -> int:
    """Return the lowest cost of editing one text into the other; a swap costs as much as a substitution."""
    before: list[int] = []
    row = [insertion_cost * place for place in range(len(other) + 1)]
    for i, old in enumerate(one, 1):
        above, row, oldest = row, [deletion_cost * i], before
        for j, new in enumerate(other, 1):
            changed = above[j - 1] + (0 if old == new else substitution_cost)
            best = min(above[j] + deletion_cost, row[j - 1] + insertion_cost, changed)
            if allow_swaps and i > 1 and j > 1 and old == other[j - 2] and new == one[i - 2]:
                best = min(best, oldest[j - 2] + substitution_cost)
            row.append(best)
        before = above
    return row[-1]
