"""Tests of geography/countries: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scenarios.distractors.desk import call
from tests.scenarios.distractors.general.geography.values import angle, refused


def test_country_facts() -> None:
    assert call("get_country_facts", country="jpn") == {
        "name": "Japan",
        "capital": "Tokyo",
        "iso2": "JP",
        "iso3": "JPN",
        "calling_code": "+81",
        "currency": "JPY",
        "drives_on": "left",
        "countries_with_currency": 1,
    }
    euro = {
        "Austria",
        "Belgium",
        "Finland",
        "France",
        "Germany",
        "Greece",
        "Ireland",
        "Italy",
        "NL",
        "PT",
        "ES",
    }
    assert {call("get_country_facts", country=name)["countries_with_currency"] for name in euro} == {len(euro)}
    assert call("get_country_facts", country="Norway")["iso2"] == "NO"
    assert call("get_country_facts", country="Turkey")["name"] == "Türkiye"
    assert "Iceland" in refused("get_country_facts", "country", country="Atlantis")


def test_distances_of_capitals() -> None:
    found = call("measure_capital_distance", from_country="UK", to_country="France")
    assert (found["from_capital"], found["to_capital"]) == ("London", "Paris")
    assert found["distance"] == round(angle((51.51, -0.13), (48.86, 2.35)) * 111.195) == 343
    miles = call("measure_capital_distance", from_country="US", to_country="AU", unit="miles")["distance"]
    assert abs(miles - 9_920) < 30
    refused("measure_capital_distance", "to_country", from_country="UK", to_country="GB")


@given(*[st.sampled_from(["AR", "CA", "IN", "JP", "KE", "NZ", "SE"])] * 3)
def test_no_capital_is_nearer_by_a_detour(a: str, b: str, c: str) -> None:
    def way(start: str, end: str) -> int:
        if start == end:
            return 0
        found: int = call("measure_capital_distance", from_country=start, to_country=end)["distance"]
        return found

    assert way(a, b) == way(b, a)
    assert way(a, c) <= way(a, b) + way(b, c) + 2


@pytest.mark.parametrize(
    ("country", "number", "style", "text"),
    [
        ("Germany", "030 1234567", "international", "+49 301 234 567"),
        ("US", "(415) 555-2671", "international", "+1 415 555 2671"),
        ("US", "1-415-555-2671", "national", "415 555 2671"),
        ("IT", "06 698 2000", "international", "+39 066 982 000"),
        ("HU", "06 1 234 5678", "link", "tel:+3612345678"),
        ("GB", "+44 20 7946 0000", "national", "0207 946 0000"),
        ("IN", "+91 98765 43210", "link", "tel:+919876543210"),
    ],
)
def test_phone_numbers(country: str, number: str, style: str, text: str) -> None:
    assert call("format_phone_number", country=country, number=number, style=style)["text"] == text


def test_separators_extensions_and_wrong_numbers() -> None:
    asked: dict[str, Any] = {"country": "SE", "number": "08 123 456", "extension": "12"}
    assert call("format_phone_number", **asked, separator="hyphen")["text"] == "+46-812-3456 ext. 12"
    assert call("format_phone_number", **asked, style="link") == {"text": "tel:+468123456;ext=12", "digits": 7}
    for country, number in (("SE", "+47 22334455"), ("SE", "08"), ("US", "555-2671"), ("IN", "98765 43210")):
        refused("format_phone_number", "number", country=country, number=number)
    refused("format_phone_number", "style", country="BR", number="+55 11 91234 5678", style="national")


@given(st.from_regex(r"\A[1-9][0-9]{4,11}\Z"), st.sampled_from(["SE", "DK", "JP", "IE"]))
def test_numbers_survive_rewriting(digits: str, country: str) -> None:
    first = call("format_phone_number", country=country, number=digits)
    for style in ("international", "national"):
        again = call("format_phone_number", country=country, number=digits, style=style)["text"]
        assert call("format_phone_number", country=country, number=again) == first
    assert first["digits"] == len(digits)


@pytest.mark.parametrize(
    ("country", "code", "proper"),
    [
        ("GB", "sw1a1aa", "SW1A 1AA"),
        ("GB", "M1 1AE", "M1 1AE"),
        ("CA", "k1a-0b1", "K1A 0B1"),
        ("NL", "1012JS", "1012 JS"),
        ("US", "123456789", "12345-6789"),
        ("IE", "d6wxh92", "D6W XH92"),
        ("PL", "00 950", "00-950"),
        ("DE", "1011", None),
        ("SE", "ABC12", None),
        ("CH", "- -", None),
    ],
)
def test_postal_codes(country: str, code: str, proper: str | None) -> None:
    found = call("check_postal_code", country=country, postal_code=code)
    assert (found["valid"], found["proper_form"]) == (proper is not None, proper)
    if proper:
        assert call("check_postal_code", country=country, postal_code=proper)["proper_form"] == proper


def test_postal_codes_of_no_country() -> None:
    assert call("check_postal_code", country="US", postal_code="1")["formats"] == ["99999", "99999-9999"]
    refused("check_postal_code", "country", country="Ruritania", postal_code="1")
    refused("check_postal_code", "postal_code", country="US", postal_code="12_45")
