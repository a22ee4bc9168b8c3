"""Tests of foreign_exchange/reservations: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta
from typing import Any

import pytest

from tests.scenarios.distractors.desk import TODAY, call, empty_bank
from tests.scenarios.distractors.financial.foreign_exchange.values import refused

# Reservations

ORDER: dict[str, Any] = {
    "counter": "harbor_hall",
    "currency": "EUR",
    "note_value": 50,
    "note_count": 10,
    "pickup_date": "2026-03-06",
    "collector_name": "Ada Quill",
}


def test_reserving_and_listing_notes() -> None:
    bank = empty_bank()
    assert call("list_note_reservations", bank) == {
        "reservations": [],
        "reservation_count": 0,
        "total_dollars_due": 0,
    }
    euros = call("reserve_foreign_notes", bank, **ORDER)
    assert euros["foreign_amount"] == 500
    assert euros["dollars_due"] == 597.89  # 500 / 0.853 * 1.02
    assert euros["last_pickup_date"] == "2026-03-09"
    yen: dict[str, Any] = {
        **ORDER,
        "counter": "north_tower",
        "currency": "JPY",
        "note_value": 10_000,
        "pickup_date": "2026-05-03",
    }
    assert call("reserve_foreign_notes", bank, **yen, hold_days=0)["last_pickup_date"] == "2026-05-03"
    listed = call("list_note_reservations", bank)
    assert [line["currency"] for line in listed["reservations"]] == ["EUR", "JPY"]
    assert listed["total_dollars_due"] == 597.89 + 656.21  # 100,000 / 156.20 * 1.025
    choices: list[dict[str, Any]] = [{"currency": "EUR"}, {"counter": "harbor_hall"}, {"pickup_until": "2026-03-06"}]
    for chosen in choices:
        found = call("list_note_reservations", bank, **chosen)
        assert [line["reservation_id"] for line in found["reservations"]] == [euros["reservation_id"]]
    assert {record["owner"] for _, record in bank.rows("misc_note_reservations")} == {"misc"}


def test_the_same_reservation_twice_is_one() -> None:
    bank = empty_bank()
    first, again = call("reserve_foreign_notes", bank, **ORDER), call("reserve_foreign_notes", bank, **ORDER)
    assert first == again
    assert call("list_note_reservations", bank)["reservation_count"] == 1
    call("reserve_foreign_notes", bank, **{**ORDER, "collector_name": "Ben Rowe"})
    assert call("list_note_reservations", bank)["reservation_count"] == 2


def test_long_lists_are_cut() -> None:
    bank = empty_bank()
    for count in range(1, 21):
        call("reserve_foreign_notes", bank, **{**ORDER, "note_count": count})
    found = call("list_note_reservations", bank)
    assert (len(found["reservations"]), found["reservation_count"]) == (15, 20)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("note_value", 25),
        ("currency", "USD"),
        ("currency", "XYZ"),
        ("collector_name", "  "),
        ("pickup_date", (TODAY + timedelta(days=1)).isoformat()),
        ("pickup_date", (TODAY + timedelta(days=61)).isoformat()),
        ("pickup_date", date.max.isoformat()),
    ],
)
def test_reservations_that_are_refused(field: str, value: Any) -> None:
    assert refused("reserve_foreign_notes", **{**ORDER, field: value}) == field
    assert refused("list_note_reservations", currency="XYZ") == "currency"
