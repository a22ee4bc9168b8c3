"""Tests of the search on small tables, compared with the best selection found by exhaustive search."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.proof.choosing.search import MISSED, Goal, Problem, search


def problem(rows: list[str], goals: list[Goal], groups: str, **quotas: int) -> Problem:
    """Build a problem from rows such as "101"; each character of ``groups`` is the group of a row."""
    return Problem(np.array([[mark == "1" for mark in row] for row in rows]), goals, list(groups), quotas)


def best(of: Problem) -> float:
    """Return the price of the best selection, found by trying all."""
    every = [combinations(of.members[name].tolist(), quota) for name, quota in of.quotas.items()]
    return min(of.cost(of.have([row for part in parts for row in part])) for parts in product(*every))


@pytest.mark.parametrize(
    ("goal", "costs"),
    [
        (Goal("a", least=2, wanted=3), [2 * MISSED + 9, MISSED + 4, 1, 0, 0]),
        (Goal("a", most=1, price=5), [0, 5, MISSED + 10, 2 * MISSED + 15, 3 * MISSED + 20]),
        (Goal("a", least=2, before=1), [MISSED, 0, 0, 0, 0]),
        (Goal("a", most=3, before=2), [0, 0, MISSED, 2 * MISSED, 3 * MISSED]),
    ],
)
def test_what_a_choice_lacks_has_a_price(goal: Goal, costs: list[int]) -> None:
    assert [goal.cost(have) for have in range(5)] == costs
    assert [goal.is_kept(have) for have in range(5)] == [cost < MISSED for cost in costs]


def test_every_column_is_met_where_it_can_be() -> None:
    of = problem(["1100", "1010", "0011", "0101", "1111"], [Goal(name, least=1) for name in "abcd"], "xxyyy", x=1, y=1)
    chosen = search(of, 1)
    assert [of.groups[row] for row in chosen] == ["x", "y"]
    assert of.cost(of.have(chosen)) == 0


def test_a_row_that_is_better_left_is_left() -> None:
    goals = [Goal("lapse", least=1), Goal("won", price=60)]
    assert search(problem(["11", "00", "10"], goals, "xxx", x=2), 1) == [1, 2]
    # The row is chosen if no other meets the goal.
    assert search(problem(["11", "00", "00"], goals, "xxx", x=1), 1) == [0]


def test_what_no_choice_can_have_is_known() -> None:
    goals = [Goal("a", least=3), Goal("b", most=0)]
    of = problem(["10", "11", "01", "01"], goals, "xxyy", x=2, y=1)
    fewest, most = of.reach()
    assert (fewest.tolist(), most.tolist()) == ([2, 2], [2, 2])
    assert of.floor() == of.cost(of.have(search(of, 1))) == MISSED * 3


def test_a_group_with_too_few_rows_is_told() -> None:
    with pytest.raises(ValueError, match="x: expected 2 rows or more, got 1"):
        problem(["1"], [Goal("a")], "x", x=2)


def test_groups_that_are_not_asked_for_are_not_taken() -> None:
    assert search(problem(["0", "1", "1"], [Goal("a", least=1)], "xyz", x=1, z=0), 1) == [0]


def test_a_table_without_columns_or_without_rows_to_take() -> None:
    assert search(Problem(np.zeros((2, 0), dtype=bool), [], ["x", "x"], {"x": 1}), 1) == [0]
    assert search(problem(["1"], [Goal("a", least=1)], "x", x=0), 1) == []


def test_two_rows_are_exchanged_at_once() -> None:
    """Greedily, rows 0 and 1 are best; only the other two together meet all goals."""
    rows = ["111000", "000110", "110100", "001011"]
    of = problem(rows, [Goal(name, least=1) for name in "abcdef"], "xxxx", x=2)
    assert search(of, 1) == [2, 3]


TABLES = st.integers(0, 2**32 - 1).map(np.random.default_rng)


@settings(deadline=None, max_examples=60)
@given(TABLES, st.integers(0, 99))
def test_small_tables_are_chosen_from_as_well_as_can_be(draw: Any, seed: int) -> None:
    rows, columns = int(draw.integers(4, 10)), int(draw.integers(1, 8))
    groups = [("x", "y")[place % 2] for place in range(rows)]
    goals = [Goal(str(place), least=int(draw.integers(0, 3)), wanted=2) for place in range(columns)]
    goals.append(Goal("won", most=0, price=7))
    hits = draw.random((rows, columns + 1)) < draw.uniform(0.1, 0.7)
    of = Problem(hits, goals, groups, {"x": int(draw.integers(0, 3)), "y": 2})
    chosen = search(of, seed)
    assert [sum(groups[row] == name for row in chosen) for name in ("x", "y")] == list(of.quotas.values())
    assert len(set(chosen)) == len(chosen)
    assert of.cost(of.have(chosen)) == best(of) >= of.floor()


def test_equal_tables_give_equal_choices() -> None:
    draw = np.random.default_rng(5)
    hits = draw.random((300, 40)) < 0.06
    goals = [Goal(str(place), least=3, wanted=4) for place in range(39)] + [Goal("won", price=60)]
    groups = [f"g{place % 7}" for place in range(300)]
    quotas = {f"g{place}": 5 for place in range(7)}
    first = search(Problem(hits, goals, groups, quotas), 7)
    assert first == search(Problem(hits.copy(), goals, groups, quotas), 7)
    of = Problem(hits, goals, groups, quotas)
    assert all(goal.is_kept(int(have)) for goal, have in zip(goals, of.have(first), strict=True))
