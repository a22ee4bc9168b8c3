"""Tests of taxes_and_payroll/tax_numbers: expected values worked out by hand, or anew in another way."""

from typing import Any, get_args

import pytest

from teller_gym.scenarios.distractors.financial.taxes_and_payroll.tax_numbers import SCHEMES, TaxNumberKind
from tests.scenarios.distractors.desk import call

# Tax numbers: real companies' numbers and examples of tax offices, as they are printed in public sources

VALID: dict[str, Any] = {
    "de_vat": "DE 136 695 976",
    "it_vat": "IT00743110157",
    "be_vat": "BE 0403.019.261",
    "pl_vat": "PL 856-734-62-15",
    "pt_vat": "501964843",
    "dk_vat": "DK13585628",
    "fi_vat": "FI 2077474-0",
    "lu_vat": "LU15027442",
    "no_org": "988 077 917",
    "au_abn": "83 914 571 673",
}


def test_every_kind_is_known() -> None:
    assert tuple(SCHEMES) == get_args(TaxNumberKind)
    assert {*VALID, "us_ein"} == set(SCHEMES)


@pytest.mark.parametrize("kind", VALID)
def test_numbers_that_are_right_and_single_wrong_digits(kind: str) -> None:
    right = call("check_tax_number", kind=kind, tax_number=VALID[kind])
    assert (right["well_formed"], right["check_digits_fit"], right["problem"]) == (True, True, "none")
    digits = right["digits"]
    for place in range(1, len(digits)):
        wrong = digits[:place] + str((int(digits[place]) + 1) % 10) + digits[place + 1 :]
        found = call("check_tax_number", kind=kind, tax_number=wrong)
        assert (found["check_digits_fit"], found["problem"]) == (False, "wrong_check_digits"), wrong


@pytest.mark.parametrize(
    ("kind", "number", "problem"),
    [
        ("us_ein", "12-3456789", "none"),
        ("us_ein", "123-456789 0", "wrong_length"),
        ("us_ein", "12-34567AB", "not_digits"),
        ("de_vat", "FR136695976", "wrong_country"),
        ("de_vat", "036695976", "wrong_first_digit"),
        ("it_vat", "00000000000", "wrong_check_digits"),
        ("dk_vat", "DK١٣٥٨٥٦٢٨", "not_digits"),
        ("dk_vat", "DK  ..--", "not_digits"),
    ],
)
def test_numbers_of_a_wrong_form(kind: str, number: str, problem: str) -> None:
    found = call("check_tax_number", kind=kind, tax_number=number)
    assert found["problem"] == problem
    assert found["check_digits_fit"] is (False if problem == "wrong_check_digits" else None)
