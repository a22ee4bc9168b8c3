"""Trade: expected values are published examples, or worked out by hand or anew."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.financial._payment_codes import tables
from tests.scenarios.distractors.desk import TODAY, all_tools, call, empty_bank, not_accepted


def cents(dollars: float) -> int:
    return round(dollars * 100)


def choices(name: str, argument: str) -> list[str]:
    schema = next(p for p in all_tools()[name].parameters if p.name == argument).schema
    found: list[str] = schema["enum"]
    return found


# Customs

COFFEE: dict[str, Any] = {
    "goods_class": "coffee",
    "goods_value": 1_000,
    "freight_cost": 150,
    "insurance_cost": 50,
    "weight_kg": 300,
    "vat_percent": 20,
}


def test_import_by_hand() -> None:
    assert call("calculate_import_charges", **COFFEE, clearance_cost=35) == {
        "customs_value": 1_200,
        "duty": 144,  # 2 % and 40 cents for each of 300 kg
        "vat_base": 1_344,
        "import_vat": 268.8,
        "landed_cost": 1_647.8,
    }
    proven = call("calculate_import_charges", **COFFEE, customs_basis="fob", origin_proof=True)
    assert (proven["customs_value"], proven["duty"]) == (1_000, 120)
    toys = call("calculate_import_charges", **COFFEE | {"goods_class": "toys", "goods_value": 0.1, "freight_cost": 0})
    assert toys["duty"] == 2.51  # 5 % of 50.10 is 2.505
    not_accepted("goods_class", "calculate_import_charges", **COFFEE | {"goods_class": "gold"})


def test_every_line_of_the_tariff_is_offered() -> None:
    assert choices("calculate_import_charges", "goods_class") == sorted(tables()["tariff"])
    for name, line in tables()["tariff"].items():
        duty = call("calculate_import_charges", **COFFEE | {"goods_class": name})["duty"]
        assert cents(duty) == 1_200 * line["percent"] + 300 * line["cents_per_kg"]


@given(st.sampled_from(["coffee", "textiles", "books"]), st.integers(0, 10**8), st.integers(0, 10**8), st.booleans())
def test_dearer_goods_never_cost_less_to_import(goods: str, one: int, other: int, proof: bool) -> None:
    low, high = (
        call(
            "calculate_import_charges",
            **COFFEE | {"goods_class": goods, "goods_value": amount / 100},
            origin_proof=proof,
        )
        for amount in sorted((one, other))
    )
    assert all(low[name] <= high[name] for name in low)
    assert cents(high["landed_cost"]) == cents(high["vat_base"]) + cents(high["import_vat"])


# Incoterms

STAGES: dict[str, Any] = {
    "origin_haulage": 1,
    "export_clearance": 2,
    "loading": 4,
    "main_carriage": 8,
    "insurance": 16,
    "arrival_handling": 32,
    "import_duty": 64,
    "final_haulage": 128,
    "unloading": 256,
}
SELLER_PAYS = {
    "EXW": 0,
    "FCA": 1 + 2,
    "CPT": 1 + 2 + 4 + 8,
    "CIP": 1 + 2 + 4 + 8 + 16,
    "DAP": 1 + 2 + 4 + 8 + 16 + 32 + 128,
    "DPU": 1 + 2 + 4 + 8 + 16 + 32 + 128 + 256,
    "DDP": 1 + 2 + 4 + 8 + 16 + 32 + 64 + 128,
    "FAS": 1 + 2,
    "FOB": 1 + 2 + 4,
    "CFR": 1 + 2 + 4 + 8,
    "CIF": 1 + 2 + 4 + 8 + 16,
}


@pytest.mark.parametrize("term", SELLER_PAYS)
def test_who_pays_under_each_term(term: str) -> None:
    result = call("split_incoterm_costs", incoterm=term, **STAGES)
    assert (result["seller_pays"], result["buyer_pays"]) == (SELLER_PAYS[term], 511 - SELLER_PAYS[term])
    assert result["seller_share_percent"] == round(SELLER_PAYS[term] / 5.11, 2)
    assert result["sea_transport_only"] == (term in ("FAS", "FOB", "CFR", "CIF"))
    assert result["seller_must_insure"] == (term in ("CIF", "CIP"))


def test_where_the_risk_passes() -> None:
    assert choices("split_incoterm_costs", "incoterm") == sorted(SELLER_PAYS) == sorted(tables()["incoterms"])
    passes = {term: call("split_incoterm_costs", incoterm=term)["risk_passes"] for term in SELLER_PAYS}
    assert passes["FOB"] == passes["CFR"] == passes["CIF"] == "on_board"
    assert passes["FCA"] == passes["CPT"] == passes["CIP"] == "handed_to_carrier"
    assert passes["DAP"] == passes["DDP"] == "at_destination_before_unloading"
    assert (passes["EXW"], passes["FAS"]) == ("at_sellers_premises", "alongside_ship")
    assert passes["DPU"] == "at_destination_unloaded"
    assert call("split_incoterm_costs", incoterm="EXW")["seller_share_percent"] is None
    not_accepted("incoterm", "split_incoterm_costs", incoterm="DAT")


@given(st.fixed_dictionaries({name: st.integers(0, 10**8) for name in STAGES}), st.sampled_from(sorted(SELLER_PAYS)))
def test_every_cost_is_paid_by_one_side(costs: dict[str, int], term: str) -> None:
    paid: dict[str, Any] = {name: cost / 100 for name, cost in costs.items()}
    result = call("split_incoterm_costs", incoterm=term, **paid)
    assert cents(result["seller_pays"]) + cents(result["buyer_pays"]) == sum(costs.values())


# Freight

BOX: dict[str, Any] = {
    "length_cm": 60,
    "width_cm": 50,
    "height_cm": 40,
    "pieces": 5,
    "gross_kg_per_piece": 12.3,
    "rate_per_kg": 3,
}


def test_freight_by_hand() -> None:
    assert call("find_chargeable_weight", transport_mode="air", **BOX) == {
        "volume_m3": 0.6,
        "volumetric_kg": 100,
        "gross_kg": 61.5,
        "chargeable_kg": 100,
        "charged_by": "volume",
        "freight_charge": 300,
    }
    by_mode = {
        mode: call("find_chargeable_weight", transport_mode=mode, **BOX)["chargeable_kg"]
        for mode in ("courier", "road", "sea")
    }
    assert by_mode == {"courier": 120, "road": 200, "sea": 600}  # 199.8 by road
    heavy = call("find_chargeable_weight", transport_mode="air", **BOX | {"gross_kg_per_piece": 20.02})
    assert (heavy["chargeable_kg"], heavy["charged_by"]) == (100.5, "gross_weight")
    single: dict[str, Any] = {**BOX, "pieces": 1, "stackable": False}
    assert call("find_chargeable_weight", transport_mode="road", **single)["volume_m3"] == 0.72
    assert call("find_chargeable_weight", transport_mode="air", **single)["volume_m3"] == 0.48
    tall = single | {"height_cm": 300}
    assert call("find_chargeable_weight", transport_mode="road", **tall)["volume_m3"] == 0.9
    assert (
        call("find_chargeable_weight", transport_mode="air", **BOX, minimum_charge=300.01)["freight_charge"] == 300.01
    )
    not_accepted("pieces", "find_chargeable_weight", transport_mode="air", **BOX | {"pieces": 0})


@given(
    st.sampled_from(["air", "courier", "road", "sea"]),
    st.floats(1, 1500),
    st.floats(1, 1500),
    st.floats(1, 1500),
    st.integers(1, 1000),
    st.floats(0.01, 30_000),
)
def test_nobody_travels_for_less_than_their_weight(
    mode: str, length: float, width: float, height: float, pieces: int, gross: float
) -> None:
    sides: dict[str, Any] = {"length_cm": length, "width_cm": width, "height_cm": height}
    load: dict[str, Any] = {"pieces": pieces, "gross_kg_per_piece": gross, "rate_per_kg": 1}
    result = call("find_chargeable_weight", transport_mode=mode, **sides, **load)
    heavier = max(result["volumetric_kg"], result["gross_kg"])
    step = 0.5 if mode in ("air", "courier") else 1
    assert -0.01 <= result["chargeable_kg"] - heavier < step + 0.01
    assert result["chargeable_kg"] % step == 0
    turned: dict[str, Any] = {"length_cm": height, "width_cm": length, "height_cm": width}
    assert call("find_chargeable_weight", transport_mode=mode, **turned, **load) == result


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


# Discounts

OFFER: dict[str, Any] = {
    "invoice_amount": 5_000,
    "discount_percent": 2,
    "invoice_date": "2026-03-01",
    "discount_days": 10,
    "net_days": 30,
    "daily_cash_cost": 1.25,
}


def test_discount_by_hand() -> None:
    assert call("weigh_early_payment_discount", **OFFER) == {
        "discount_until": "2026-03-11",
        "due_date": "2026-03-31",
        "discount": 100,
        "cost_of_paying_early": 25,
        "advantage": 75,
        "decision": "pay_early",
    }

    def decision(**changed: Any) -> str:
        result: str = call("weigh_early_payment_discount", **OFFER | changed)["decision"]
        return result

    assert decision(daily_cash_cost=5) == "no_difference"
    assert decision(daily_cash_cost=5.01) == "pay_at_due_date"
    assert decision(invoice_date="2026-02-22") == "pay_early"
    assert decision(invoice_date="2026-02-21") == "discount_expired"
    not_accepted("discount_days", "weigh_early_payment_discount", **OFFER | {"discount_days": 30})
    not_accepted("invoice_date", "weigh_early_payment_discount", **OFFER | {"invoice_date": "9999-12-01"})


@given(st.integers(0, 10**9), st.integers(0, 100), st.integers(0, 10**5), st.integers(1, 120), st.integers(1, 200))
def test_the_larger_amount_decides(amount: int, percent: int, daily: int, early: int, more: int) -> None:
    result = call(
        "weigh_early_payment_discount",
        invoice_amount=amount / 100,
        discount_percent=percent,
        invoice_date=TODAY.isoformat(),
        discount_days=early,
        net_days=early + more,
        daily_cash_cost=daily / 100,
    )
    advantage = Fraction((amount * percent + 50) // 100) - daily * more
    assert cents(result["advantage"]) == advantage
    assert (result["decision"] == "pay_early") == (advantage > 0)


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
