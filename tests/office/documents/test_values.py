"""Money, percentages, dates and headers: unambiguous texts are read, others are refused."""

import time
from contextlib import suppress
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.documents.amounts import MoneyStyle, money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import DateStyle, date_text, parse_date
from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.tables import canonical_header, normal_header, synonyms

LIKE_AMOUNTS = st.text(alphabet="0123456789.,' \u00a0$€-+()%USDk\u2212", max_size=14)


def test_each_style_writes_as_it_says() -> None:
    written = {style: (money_text(123450, style), money_text(-123450, style)) for style in MoneyStyle}
    assert written == {
        MoneyStyle.PLAIN: ("1234.50", "-1234.50"),
        MoneyStyle.GROUPED: ("1,234.50", "-1,234.50"),
        MoneyStyle.DOLLAR: ("$1,234.50", "-$1,234.50"),
        MoneyStyle.CODE: ("1,234.50 USD", "-1,234.50 USD"),
        MoneyStyle.PARENTHESES: ("1,234.50", "(1,234.50)"),
        MoneyStyle.COMMA: ("1.234,50", "-1.234,50"),
    }


@settings(max_examples=120)
@given(st.integers(-(10**32) + 1, 10**32 - 1) | st.integers(-(10**7), 10**7), st.sampled_from(MoneyStyle))
def test_money_is_read_back(cents: int, style: MoneyStyle) -> None:
    assert parse_money(money_text(cents, style)) == cents


def test_money_too_long_to_read_is_not_written() -> None:
    with pytest.raises(DocumentError):
        money_text(10**32)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0), ("-0.00", 0), (".5", 50), ("1234", 123400), ("1,234", 123400), ("1,234,567", 123456700),
        ("1.234.567", 123456700), ("1.234.567,8", 123456780), ("1 234,50", 123450), ("1\u00a0234.50", 123450),
        ("1\u202f234,50\u00a0€", 123450), ("1'234.50", 123450), ("$ 5", 500), ("US$5.1", 510), ("usd 5", 500),
        ("5 GBP", 500), ("\u22125.00", -500), ("5.00-", -500), ("($5.00)", -500), ("$(5.00)", -500), ("-$5", -500),
        ("$-5", -500), ("+5", 500), ("(5.00 USD)", -500), (" 1,5 ", 150), ("5.00 - ", -500),
    ],
)  # fmt: skip
def test_money_as_people_write_it(text: str, cents: int) -> None:
    assert parse_money(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "-", "$", "n/a", "1.234", "0,123", "0.125", "1234.567", "1,234.567", "1,23,456", "12 50", "1,234 567",
        "1,234,50.00", "(5", "5)", "(-5)", "-(5)", "--5", "-5-", "$5 USD", "5%", "5e3", "1_000", "٣", "５", "5 5",
        "007", "5.", "1..5", "1,,5", "5k", "1.234,567.00", "9" * 65, "5" + " " * 300 + "x", "1\n2", "inf", "nan",
    ],
)  # fmt: skip
def test_what_is_no_money_or_two_amounts_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="Expected"):
        parse_money(text)


@settings(max_examples=200)
@given(st.text(max_size=80) | LIKE_AMOUNTS)
def test_any_text_is_a_number_or_gives_a_documented_error(text: str) -> None:
    for parse in (parse_money, parse_percent, parse_date):
        with suppress(DocumentError):
            parse(text)


