"""Every rollout is in one pass, passes hold the budget, and the gradients are those of the whole batch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from teller_gym.training.trainer_parts.token_budget import split, split_alike


@given(st.integers(1, 4), st.integers(1, 20), st.integers(1, 1000), st.data())
def test_every_row_is_in_one_pass_and_processes_make_the_same_passes_within_the_budget(
    processes: int, rows: int, budget: int, data: st.DataObject
) -> None:
    everyones = [data.draw(st.lists(st.integers(1, 300), min_size=rows, max_size=rows)) for _ in range(processes)]
    passes = [split_alike(lengths, everyones, budget) for lengths in everyones]
    for lengths, mine in zip(everyones, passes, strict=True):
        assert [len(one) for one in mine] == [len(one) for one in passes[0]]
        assert sorted(row for one in mine for row in one) == list(range(rows))
        for one in mine:
            assert len(one) == 1 or len(one) * max(lengths[row] for row in one) <= budget
        assert processes > 1 or mine == split(lengths, budget)


def test_padding_is_less_than_to_the_longest() -> None:
    lengths = [4500, 900, 1000, 950, 2000, 1000, 930, 2100]
    padded = sum(len(rows) * max(lengths[row] for row in rows) for rows in split(lengths, 4600))
    assert padded < 1.1 * sum(lengths) < 0.5 * len(lengths) * max(lengths)
