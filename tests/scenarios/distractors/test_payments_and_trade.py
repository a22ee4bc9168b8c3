"""Payments and trade: expected values are published examples, or worked out by hand or anew."""

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.errors import ErrorKind, ToolError
from teller_gym.scenarios.distractors.financial._payment_codes import tables
from tests.scenarios.distractors.desk import TODAY, all_tools, call, empty_bank


def refused(name: str, field: str, **arguments: Any) -> None:
    with pytest.raises(ToolError) as caught:
        call(name, **arguments)
    assert (caught.value.kind, caught.value.field) == (ErrorKind.VALIDATION, field)


def cents(dollars: float) -> int:
    return round(dollars * 100)


def choices(name: str, argument: str) -> list[str]:
    schema = next(p for p in all_tools()[name].parameters if p.name == argument).schema
    found: list[str] = schema["enum"]
    return found


# IBAN

PUBLISHED_IBANS = [
    "AT611904300234573201",
    "BE68539007547034",
    "CH9300762011623852957",
    "DE89370400440532013000",
    "DK5000400440116243",
    "ES9121000418450200051332",
    "FI2112345600000785",
    "FR1420041010050500013M02606",
    "GB29NWBK60161331926819",
    "IE29AIBK93115212345678",
    "IT60X0542811101000000123456",
    "LU280019400644750000",
    "NL91ABNA0417164300",
    "NO9386011117947",
    "PL61109010140000071219812874",
    "PT50000201231234567890154",
    "SE4550000000058398257466",
]


@pytest.mark.parametrize("iban", PUBLISHED_IBANS)
def test_published_ibans_pass(iban: str) -> None:
    assert call("check_iban", iban=f" {iban[:6].lower()} {iban[6:]}", expected_country=iban[:2]) == {
        "finding": "ok",
        "country_code": iban[:2],
        "expected_length": len(iban),
        "right_check_digits": iban[2:4],
        "printed_form": " ".join(iban[at : at + 4] for at in range(0, len(iban), 4)),
    }


def test_what_is_wrong_with_an_iban() -> None:
    def finding(iban: str, **more: Any) -> str:
        result: str = call("check_iban", iban=iban, **more)["finding"]
        return result

    good = "GB29NWBK60161331926819"
    assert finding(good, expected_country="IE") == "other_country"
    assert finding(good + "0") == "wrong_length"
    assert finding("GB29NW1K60161331926819") == "wrong_structure"
    assert finding("GBX9NWBK60161331926819") == "wrong_structure"
    wrong = call("check_iban", iban="GB30NWBK60161331926819")
    assert (wrong["finding"], wrong["right_check_digits"], wrong["printed_form"]) == ("wrong_check_digits", "29", None)
    refused("check_iban", "iban", iban="US29NWBK60161331926819")
    refused("check_iban", "iban", iban="     ")
    refused("check_iban", "iban", iban="GB29-NWBK")


@given(st.sampled_from(PUBLISHED_IBANS), st.integers(4, 33), st.integers(0, 9))
def test_one_wrong_digit_is_found(iban: str, place: int, digit: int) -> None:
    place = place % len(iban)
    if place < 4 or not iban[place].isdigit() or iban[place] == str(digit):
        return
    changed = iban[:place] + str(digit) + iban[place + 1 :]
    assert call("check_iban", iban=changed)["finding"] == "wrong_check_digits"


# Routing numbers


@pytest.mark.parametrize(
    ("number", "kind", "place"),
    [
        ("021000021", "primary", "New York"),
        ("011000015", "primary", "Boston"),
        ("121000248", "primary", "San Francisco"),
        ("111000025", "primary", "Dallas"),
        ("322271627", "thrift", "San Francisco"),
        ("000000000", "government", None),
    ],
)
def test_routing_numbers_in_use(number: str, kind: str, place: str | None) -> None:
    assert call("check_routing_number", routing_number=number) == {
        "finding": "ok",
        "right_check_digit": int(number[8]),
        "issuer_kind": kind,
        "reserve_bank": place,
    }


def test_routing_numbers_by_hand() -> None:
    wrong = call("check_routing_number", routing_number="021000022")
    assert (wrong["finding"], wrong["right_check_digit"]) == ("wrong_check_digit", 1)
    electronic = call("check_routing_number", routing_number="671000000")
    assert (electronic["issuer_kind"], electronic["reserve_bank"]) == ("electronic", "Chicago")
    assert call("check_routing_number", routing_number="800000000")["issuer_kind"] == "travelers_checks"
    for prefix in (13, 20, 33, 60, 73, 79, 81, 99):
        result = call("check_routing_number", routing_number=f"{prefix}0000000")
        assert (result["finding"], result["reserve_bank"]) == ("unassigned_prefix", None)
    refused("check_routing_number", "routing_number", routing_number="02100002")


