"""The rules of the queue: the order of the cases at every boundary that its SOP names."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.days.law import LAW, Habits, Waiting, clock, minute_of, queue_policy, queue_sop, ranked, related

NOW = 600
SOON = queue_policy().due_soon


def case(reference: str, channel: str = "phone", arrived: int = 500, due: int = 900, who: str = "") -> Waiting:
    return Waiting(reference, (who or f"CU-{reference}",), channel, arrived, due)


def order(*cases: Waiting, habits: Habits = LAW) -> list[str]:
    return [one.reference for one in ranked(cases, NOW, habits)]


def test_the_class_comes_from_the_channel() -> None:
    assert order(case("Q-1", "mail"), case("Q-2", "phone"), case("Q-3", "counter")) == ["Q-3", "Q-2", "Q-1"]
    assert order(case("Q-1", "branch_visit"), case("Q-2", "online")) == ["Q-1", "Q-2"]


def test_within_a_class_by_due_time_then_arrival_then_reference() -> None:
    assert order(case("Q-1", due=800), case("Q-2", due=799)) == ["Q-2", "Q-1"]
    assert order(case("Q-1", arrived=501), case("Q-2", arrived=500)) == ["Q-2", "Q-1"]
    assert order(case("Q-2"), case("Q-1")) == ["Q-1", "Q-2"]


def test_exactly_so_many_minutes_are_due_soon() -> None:
    best = case("Q-1", "counter", due=NOW + SOON + 60)
    assert order(best, case("Q-2", "mail", due=NOW + SOON)) == ["Q-2", "Q-1"]
    assert order(best, case("Q-2", "mail", due=NOW + SOON + 1)) == ["Q-1", "Q-2"]
    assert order(best, case("Q-2", "mail", due=NOW - 30)) == ["Q-2", "Q-1"]


def test_what_is_due_soon_goes_by_due_time_then_class() -> None:
    assert order(case("Q-1", "counter", due=NOW + 20), case("Q-2", "mail", due=NOW + 10)) == ["Q-2", "Q-1"]
    assert order(case("Q-1", "mail", due=NOW + 10), case("Q-2", "counter", due=NOW + 10)) == ["Q-2", "Q-1"]


def test_the_first_of_a_customers_cases_takes_the_best_of_all() -> None:
    first = case("Q-1", "mail", arrived=400, due=1000, who="CU-1")
    second = case("Q-2", "counter", arrived=401, due=700, who="CU-1")
    other = case("Q-3", "counter", due=701)
    assert order(first, second, other) == ["Q-1", "Q-3"]
    assert order(first, second, other._replace(due=699)) == ["Q-3", "Q-1"]
    assert order(first, second, other, habits=Habits(by_customer=False)) == ["Q-2", "Q-3", "Q-1"]


def test_cases_are_tied_through_a_common_customer_of_a_third() -> None:
    one, other = case("Q-1", who="CU-1", arrived=1), case("Q-3", "counter", who="CU-2", arrived=3)
    between = Waiting("Q-2", ("CU-1", "CU-2"), "mail", 2, 900)
    assert order(other, between, one) == ["Q-1"]
    assert related(one.customers, between.customers) and not related(one.customers, other.customers)


WAITING = st.lists(
    st.builds(
        Waiting,
        st.integers(101, 112).map("Q-{}".format),
        st.lists(st.sampled_from(["CU-1", "CU-2", "CU-3"]), max_size=2).map(tuple),
        st.sampled_from(list(queue_policy().channels)),
        st.integers(480, NOW),
        st.integers(540, 1000),
    ),
    max_size=7,
    unique_by=lambda one: one.reference,
)


@given(WAITING, st.randoms())
def test_the_rank_does_not_depend_on_the_order_of_the_list(waiting: list[Waiting], draw: Any) -> None:
    mixed = draw.sample(waiting, len(waiting))
    assert ranked(waiting, NOW) == ranked(mixed, NOW)


@given(WAITING)
def test_of_tied_cases_one_has_a_rank_and_something_always_comes_first(waiting: list[Waiting]) -> None:
    heads = ranked(waiting, NOW)
    assert bool(heads) == bool(waiting)
    for one in heads:
        tied = [other for other in waiting if other != one and related(one.customers, other.customers)]
        assert all((one.arrived, one.reference) < (other.arrived, other.reference) for other in tied)


def test_every_number_of_the_policy_is_in_the_sop() -> None:
    text, policy = queue_sop(), queue_policy()
    assert clock(policy.opening) in text and f"{policy.due_soon} minutes" in text
    assert f"takes {policy.minutes_per_call} minutes" in text
    for channel, name in policy.channels.items():
        assert f"{channel} {name}" in text
    assert not re.search(r"[{}]", text)


@pytest.mark.parametrize("minute", [0, 59, 60, 540, 1439])
def test_times_are_read_as_they_are_written(minute: int) -> None:
    assert minute_of(clock(minute)) == minute
