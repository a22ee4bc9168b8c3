"""Tests of foreign_exchange/travel_money: expected values worked out by hand, or anew in another way."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.financial.foreign_exchange.travel_money import fewest_notes
from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.financial.foreign_exchange.values import CURRENCIES, codes, refused


def test_travel_notes() -> None:
    sheqels = call("plan_travel_notes", currency="ILS", amount=60)
    assert sheqels == {
        "envelope": [{"note": 20, "count": 3}],
        "envelope_amount": 60,
        "notes_in_all": 3,
        "not_in_notes": 0,
    }
    family = call("plan_travel_notes", currency="EUR", amount=385, travelers=2)
    assert family["envelope"] == [{"note": 100, "count": 1}, {"note": 50, "count": 1}, {"note": 20, "count": 2}]
    assert (family["envelope_amount"], family["notes_in_all"], family["not_in_notes"]) == (190, 8, 5)
    small = call("plan_travel_notes", currency="EUR", amount=385, travelers=2, largest_note=50)
    assert small["envelope"] == [{"note": 50, "count": 3}, {"note": 20, "count": 2}]
    assert call("plan_travel_notes", currency="BHD", amount=3.75)["not_in_notes"] == 0.25
    assert refused("plan_travel_notes", currency="JPY", amount=5000, largest_note=500) == "largest_note"
    assert refused("plan_travel_notes", currency="JPY", amount=5000, travelers=6) == "amount"


@given(st.integers(0, 60), st.sets(st.sampled_from([2, 5, 10, 20]), min_size=1))
def test_no_other_choice_of_notes_is_better(target: int, values: set[int]) -> None:
    notes = sorted(values)
    ways = [
        (filled, -sum(way))
        for way in product(*(range(target // note + 1) for note in notes))
        if (filled := sum(note * count for note, count in zip(notes, way, strict=True))) <= target
    ]
    counts = fewest_notes(target, notes)
    assert (sum(note * count for note, count in counts.items()), -sum(counts.values())) == max(ways)


@given(codes, st.integers(1, 10**7), st.integers(1, 60))
def test_envelopes_and_rest_make_the_amount(code: str, amount: int, travelers: int) -> None:
    if amount < CURRENCIES[code].notes[0] * travelers:
        return
    found = call("plan_travel_notes", currency=code, amount=amount, travelers=travelers)
    filled = sum(line["note"] * line["count"] for line in found["envelope"])
    assert filled == found["envelope_amount"]
    assert filled * travelers + found["not_in_notes"] == pytest.approx(amount)
    assert 0 <= found["not_in_notes"] < 4 * float(CURRENCIES[code].notes[0]) * travelers


def test_currency_facts() -> None:
    franc = call("get_currency_facts", currency_code="756")
    assert franc == call("get_currency_facts", currency_code="CHF")
    assert franc == {
        "code": "CHF",
        "numeric_code": "756",
        "name": "Swiss Franc",
        "issuer": "Switzerland",
        "decimals": 2,
        "smallest_coin": 0.05,
        "stocked_notes": [10, 20, 50, 100, 200, 1000],
    }
    assert call("get_currency_facts", currency_code="048")["decimals"] == 3
    assert refused("get_currency_facts", currency_code="999") == "currency_code"
