"""CSV: tables written in any style are read back; other files get an error with a line number."""

import csv
import io
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.documents.csv_files import DELIMITERS, CsvStyle, csv_bytes, read_table, text_bytes
from teller_gym.office.documents.errors import MAX_BYTES, DocumentError
from teller_gym.office.documents.tables import TextTable, records

CELLS = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=6),
    st.text(alphabet=',;\t|"\r\n\ufeff a1', max_size=6),
)
STYLES = st.builds(
    CsvStyle,
    delimiter=st.sampled_from(DELIMITERS),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    bom=st.booleans(),
    quote_all=st.booleans(),
)


@st.composite
def tables(draw: st.DrawFn) -> TextTable:
    width = draw(st.integers(1, 4))
    row = st.lists(CELLS, min_size=width, max_size=width).map(tuple)
    return TextTable(draw(row), tuple(draw(st.lists(row, max_size=4))))


@settings(max_examples=150)
@given(tables(), STYLES)
def test_what_is_written_is_read_by_python_too(table: TextTable, style: CsvStyle) -> None:
    data = csv_bytes(table, style)
    assert read_table(data) == table
    text = data.decode("utf-8").removeprefix("\ufeff" if style.bom else "")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=style.delimiter, strict=True))
    assert [tuple(row) for row in rows] == [table.columns, *table.rows]


@settings(max_examples=150)
@given(st.one_of(st.binary(max_size=60), st.text(alphabet='a1,;\t|"\r\n\ufeff', max_size=40).map(str.encode)))
def test_any_bytes_give_a_table_or_a_documented_error(data: bytes) -> None:
    try:
        table = read_table(data)
    except DocumentError as error:
        assert "xpected" in str(error)
    else:
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert read_table(csv_bytes(table)) == table


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no text"),
        (b"\xef\xbb\xbf\r\n\r\n", "no text"),
        (b"a,b\n1,2\n\n1,2,3\n", "Line 4: expected 2 cells"),
        (b'a,b\n"x\ny",2\n3\n', "Line 4: expected 2 cells"),
        (b"a,b\r1\r", "Line 2: expected 2 cells"),
        (b"Statement of account\nDate,Amount\n", "Line 2: expected 1 cells"),
        (b'a,b\n1,"2\n', "Line 2: expected a second quote"),
        (b'a,b\n1,"2"3\n', "Line 2: expected a delimiter or a line end"),
        (b"a,b\n\xe9,1\n", "0xE9 at position 4"),
        (b"a" * (MAX_BYTES + 1), "at most 8388608 bytes"),
    ],
)
def test_what_is_no_table_gets_an_error_that_says_where(data: bytes, said: str) -> None:
    with pytest.raises(DocumentError, match=said):
        read_table(data)


@pytest.mark.parametrize(
    ("data", "columns"),
    [
        (b"Name;Amount, USD\nA;1\nB;2\n", ("Name", "Amount, USD")),
        (b"Name|Note; see below\nA|1\n", ("Name", "Note; see below")),
        (b'"a;b",c\n1,2\n', ("a;b", "c")),
        (b'a;"b,c"\n', ("a", "b,c")),
        (b"a\tb,c,d\n1\t2\n", ("a", "b,c,d")),
        (b'5" pipe,weight\n1,2\n', ('5" pipe', "weight")),
        (b"only\n1\n", ("only",)),
    ],
)
def test_the_delimiter_is_found(data: bytes, columns: tuple[str, ...]) -> None:
    assert read_table(data).columns == columns


@pytest.mark.parametrize("piece", [b",", b"\n", b'"', b'""', b'a,"b"\n', b"a,b\n", b'"\n', b"\r\n,", b';,"'])
def test_the_time_is_linear(piece: bytes) -> None:
    def seconds(size: int) -> float:
        data = b"a,b\n" + piece * (size // len(piece))
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            with suppress(DocumentError):
                read_table(data)
            best = min(best, time.process_time() - start)
        return best

    # In quadratic time, 16 times the input would take 256 times as long.
    assert seconds(128 * 1024) < 80 * max(seconds(8 * 1024), 0.0005)


def test_records_have_canonical_names_and_no_two_the_same() -> None:
    table = TextTable(("Acct No", "Market Value ($)"), (("1", "2"),))
    assert records(table) == [{"account_number": "1", "market_value": "2"}]
    with pytest.raises(DocumentError, match="are both 'account_number'"):
        records(TextTable(("Acct No", "Account Number")))


@pytest.mark.parametrize("make", [lambda: TextTable(()), lambda: TextTable(("a",), (("1", "2"),))])
def test_a_table_has_columns_and_as_many_cells_in_every_row(make: object) -> None:
    with pytest.raises(DocumentError):
        make()  # type: ignore[operator]


def test_styles_and_texts_refuse_what_no_reader_takes() -> None:
    for wrong in ({"delimiter": ":"}, {"delimiter": ""}, {"line_end": "\n\n"}):
        with pytest.raises(DocumentError):
            CsvStyle(**wrong)  # type: ignore[arg-type]
    with pytest.raises(DocumentError, match="surrogate"):
        csv_bytes(TextTable(("\ud800",)))
    with pytest.raises(DocumentError, match="line 2 has one"):
        text_bytes(["a", "b\nc"])
    assert text_bytes(["Dear é", ""]) == b"Dear \xc3\xa9\n\n"
