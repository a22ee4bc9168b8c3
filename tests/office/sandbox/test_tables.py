from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.sandbox.tables import decode, parse, write

ROWS = [{"name": "Okafor", "amount": "1,5"}, {"name": "Lund", "amount": ""}]


@pytest.mark.parametrize(
    "data",
    [
        b'name,amount\nOkafor,"1,5"\nLund,\n',
        b"name;amount\r\nOkafor;1,5\r\nLund;\r\n",
        b"\xef\xbb\xbfname;amount\r\nOkafor;1,5\r\n\r\nLund\r\n",
        b"name\tamount\rOkafor\t1,5\rLund\t",
        b"sep=|\r\nname|amount\r\nOkafor|1,5\r\nLund|\r\n",
        "name;amount\nOkafor;1,5\nLund;".encode("utf-16"),
    ],
)
def test_kinds_of_files(data: bytes) -> None:
    assert parse(decode(data)) == ROWS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2,3\n", "line 2 has 3 fields"),
        ("a,a\n1,2\n", "two columns"),
        ('a,b\n"1,2\n', "not CSV"),
    ],
)
def test_what_is_no_table_is_told(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse(text)


def test_encodings() -> None:
    with pytest.raises(ValueError, match="cp1252"):
        decode(b"M\xfcller")
    assert decode(b"M\xfcller", "cp1252") == "Müller"
    with pytest.raises(ValueError, match="expected one of"):
        decode(b"x", "idna")
    assert parse("a,,\n1,2,3") == [{"a": "1", "column_2": "2", "column_3": "3"}]


def test_values_are_written_plainly() -> None:
    rows = [{"a": Decimal("1E+2"), "b": date(2026, 3, 2), "c": None, "d": True}]
    assert write(rows) == "a,b,c,d\n100,2026-03-02,,True\n"
    assert write([[1, 2.5]], ["x", "y"]) == "x,y\n1,2.5\n"
    for wrong in ([], [{"a": 1}, {"b": 1}], [{"a": 1}, 3], "x", [{"a": [1]}]):
        with pytest.raises((ValueError, TypeError), match=r"row|columns"):
            write(wrong)


cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=8) | st.sampled_from(
    [";", ",", '"', "\r\n", "\n", "a;b;c", "sep=;", " ", "\t|"]
)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_is_written_is_read(data: st.DataObject) -> None:
    names = data.draw(st.lists(cells.filter(bool), min_size=1, max_size=4, unique=True))
    rows = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(names, cells)), max_size=4))
    text = write(rows, names)
    if not text.startswith("\ufeff"):
        assert parse(decode(text.encode())) == rows