@given(st.integers(1, 12), st.integers(0, 10**6 - 1), st.integers(0, 7), st.integers(1, 9))
def test_the_last_digit_guards_all_others(prefix: int, rest: int, place: int, step: int) -> None:
    digits = f"{prefix:02d}{rest:06d}"
    check = call("check_routing_number", routing_number=digits + "0")["right_check_digit"]
    whole = [*map(int, digits), check]
    assert (3 * sum(whole[0::3]) + 7 * sum(whole[1::3]) + sum(whole[2::3])) % 10 == 0
    other = digits[:place] + str((int(digits[place]) + step) % 10) + digits[place + 1 :]
    assert call("check_routing_number", routing_number=other + "0")["right_check_digit"] != check


# BIC


def test_parts_of_a_bic() -> None:
    assert call("parse_bic", bic="deutdeff500", expected_country="DE") == {
        "bank_code": "DEUT",
        "country_code": "DE",
        "location_code": "FF",
        "branch_code": "500",
        "head_office": False,
        "test_code": False,
        "country_as_expected": True,
    }
    office = call("parse_bic", bic="NEDSZAJJ", expected_country="NA")
    assert (office["branch_code"], office["head_office"], office["country_as_expected"]) == ("XXX", True, False)
    tested = call("parse_bic", bic="DSBACNB0XXX")
    assert (tested["test_code"], tested["head_office"], tested["country_as_expected"]) == (True, True, None)
    refused("parse_bic", "bic", bic="DEUTZZFF")
    for wrong in ("DEUTDEF", "DEUTDEFF5", "DEUTDEFF5000", "DEUT1EFF"):
        refused("parse_bic", "bic", bic=wrong)


def test_country_codes_are_those_of_iso_3166() -> None:
    codes = tables()["countries"].split()
    assert len(set(codes)) == len(codes) == 250  # 249 of the standard, and Kosovo
    assert set(tables()["iban"]) < set(codes)


# References


def test_published_references() -> None:
    def reference(base: str, scheme: str) -> str:
        result: str = call("make_payment_reference", base_number=base, scheme=scheme)["reference"]
        return result

    assert reference("539007547034", "iso11649") == "RF18539007547034"
    assert reference("7992739871", "luhn") == "79927398713"
    assert reference("123456", "finnish_731") == "1234561"
    assert reference("21000000000313947143000901", "swiss_qr") == "210000000003139471430009017"
    assert reference("42", "swiss_qr")[:26] == "42".zfill(26)


def test_references_printed_and_compared() -> None:
    made = call("make_payment_reference", base_number="539007547034", scheme="iso11649", group_size=4)
    assert made["printed_form"] == "RF18 5390 0754 7034"
    assert made["received_matches"] is None
    finnish: dict[str, Any] = {"base_number": "123456", "scheme": "finnish_731", "group_size": 5}
    same = call("make_payment_reference", **finnish, received_reference="12 34561")
    assert (same["printed_form"], same["received_matches"], same["check_digits"]) == ("12 34561", True, "1")
    assert call("make_payment_reference", **finnish, received_reference="12 34562")["received_matches"] is False
    refused("make_payment_reference", "base_number", base_number="12A", scheme="luhn")
    refused("make_payment_reference", "base_number", base_number="12", scheme="finnish_731")
    refused("make_payment_reference", "base_number", base_number="1" * 22, scheme="iso11649")


@given(
    st.integers(100, 10**19 - 1).map(str),
    st.sampled_from(["iso11649", "luhn", "finnish_731", "swiss_qr"]),
    st.integers(0, 18),
    st.integers(1, 9),
    st.integers(0, 6),
)
def test_another_digit_gives_another_check_digit(base: str, scheme: str, place: int, step: int, size: int) -> None:
    place %= len(base)
    other = base[:place] + str((int(base[place]) + step) % 10) + base[place + 1 :]
    arguments: dict[str, Any] = {"scheme": scheme, "group_size": size}
    made, changed = (call("make_payment_reference", base_number=number, **arguments) for number in (base, other))
    assert made["check_digits"] != changed["check_digits"]
    assert made["printed_form"].replace(" ", "") == made["reference"]
    groups = [len(group) for group in made["printed_form"].split(" ")]
    assert size == 0 or max(groups) <= size


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
    refused("calculate_import_charges", "goods_class", **COFFEE | {"goods_class": "gold"})


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
    refused("split_incoterm_costs", "incoterm", incoterm="DAT")


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
    refused("find_chargeable_weight", "pieces", transport_mode="air", **BOX | {"pieces": 0})


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
    refused(name, "expiry_date", shipment_date="2026-02-20", expiry_date="2026-02-19")
    refused(name, "shipment_date", shipment_date="9999-12-31", expiry_date="9999-12-31")
    refused(name, "expiry_date", shipment_date="2026-02-20", expiry_date="9999-12-31")
    latest: dict[str, Any] = {"latest_shipment_date": "2026-03-02"}
    refused(name, "latest_shipment_date", shipment_date="2026-02-20", expiry_date="2026-03-01", **latest)


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
    refused("weigh_early_payment_discount", "discount_days", **OFFER | {"discount_days": 30})
    refused("weigh_early_payment_discount", "invoice_date", **OFFER | {"invoice_date": "9999-12-01"})


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
    refused("list_purchase_orders", "due_by", due_by="2026-03-03")


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
    refused("create_purchase_order", field, **PAPER | changed)


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
