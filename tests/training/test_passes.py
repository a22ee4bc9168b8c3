"""Every rollout is in one pass, passes hold the budget, and the gradients are those of the whole batch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.training.passes import split, split_into

LENGTHS = st.lists(st.integers(1, 300), min_size=1, max_size=40)


@given(LENGTHS, st.integers(1, 1000))
def test_every_row_is_in_one_pass_and_passes_hold_the_budget(lengths: list[int], budget: int) -> None:
    passes = split(lengths, budget)
    assert sorted(row for rows in passes for row in rows) == list(range(len(lengths)))
    for rows in passes:
        assert len(rows) == 1 or len(rows) * max(lengths[row] for row in rows) <= budget


@given(LENGTHS, st.integers(1, 1000), st.data())
def test_processes_can_agree_on_a_number_of_passes(lengths: list[int], budget: int, data: st.DataObject) -> None:
    least = len(split(lengths, budget))
    count = data.draw(st.integers(least, len(lengths)))
    passes = split_into(lengths, budget, count)
    assert len(passes) == count and all(passes)
    assert sorted(row for rows in passes for row in rows) == list(range(len(lengths)))
    for rows in passes:
        assert len(rows) == 1 or len(rows) * max(lengths[row] for row in rows) <= budget


def test_padding_is_less_than_to_the_longest() -> None:
    lengths = [4500, 900, 1000, 950, 2000, 1000, 930, 2100]
    padded = sum(len(rows) * max(lengths[row] for row in rows) for rows in split(lengths, 4600))
    assert padded < 1.1 * sum(lengths) < 0.5 * len(lengths) * max(lengths)


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 2 to 3 passes, got 4"):
        split_into([5, 5, 5], 10, 4)
    with pytest.raises(ValueError, match="expected 2 to 3 passes, got 1"):
        split_into([5, 5, 5], 10, 1)
