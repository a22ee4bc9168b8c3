"""A shop's answer to a chargeback."""

from typing import Any

import pytest

from tests.scenarios.distractors.desk import call, refused

SALE: dict[str, Any] = {
    "reason": "fraud",
    "transaction_amount": 80,
    "transaction_date": "2026-01-10",
    "dispute_received_on": "2026-02-20",
    "evidence": ["receipt", "chip_log"],
    "card_present": True,
}


def test_a_shop_with_its_papers_contests() -> None:
    assert call("assess_chargeback_response", **SALE) == {
        "response": "contest",
        "missing_evidence": [],
        "days_left": 8,  # 12 March
        "at_stake": 95,
    }


@pytest.mark.parametrize(
    ("change", "response", "missing"),
    [
        ({"evidence": ["receipt"]}, "collect_evidence", ["chip_log"]),
        ({"evidence": ["receipt"], "card_present": False}, "contest", []),
        ({"refunded_amount": 65}, "accept", []),
        ({"refunded_amount": 64.99}, "contest", []),
        ({"dispute_received_on": "2026-02-12"}, "contest", []),
        ({"dispute_received_on": "2026-02-11"}, "too_late", []),
        ({"reason": "not_received"}, "collect_evidence", ["delivery_proof"]),
    ],
)
def test_answers(change: dict[str, Any], response: str, missing: list[str]) -> None:
    found = call("assess_chargeback_response", **SALE | change)
    assert (found["response"], found["missing_evidence"]) == (response, missing)


def test_sales_that_cannot_be() -> None:
    refused("dispute_received_on", "assess_chargeback_response", **SALE | {"dispute_received_on": "2026-01-09"})
    refused("evidence", "assess_chargeback_response", **SALE | {"evidence": ["receipt", "receipt"]})
