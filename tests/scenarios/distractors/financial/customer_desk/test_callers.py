"""Callers and relationships, against a small bank of two customers."""

from typing import Any

import pytest

from tests.scenarios.distractors.desk import branch_bank, call, empty_bank, refused

CALLER: dict[str, Any] = {
    "customer_id": "CU-100001",
    "full_name": "zoë marchetti",
    "date_of_birth": "1984-02-29",
    "call_reason": "balance",
}


def test_a_caller_who_knows_enough_is_served() -> None:
    assert call("verify_caller_identity", branch_bank(), **CALLER) == {
        "identity_status": "passed",
        "matched_items": ["full_name", "date_of_birth"],
        "items_needed": 2,
        "next_action": "serve_call",
    }
    move = CALLER | {"call_reason": "address_change", "phone_last4": "9152"}
    assert call("verify_caller_identity", branch_bank(), **move)["next_action"] == "ask_more"
    assert call("verify_caller_identity", branch_bank(), **move, city="durham")["identity_status"] == "passed"


@pytest.mark.parametrize("wrong", [{"full_name": "Ivan Petrov"}, {"customer_id": "CU-100002"}])
def test_another_name_never_passes(wrong: dict[str, Any]) -> None:
    everything = CALLER | {"phone_last4": "9152", "city": "Durham", "state": "NC"} | wrong
    found = call("verify_caller_identity", branch_bank(), **everything)
    assert (found["identity_status"], found["next_action"]) == ("failed", "call_back")


def test_unknown_customers_are_refused() -> None:
    message = refused("customer_id", "verify_caller_identity", **CALLER)
    assert "CU-100001" in message
    assert not list(empty_bank().diff())


SNAPSHOT: dict[str, Any] = {"consent_date": "2026-03-04", "snapshot_purpose": "marketing"}


def test_relationships() -> None:
    assert call("get_credit_snapshot", branch_bank(), customer_id="CU-100001", **SNAPSHOT) == {
        "score_band": "a",
        "main_factor": "none",
        "loan_accounts": 1,
        "deposit_accounts": 2,
        "relationship_years": 6,
    }
    rich = call("get_credit_snapshot", branch_bank(), customer_id="CU-100001", large_deposits_from=400_000, **SNAPSHOT)
    assert (rich["score_band"], rich["main_factor"]) == ("b", "small_deposits")
    new = call("get_credit_snapshot", branch_bank(), customer_id="CU-100002", **SNAPSHOT)
    assert (new["score_band"], new["main_factor"], new["relationship_years"]) == ("d", "short_relationship", 0)
