"""Tests of payments_and_trade/orders: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, empty_bank, not_accepted

# Purchase orders

PAPER: dict[str, Any] = {
    "supplier_name": "Elm & Oak Paper",
    "item_names": ["Paper A4", "Envelopes"],
    "item_quantities": [40, 500],
    "item_unit_prices": [4.5, 0.08],
    "deliver_by": "2026-03-12",
    "delivery_site": "loading_dock",
    "cost_center": "Back office",
}


def test_orders_are_created_and_listed() -> None:
    bank = empty_bank()
    assert call("list_purchase_orders", bank) == {"orders": [], "matching_orders": 0, "total_value": 0}
    paper = call("create_purchase_order", bank, **PAPER)
    assert paper == {
        "order_id": paper["order_id"],
        "items_total": 220,
        "rush_surcharge": 0,
        "order_total": 220,
        "approval_needed": "none",
    }
    assert call("create_purchase_order", bank, **PAPER) == paper
    rushed = PAPER | {"deliver_by": "2026-03-05", "rush": True, "supplier_name": "Quill"}
    assert call("create_purchase_order", bank, **rushed)["order_total"] == 226.6
    listed = call("list_purchase_orders", bank)
    assert [order["deliver_by"] for order in listed["orders"]] == ["2026-03-05", "2026-03-12"]
    assert (listed["matching_orders"], listed["total_value"]) == (2, 446.6)
    assert listed["orders"][1] == {
        "order_id": paper["order_id"],
        "supplier_name": "Elm & Oak Paper",
        "deliver_by": "2026-03-12",
        "item_count": 2,
        "order_total": 220,
    }
    for only in ({"supplier_name": "Quill"}, {"due_by": "2026-03-11"}, {"minimum_total": 226.6}):
        assert call("list_purchase_orders", bank, **only)["total_value"] == 226.6
    assert {(change.table, change.after["owner"]) for change in bank.diff()} == {("misc_purchase_orders", "misc")}
    not_accepted("due_by", "list_purchase_orders", due_by="2026-03-03")


@pytest.mark.parametrize(
    ("price", "approval"),
    [(1_000, "none"), (1_000.01, "department_head"), (10_000, "department_head"), (10_000.01, "two_signatures")],
)
def test_larger_orders_need_more_approval(price: float, approval: str) -> None:
    order = PAPER | {"item_names": ["Desk"], "item_quantities": [1], "item_unit_prices": [price]}
    assert call("create_purchase_order", **order)["approval_needed"] == approval


@pytest.mark.parametrize(
    ("field", "changed"),
    [
        ("deliver_by", {"deliver_by": "2026-03-04", "rush": True}),
        ("deliver_by", {"deliver_by": "2027-03-05"}),
        ("deliver_by", {"deliver_by": "2026-03-06"}),
        ("deliver_by", {"deliver_by": "2026-03-14"}),
        ("deliver_by", {"deliver_by": "2026-03-11", "delivery_site": "north_annex"}),
        ("item_names", {"item_names": ["Paper A4", "Paper A4"]}),
        ("item_quantities", {"item_quantities": [1]}),
        ("item_unit_prices", {"item_unit_prices": [1, 2, 3]}),
        ("item_unit_prices", {"item_unit_prices": [0, 0]}),
        ("supplier_name", {"supplier_name": ""}),
    ],
)
def test_orders_that_cannot_be(field: str, changed: dict[str, Any]) -> None:
    not_accepted(field, "create_purchase_order", **PAPER | changed)


def test_places_take_deliveries_on_their_own_days() -> None:
    assert call("create_purchase_order", **PAPER | {"delivery_site": "north_annex"})["order_total"] == 220
    saturday = PAPER | {"deliver_by": "2026-03-14", "delivery_site": "mail_room"}
    assert call("create_purchase_order", **saturday)["order_total"] == 220


@given(st.permutations([PAPER | {"item_unit_prices": [price, 0]} for price in (1, 2, 3, 4)]))
def test_ids_of_orders_do_not_depend_on_order(orders: list[dict[str, Any]]) -> None:
    bank = empty_bank()
    for order in orders:
        call("create_purchase_order", bank, **order)
    listed = call("list_purchase_orders", bank)
    assert (listed["matching_orders"], listed["total_value"]) == (4, 400)
    assert listed["orders"] == sorted(listed["orders"], key=lambda order: order["order_id"])
    ids = {order["order_id"] for order in listed["orders"]}
    again = empty_bank()
    assert {call("create_purchase_order", again, **order)["order_id"] for order in orders[::-1]} == ids
