"""Tests of payments_and_trade/_payment_codes: expected values worked out by hand, or anew in another way."""

from teller_gym.scenarios.distractors.financial.payments_and_trade._payment_codes import tables


def test_country_codes_are_those_of_iso_3166() -> None:
    codes = tables()["countries"].split()
    assert len(set(codes)) == len(codes) == 250  # 249 of the standard, and Kosovo
    assert set(tables()["iban"]) < set(codes)
