"""What the sales desk writes: its own tables alone, and the same thing only once."""

from typing import Any

from tests.scenarios.distractors.desk import branch_bank, call, refused

NOTICE: dict[str, Any] = {
    "customer_id": "CU-100001",
    "notice_type": "offer",
    "product": "savings",
    "delivery_method": "mail",
    "send_on": "2026-03-20",
    "offered_amount": 500,
}
DECISION: dict[str, Any] = {
    "customer_id": "CU-100001",
    "product": "home",
    "decision": "pursue",
    "principal_reason": "asked_for",
    "expected_amount": 200_000,
    "chance_percent": 35,
    "follow_up_on": "2026-03-05",
}
REVIEW: dict[str, Any] = {
    "branch_city": "Durham",
    "branch_state": "NC",
    "review_kind": "closing",
    "reviewed_on": "2026-03-04",
    "items_done": ["vault_locked", "lights_off"],
    "items_missing": ["alarm_set"],
    "action_due_date": "2026-03-05",
}


def on_branch(field: str, name: str, **arguments: Any) -> None:
    """A call that a bank with customers refuses, too."""
    refused(field, name, bank=branch_bank(), **arguments)


def test_a_notice_is_ordered_once() -> None:
    bank = branch_bank()
    first = call("send_product_notice", bank, **NOTICE, enclose_flyer=True)
    assert (first["pages"], first["status"], first["send_on"]) == (4, "ordered", "2026-03-20")
    assert call("send_product_notice", bank, **NOTICE)["status"] == "already_ordered"
    (change,) = bank.diff()
    assert (change.table, change.after["owner"], change.after["offered_amount"]) == (
        "misc_product_letters",
        "misc",
        500,
    )


def test_notices_that_cannot_be() -> None:
    on_branch("send_on", "send_product_notice", **NOTICE | {"send_on": "2026-03-03"})
    on_branch("send_on", "send_product_notice", **NOTICE | {"send_on": "2026-06-03"})
    on_branch("offered_amount", "send_product_notice", **NOTICE | {"notice_type": "survey"})
    on_branch("enclose_flyer", "send_product_notice", **NOTICE | {"delivery_method": "email"}, enclose_flyer=True)
    on_branch("customer_id", "send_product_notice", **NOTICE | {"customer_id": "CU-999999"})


def test_an_opportunity_is_replaced() -> None:
    bank = branch_bank()
    first = call("record_sales_decision", bank, **DECISION)
    assert (first["weighted_amount"], first["replaced"]) == (70_000, False)
    dropped = DECISION | {"decision": "drop", "chance_percent": 0, "follow_up_on": None}
    again = call("record_sales_decision", bank, **dropped)
    assert again == first | {"decision": "drop", "weighted_amount": 0, "replaced": True}
    (change,) = bank.diff()
    assert (change.table, change.after["decision"]) == ("misc_sales_opportunities", "drop")


def test_opportunities_that_cannot_be() -> None:
    on_branch("chance_percent", "record_sales_decision", **DECISION | {"decision": "drop", "follow_up_on": None})
    on_branch("follow_up_on", "record_sales_decision", **DECISION | {"decision": "drop", "chance_percent": 0})
    on_branch("follow_up_on", "record_sales_decision", **DECISION | {"follow_up_on": "2026-03-04"})
    on_branch("follow_up_on", "record_sales_decision", **DECISION | {"follow_up_on": None})


def test_a_branch_review() -> None:
    bank = branch_bank()
    found = call("submit_branch_review", bank, **REVIEW)
    assert (found["status"], found["done_percent"]) == ("open_items", 66.67)
    done = call("submit_branch_review", bank, **REVIEW | {"items_missing": [], "action_due_date": None})
    assert done == {"review_id": found["review_id"], "status": "complete", "done_percent": 100}
    assert [change.table for change in bank.diff()] == ["misc_branch_reviews"]
    refused("reviewed_on", "submit_branch_review", **REVIEW | {"reviewed_on": "2026-03-05"})
    refused("items_done", "submit_branch_review", **REVIEW | {"items_done": ["alarm_set"]})
    refused("items_done", "submit_branch_review", **REVIEW | {"items_done": [], "items_missing": []})
    refused("action_due_date", "submit_branch_review", **REVIEW | {"action_due_date": "2026-03-04"})
