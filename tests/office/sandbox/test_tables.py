from typing import Any

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


@pytest.mark.parametrize(
    ("rows", "columns"),
    [([], None), ([], []), ([["x"]], None), ([{"a": ""}, {"b": ""}], None), ([["x"]], ["a", "b"]), ([], ["a", "a"])],
)
def test_rows_that_fit_no_columns_are_refused(rows: Any, columns: list[str] | None) -> None:
    with pytest.raises((ValueError, TypeError), match=r"row|columns"):
        write(rows, columns)
    assert write([["1", "2.5"]], ["x", "y"]) == "x,y\n1,2.5\n"


cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=8) | st.sampled_from(
    [";", ",", '"', "\r\n", "\n", "a;b;c", "sep=;", " ", "\t|"]
)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_is_written_is_read(data: st.DataObject) -> None:
    names = data.draw(st.lists(cells.filter(bool), min_size=1, max_size=4, unique=True))
    rows = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(names, cells)), max_size=4))
    text = write(rows, names)
    if not text.startswith("\ufeff"):
        assert parse(decode(text.encode())) == rows
