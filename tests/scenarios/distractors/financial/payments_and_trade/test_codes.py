"""Tests of payments_and_trade/codes: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call, not_accepted

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
    not_accepted("iban", "check_iban", iban="US29NWBK60161331926819")
    not_accepted("iban", "check_iban", iban="     ")
    not_accepted("iban", "check_iban", iban="GB29-NWBK")


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
    not_accepted("routing_number", "check_routing_number", routing_number="02100002")


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
    not_accepted("bic", "parse_bic", bic="DEUTZZFF")
    for wrong in ("DEUTDEF", "DEUTDEFF5", "DEUTDEFF5000", "DEUT1EFF"):
        not_accepted("bic", "parse_bic", bic=wrong)
