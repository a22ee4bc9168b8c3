"""Tests that near misses are found by the words of names, parameters and descriptions."""

import pytest

import tests.proof.stub as stub
from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof.distractors import similarity
from teller_gym.proof.distractors.similarity import FEWEST, likeness, near_misses, words
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, Tool, tool
from teller_gym.variation.pool import distractors

CORE = load_scenario("loans").tools.of(Category.CORE)
FINANCIAL = [each for each in distractors() if each.category is Category.FINANCIAL_DISTRACTOR]


class Paid(Result):
    """A payment."""

    payment: Money


@tool(category=Category.FINANCIAL_DISTRACTOR)
def calculate_rent_payment(bank: Bank, annual_rate: Money, flat_number: Money) -> Paid:
    """Tell the caretaker something.

    Args:
        annual_rate: A rate.
        flat_number: A number.
    """
    return Paid(payment=annual_rate + flat_number)


def test_words_are_compared_without_a_plural() -> None:
    assert words("calculate_monthly_debts") == ["calculate", "monthly", "debt"]
    assert words("Gas, address: 3 loans") == ["gas", "address", "loan"]


def test_a_near_miss_needs_two_overlaps() -> None:
    (found,) = near_misses([calculate_rent_payment], CORE)
    assert found.core == "calculate_payment"
    assert found.overlaps["name"] == 1.0  # both words of calculate_payment
    assert found.overlaps["parameters"] == 0.5
    renamed = likeness(calculate_rent_payment, next(each for each in CORE if each.name == "price_loan"), {})
    assert not renamed.is_near_miss


def test_a_tool_is_most_like_itself() -> None:
    for each, found in zip(CORE, near_misses(CORE, CORE), strict=True):
        assert (found.tool, found.core) == (each.name, each.name)
        assert found.overlaps["name"] == found.overlaps["parameters"] == 1.0


def test_the_pool_tempts() -> None:
    found = similarity.temptation("Teller-Loans-v0")
    assert found.passed, found.problems
    assert len(found.measured["near_misses"]) >= FEWEST
    assert found.figure.startswith(f"{len(found.measured['near_misses'])} of 45 financial distractors are near misses")


def test_a_scenario_of_ones_own_is_no_worse() -> None:
    assert similarity.temptation(stub.ENV_ID).passed


def test_fewer_near_misses_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    alike = {one.tool for one in near_misses(FINANCIAL, CORE)}
    few: tuple[Tool, ...] = tuple(each for each in distractors() if each.name not in sorted(alike)[1:])
    monkeypatch.setattr(similarity, "distractors", lambda: few)
    found = similarity.temptation("Teller-Loans-v0")
    (problem,) = found.problems
    assert problem.startswith(f"expected at least {FEWEST} near misses, got ")