@settings(max_examples=200)
@given(LIKE_AMOUNTS)
def test_an_amount_has_the_digits_that_were_written(text: str) -> None:
    """The amount equals all digits, scaled by the number of digits after the last separator."""
    try:
        cents = parse_money(text)
    except DocumentError:
        return
    digits = "".join(char for char in text if char.isdigit())
    behind = text.replace(",", ".").rstrip("$€-+()%USDk\u2212 \u00a0").rpartition(".")[2]
    decimals = len(behind) if behind.isdigit() and len(behind) < 3 and ("." in text or "," in text) else 0
    assert abs(cents) == int(digits) * 10 ** (2 - decimals)
    assert (cents < 0) == (any(mark in text for mark in "(-\u2212") and int(digits) > 0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4.25%", "4.25"), ("4.25 %", "4.25"), ("4,25\u00a0%", "4.25"), ("4.125", "4.125"), ("4.25 Percent", "4.25"),
        ("-0.5%", "-0.5"), ("(0.5%)", "-0.5"), ("1,234.5%", "1234.5"), ("100%", "100"), ("0.0375", "0.0375"),
        ("-0", "0"),
    ],
)  # fmt: skip
def test_percentages(text: str, value: str) -> None:
    assert parse_percent(text) == Decimal(value)


@pytest.mark.parametrize("text", ["", "%", "4,125%", "1 234%%", "5 bps", "(5%", "(-5%)", "4.2.5%", "1e3%", "$5"])
def test_what_is_no_percentage_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="Expected"):
        parse_percent(text)


@given(st.dates(), st.sampled_from(DateStyle))
def test_dates_are_read_back(day: date, style: DateStyle) -> None:
    assert parse_date(date_text(day, style), "mdy") == day
    if style is not DateStyle.US or day.day > 12 or day.day == day.month:
        assert parse_date(date_text(day, style)) == day
    else:
        with pytest.raises(DocumentError, match="may have its month first"):
            parse_date(date_text(day, style))


@pytest.mark.parametrize(
    "text",
    ["2026-03-25", "2026/3/25", "03/25/2026", "25/03/2026", "25.3.2026", "25 March 2026", "25-Mar-2026",
     "25. march 2026",
     "March 25, 2026", "mar. 25 2026", "25th of March 2026", "March 25th, 2026", " 2026-03-25\u00a0"],
)  # fmt: skip
def test_dates_as_people_write_them(text: str) -> None:
    assert parse_date(text) == date(2026, 3, 25)


@pytest.mark.parametrize(
    "text",
    ["", "03/09/2026", "3.9.2026", "2026-02-30", "0000-01-01", "13/13/2026", "20260309", "9/3/26", "March 2026",
     "9 Marchy 2026", "2026-03-09T00:00", "2026-3/9", "٢٠٢٦-03-09", "9 mar 2026 x", "2026-03-09" + " " * 99],
)  # fmt: skip
def test_what_is_no_date_or_two_days_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="Expected"):
        parse_date(text)


def test_the_order_that_is_told_decides() -> None:
    assert parse_date("03/09/2026", "mdy") == date(2026, 3, 9)
    assert parse_date("03/09/2026", "dmy") == date(2026, 9, 3)
    with pytest.raises(DocumentError):
        parse_date("25/03/2026", "mdy")


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Market Value ($)", "market_value"), ("\ufeffMARKET-VALUE", "market_value"),
        (" market\u00a0 value ", "market_value"),
        ("Amount (USD)", "amount"), ("Share [%]", "share"), ("Balance (end)", "balance_end"), ("Straße", "strasse"),
        ("($)", ""), ("", ""), ("No. of Units", "no_of_units"), ("((((", ""),
    ],
)  # fmt: skip
def test_normal_headers(text: str, normal: str) -> None:
    assert normal_header(text) == normal


@settings(max_examples=120)
@given(st.text(max_size=20) | st.text(alphabet="()[]$%aUSD _-\u00a0\ufeff", max_size=12))
def test_a_normal_header_is_its_own(text: str) -> None:
    assert normal_header(normal_header(text)) == normal_header(text)


def test_no_header_stands_for_two_names() -> None:
    seen: dict[str, str] = {}
    for name, headers in synonyms().items():
        assert normal_header(name) == name
        for header in (name, *headers):
            assert seen.setdefault(normal_header(header), name) == name
            assert canonical_header(header.upper()) == name


def test_a_header_of_many_blanks_is_read_at_once() -> None:
    began = time.process_time()
    assert normal_header("value (" + " " * 100_000) == "value"
    assert time.process_time() - began < 5
