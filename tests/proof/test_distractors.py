"""Tests that distractors with nearly right answers are detected, and no others."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

import tests.proof.stub as stub
from teller_gym.proof.distractors import near_answers as near
from teller_gym.proof.distractors import side_effects
from teller_gym.proof.distractors.recipes import depends_on_seen, recipes
from teller_gym.proof.distractors.seen_values import NEAR_SHARE, is_near, numbers_and_dates, seen_values
from teller_gym.proof.play import subject
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, Tool, tool
from teller_gym.variation.pool import distractors

ENV = stub.ENV_ID
Days = Annotated[int, Meta(ge=0, le=365)]


class Sum(Result):
    """A sum."""

    sums: list[float]


class Day(Result):
    """A day."""

    day: date


class DayList(Result):
    """Days."""

    days: list[date]


@tool(category=Category.FINANCIAL_DISTRACTOR)
def pay_out_nearly(bank: Bank, sale: Money) -> Sum:
    """Work out what is left of a sale.

    Args:
        sale: The sale.
    """
    return Sum(sums=[0.0, round(sale * 0.955, 2)])


@tool(category=Category.FINANCIAL_DISTRACTOR)
def pay_out_rightly(bank: Bank, sale: Money) -> Sum:
    """Work out what is left of a sale.

    Args:
        sale: The sale.
    """
    return Sum(sums=[round(sale * 100) * 95 // 100 / 100 + 0.001, sale])


@tool(category=Category.GENERAL_DISTRACTOR)
def count_on(bank: Bank, start: date, days: Days) -> Day:
    """Count days on.

    Args:
        start: The first day.
        days: How many.
    """
    return Day(day=start + timedelta(days=days))


@tool(category=Category.GENERAL_DISTRACTOR)
def count_a_month(bank: Bank, start: date) -> Day:
    """Count a month on.

    Args:
        start: The first day.
    """
    return Day(day=start + timedelta(days=31))


@tool(category=Category.GENERAL_DISTRACTOR)
def list_weeks(bank: Bank, start: date) -> DayList:
    """List days a week apart.

    Args:
        start: The first day.
    """
    return DayList(days=[start + timedelta(days=7 * week + 1) for week in range(9)])


def plant(monkeypatch: pytest.MonkeyPatch, *tools: Tool) -> None:
    monkeypatch.setattr(near, "distractors", lambda: tools)


@pytest.mark.parametrize(
    ("planted", "place", "needed"),
    [
        (pay_out_nearly, "sums[]", "submit_review.refund_amount"),
        (count_a_month, "day", "check_purchase.last_day"),
    ],
)
def test_one_that_nearly_answers_is_found(
    monkeypatch: pytest.MonkeyPatch, planted: Tool, place: str, needed: str
) -> None:
    plant(monkeypatch, planted, pay_out_rightly)
    found = near.near_misses(ENV, 50)
    assert not found.passed
    assert [(one.tool, one.place, one.needed) for one in found.measured["findings"]] == [(planted.name, place, needed)]
    assert f"{planted.name}.{place}" in found.problems[0]


@pytest.mark.parametrize("honest", [pay_out_rightly, count_on, list_weeks], ids=lambda item: item.name)
def test_one_that_is_right_when_asked_rightly_is_not(monkeypatch: pytest.MonkeyPatch, honest: Tool) -> None:
    plant(monkeypatch, honest)
    assert near.near_misses(ENV, 500).passed


def test_one_that_was_judged_does_not_fail_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, pay_out_nearly)
    monkeypatch.setattr(near, "judgements", lambda: {("pay_out_nearly", "sums[]"): "a test"})
    found = near.near_misses(ENV, 50)
    assert found.passed
    assert "1 of them judged honest" in found.figure


def test_what_was_judged_exists() -> None:
    outputs = {tool.name: tool.outputs for tool in distractors()}
    for name, place in near.judgements():
        assert place.removesuffix("[]") in outputs[name], name


def test_only_what_was_known_before_counts() -> None:
    scenario = subject(ENV).scenario
    seen = seen_values(scenario, subject(ENV).tasks[0])
    assert seen.needed["check_purchase.last_day"].time == 1
    assert seen.sources["get_case.amount"].time == 0
    assert seen.sources["check_purchase.last_day"].time == 1
    assert seen.sources["sop 30"].value == 30
    # The amount and the date of the purchase are in the case and need no computation.
    assert not {"check_purchase.amount", "check_purchase.bought_on"} & set(seen.needed)


def test_recipes_are_the_same_every_time_and_as_many_as_asked() -> None:
    sources = [seen_values(subject(ENV).scenario, task).sources for task in subject(ENV).tasks[:3]]
    few = recipes(count_on, sources, 7)
    assert len(few) == 7
    assert few == recipes(count_on, sources, 7)
    everything = recipes(count_on, sources, 10_000)
    words = {(str(recipe["start"]), str(recipe["days"])) for recipe in everything}
    assert ("get_case.bought_on", "sop 30") in words
    assert len(words) == len(everything)


def test_only_tools_that_take_numbers_or_days_depend_on_a_case() -> None:
    tools = {tool.name: tool for tool in distractors()}
    assert not depends_on_seen(tools["get_country_facts"])
    assert depends_on_seen(tools["round_cash_amount"])


@given(st.floats(1, 1e7), st.floats(-0.02, 0.02))
def test_numbers_are_near_within_a_hundredth(wanted: float, off: float) -> None:
    if abs(abs(off) - NEAR_SHARE) > 1e-6:
        assert is_near(wanted * (1 + off), wanted) == (abs(off) < NEAR_SHARE)


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(-9, 9))
def test_dates_are_near_within_three_days(wanted: date, off: int) -> None:
    day = (wanted + timedelta(days=off)).isoformat()
    assert is_near(day, wanted.isoformat()) == (abs(off) <= 3)
    assert not is_near(day, 20260101.0)


def test_numbers_and_dates_of_an_answer_by_place() -> None:
    answer = {"a": 1, "b": [{"c": "2026-03-04"}, {"c": "tomorrow"}], "d": True, "e": None}
    assert list(numbers_and_dates(answer)) == [("a", 1), ("b[0].c", "2026-03-04")]


# -- side effects --------------------------------------------------------------------------------------------------


def some(names: Sequence[str]) -> Callable[[], tuple[Tool, ...]]:
    chosen = tuple(tool for tool in distractors() if tool.name in names)
    return lambda: chosen


READER, WRITER = "find_easter_date", "open_support_ticket"


def test_reads_and_writes_of_a_reader_and_a_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(side_effects, "distractors", some([READER, WRITER]))
    reads, writes = side_effects.side_effects(ENV, 6)
    assert reads.passed and reads.measured["tools"] == [READER]
    assert writes.passed and writes.measured["written"] > 0 and writes.measured["played"] == 1


@pytest.mark.parametrize("name", [READER, WRITER])
def test_a_distractor_that_writes_to_the_case_is_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (planted,) = some([name])()
    function = planted._function

    def careless(bank: Bank, *arguments: object) -> Result:
        bank.update("cases", bank.case_id, opened=None)
        result: Result = function(bank, *arguments)
        return result

    monkeypatch.setattr(side_effects, "distractors", some([name]))
    monkeypatch.setattr(planted, "_function", careless)
    found = side_effects.distractor_writes(ENV)
    assert not found.passed
    assert f"{name} wrote to cases/RF-" in found.problems[0]
    if name == READER:
        assert not side_effects.distractor_reads(ENV, 6).passed
