"""Tests of payments_and_trade/documents: expected values worked out by hand, or anew in another way."""

from datetime import date, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import TODAY, call, not_accepted

# Documents under a letter of credit


def test_deadline_by_hand() -> None:
    assert call(
        "find_presentation_deadline",
        shipment_date="2026-02-20",
        expiry_date="2026-03-31",
        latest_shipment_date="2026-02-19",
        transit_days=4,
    ) == {
        "present_by": "2026-03-13",
        "limited_by": "presentation_period",
        "send_by": "2026-03-09",
        "days_left_to_send": 5,
        "shipped_in_time": False,
    }
    late = call(
        "find_presentation_deadline", shipment_date="2026-02-20", expiry_date="2026-02-28", presentation_days=10
    )
    assert (late["present_by"], late["limited_by"], late["days_left_to_send"]) == ("2026-02-28", "expiry_date", -4)
    assert late["shipped_in_time"] is True


def test_deadlines_that_cannot_be() -> None:
    name = "find_presentation_deadline"
    not_accepted("expiry_date", name, shipment_date="2026-02-20", expiry_date="2026-02-19")
    not_accepted("shipment_date", name, shipment_date="9999-12-31", expiry_date="9999-12-31")
    not_accepted("expiry_date", name, shipment_date="2026-02-20", expiry_date="9999-12-31")
    latest: dict[str, Any] = {"latest_shipment_date": "2026-03-02"}
    not_accepted("latest_shipment_date", name, shipment_date="2026-02-20", expiry_date="2026-03-01", **latest)


@given(st.integers(0, 400), st.integers(0, 90), st.integers(1, 90), st.integers(0, 60))
def test_documents_are_never_due_after_expiry(start: int, until_expiry: int, period: int, transit: int) -> None:
    shipped = date(2025, 6, 1) + timedelta(days=start)
    result = call(
        "find_presentation_deadline",
        shipment_date=shipped.isoformat(),
        expiry_date=(shipped + timedelta(days=until_expiry)).isoformat(),
        presentation_days=period,
        transit_days=transit,
    )
    due = date.fromisoformat(result["present_by"])
    assert (due - shipped).days == min(period, until_expiry)
    assert date.fromisoformat(result["send_by"]) == due - timedelta(days=transit)
    assert TODAY + timedelta(days=result["days_left_to_send"]) == date.fromisoformat(result["send_by"])
