"""A perturbed table has the same records after reading and normalising it."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.documents.amounts import MoneyStyle, money_text, parse_money
from teller_gym.office.documents.csv_files import csv_bytes, read_table
from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.perturbing import (
    HeaderCase,
    drawn_style,
    with_column_order,
    with_header_case,
    with_money_style,
    with_row_order,
    with_synonyms,
)
from teller_gym.office.documents.tables import TextTable, canonical_header, records, split

HEADERS = ["Account Number", "Market Value ($)", "Posting Date", "Shelf no.", "Größe", "Ref", "Debit", "Nota bene"]
TEXTS = st.text(alphabet='ab ,;\t|"\n.', max_size=5)
SEEDS = st.integers(0, 10**9)


@st.composite
def tables(draw: st.DrawFn) -> tuple[TextTable, list[str]]:
    """Draw a table and its columns with amounts of money."""
    columns = draw(st.lists(st.sampled_from(HEADERS), min_size=1, max_size=5, unique=True))
    money = [column for column in columns if draw(st.booleans())]
    amounts = st.just("") | st.integers(-(10**9), 10**9).map(money_text)
    row = st.tuples(*(amounts if column in money else TEXTS for column in columns))
    return TextTable(tuple(columns), tuple(draw(st.lists(row, max_size=6)))), money


def normalised(table: TextTable, money: list[str]) -> Counter[frozenset[tuple[str, object]]]:
    names = {canonical_header(column) for column in money}
    return Counter(
        frozenset(
            (name, parse_money(cell) if name in names and cell.strip() else cell) for name, cell in record.items()
        )
        for record in records(table)
    )


@settings(max_examples=80, deadline=None)
@given(tables(), SEEDS)
def test_a_perturbed_table_has_the_same_records(drawn: tuple[TextTable, list[str]], seed: int) -> None:
    table, money = drawn
    rng = Random(seed)
    changed = with_money_style(table, money, rng.choice(tuple(MoneyStyle)))
    changed = with_header_case(with_synonyms(changed, rng), rng.choice(tuple(HeaderCase)))
    data = csv_bytes(with_row_order(with_column_order(changed, rng), rng), drawn_style(rng))
    assert normalised(read_table(data), money) == normalised(table, money)


def test_each_perturbation_does_something() -> None:
    table = TextTable(("Market Value ($)", "Name"), tuple((f"{n}.50", f"n{n}") for n in range(1, 9)))
    assert [with_header_case(table, case).columns[0] for case in HeaderCase] == [
        "MARKET VALUE ($)",
        "market value ($)",
        "Market Value",
        "market_value",
        "market-value",
    ]
    for change in (with_synonyms, with_column_order, with_row_order):
        assert len({change(table, Random(seed)) for seed in range(20)}) > 1
    assert len({drawn_style(Random(seed)) for seed in range(20)}) > 10
    dollars = with_money_style(table, ["Market Value ($)"], MoneyStyle.DOLLAR)
    assert dollars.rows[0] == ("$1.50", "n1")


def test_draws_are_the_same_in_every_version_of_python() -> None:
    table = TextTable(("a",), tuple((str(number),) for number in range(8)))
    assert [row[0] for row in with_row_order(table, Random(5)).rows] == ["1", "0", "3", "2", "6", "7", "5", "4"]


def test_a_header_stays_where_its_case_would_change_what_it_means() -> None:
    assert with_header_case(TextTable(("ı",)), HeaderCase.UPPER).columns == ("ı",)


def test_what_is_no_money_is_no_money_column() -> None:
    with pytest.raises(DocumentError):
        with_money_style(TextTable(("a",), (("n/a",),)), ["a"], MoneyStyle.DOLLAR)
    with pytest.raises(DocumentError):
        with_money_style(TextTable(("a",)), ["b"], MoneyStyle.DOLLAR)


@given(st.integers(0, 20), st.integers(1, 7))
def test_parts_are_even_and_make_the_whole(count: int, parts: int) -> None:
    table = TextTable(("a",), tuple((str(number),) for number in range(count)))
    found = split(table, parts)
    sizes = [len(part.rows) for part in found]
    assert len(sizes) == parts
    assert max(sizes) - min(sizes) <= 1
    assert [row for part in found for row in part.rows] == list(table.rows)
