"""Tests of payments_and_trade/transport: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.scenarios.distractors.financial.payments_and_trade._payment_codes import tables
from tests.scenarios.distractors.desk import all_tools, call, not_accepted
from tests.scenarios.distractors.financial.payments_and_trade.values import cents


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
