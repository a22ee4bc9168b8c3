"""What the tests of this subject share."""

from typing import Any

from teller_gym.tools.bank import Bank
from tests.scenarios.distractors.desk import call


def park(bank: Bank, plate: str = "KX-4471", **changes: Any) -> dict[str, Any]:
    asked: dict[str, Any] = {"plate": plate, "level": "P1", "first_day": "2026-03-05", "last_day": "2026-03-09"}
    return call("request_parking_permit", bank, **asked | changes)
