"""Tests of bookkeeping/balance: expected values worked out by hand, or anew in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.bookkeeping.values import cents, refused

# Journal


@pytest.mark.parametrize(
    ("debits", "credits", "cause"),
    [
        ([100, 50.5], [150.5], "none"),
        ([100, 50], [100], "amount_left_out"),
        ([30, 70], [70, 20, 70], "unknown"),
        ([100, 40, 25], [115], "amount_on_wrong_side"),
        ([540], [450], "digits_swapped"),
        ([100], [101], "unknown"),
    ],
)
def test_slips_in_a_journal_entry(debits: list[float], credits: list[float], cause: str) -> None:
    result = call("check_journal_balance", debit_amounts=debits, credit_amounts=credits)
    assert result["likely_cause"] == cause
    assert result["balanced"] == (cause == "none") == (result["difference"] == 0)
    assert result["difference"] == sum(debits) - sum(credits)
    mirrored = call("check_journal_balance", debit_amounts=credits, credit_amounts=debits)
    assert (mirrored["likely_cause"], mirrored["difference"]) == (cause, -result["difference"])


def test_a_journal_entry_needs_both_sides() -> None:
    refused("check_journal_balance", "credit_amounts", debit_amounts=[1], credit_amounts=[])


@given(st.integers(10, 10**6), st.lists(st.integers(1, 10**6), min_size=1, max_size=5))
def test_swapped_digits_are_found(number: int, rest: list[int]) -> None:
    wrong = number // 100 * 100 + number % 10 * 10 + number // 10 % 10
    debits, credits = [number / 100, *(n / 100 for n in rest)], [wrong / 100, *(n / 100 for n in rest)]
    result = call("check_journal_balance", debit_amounts=debits, credit_amounts=credits)
    assert cents(result["difference"]) == number - wrong
    assert result["likely_cause"] != "unknown"
    assert (result["likely_cause"] == "none") == (number == wrong)
