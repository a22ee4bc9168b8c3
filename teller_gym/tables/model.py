"""The model of a table: columns with their formats, rows of values, a title and a note."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

NOTHING = "–"
"""Text of a missing value."""

MARK = "†"
"""Mark before the name of anything that the paper measured, wherever it is shown beside our own."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure with its 95 % interval. All None where no episode says anything about it."""

    value: float | None
    low: float | None = None
    high: float | None = None


def json_values(value: Any) -> Any:
    """Return figures (dataclasses, mappings and sequences of them) as JSON values; metrics rounded to millionths."""
    if isinstance(value, Metric):
        ends = {"value": value.value, "low": value.low, "high": value.high}
        return {name: None if one is None else round(one, 6) for name, one in ends.items()}
    if is_dataclass(value):
        return {field.name: json_values(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): json_values(one) for name, one in value.items()}
    return [json_values(one) for one in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads to an address, in formats that have links."""

    text: str
    target: str


Value = str | int | float | Metric | Link | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: its heading.
        kind: format of its values, one of `KINDS`.
        interval: True if its values have 95 % intervals.
        right: True for a column of texts that is flush right, as columns of numbers are.
    """

    title: str
    kind: str = "unit"
    interval: bool = False
    right: bool = False

    @property
    def is_number(self) -> bool:
        """True if the column holds numbers, which are flush right."""
        return self.kind != "text"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `paper` is True if the paper measured it."""

    cells: Sequence[Value]
    paper: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        key: names its files and its label.
        intervals: sentence of the note about intervals, left out where none are shown.
        source: sentence of the note about the paper's figures.
    """

    columns: Sequence[Column]
    rows: Sequence[Row]
    key: str = ""
    title: str = ""
    note: str = ""
    intervals: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"{self.key}: expected {len(self.columns)} cells a row, got {len(row.cells)}")

    @classmethod
    def of_texts(cls, headings: Sequence[str], rows: Sequence[Sequence[str]], left: Collection[int] = (0,)) -> Table:
        """Return a table of texts; the columns whose places are in `left` are flush left, the others right."""
        columns = [Column(heading, "text", right=place not in left) for place, heading in enumerate(headings)]
        return cls(columns, [Row(cells) for cells in rows])

    def only(self, *titles: str) -> Table:
        """Return the table with only the columns that have these titles, in the order of the titles."""
        order = [next(at for at, column in enumerate(self.columns) if column.title == title) for title in titles]
        rows = [Row([row.cells[at] for at in order], row.paper) for row in self.rows]
        return replace(self, columns=[self.columns[at] for at in order], rows=rows)

    def full_note(self, intervals: bool = True) -> str:
        """Return the whole note; `intervals` is True if the table is shown with those that it has."""
        shown = intervals and any(interval_text(*pair) for row in self.rows for pair in self.pairs(row))
        return " ".join(part for part in (self.note, self.intervals if shown else "", self.source) if part)

    def pairs(self, row: Row) -> list[tuple[Column, Value]]:
        """Return the cells of a row, each with its column."""
        return list(zip(self.columns, row.cells, strict=True))


KINDS: Mapping[str, Callable[[Any], str]] = {
    "text": str,
    "int": "{:d}".format,
    "unit": "{:.3f}".format,
    "density": "{:.4f}".format,
    "percent": lambda value: f"{100 * value:.0f}",
    "share": lambda value: f"{100 * value:.1f}",
    "signed": "{:+.3f}".format,
    "signed_share": lambda value: f"{100 * value:+.1f}",
    "count": "{:.1f}".format,
    "usd": "{:.4f}".format,
    "hours": "{:.2f}".format,
    "seconds": "{:.3g}".format,
    "p": lambda value: "< 0.001" if value < 0.001 else f"{value:.3f}",
}
"""Format of a number, by the kind of its column: units from 0 to 1, percent and shares in per cent, counts, dollars."""

_UNITS = dict.fromkeys(("percent", "share", "signed_share"), " %")
"""Text after the number, or after an interval."""


def plain(value: Value) -> str | int | float | None:
    """Return a value without its interval, or without its address."""
    if isinstance(value, Link):
        return value.text
    return value.value if isinstance(value, Metric) else value


def value_text(column: Column, value: Value) -> str:
    """Return a value as text without its interval; a dash where there is none."""
    found = plain(value)
    if found is None:
        return NOTHING
    return found if isinstance(found, str) else _minus(KINDS[column.kind](found)) + _UNITS.get(column.kind, "")


def interval_text(column: Column, value: Value) -> str:
    """Return a value's interval in brackets, with as many decimals as the value; empty where there is none."""
    if not isinstance(value, Metric) or value.low is None or value.high is None:
        return ""
    write = KINDS[column.kind]
    return _minus(f"[{write(value.low)}, {write(value.high)}]") + _UNITS.get(column.kind, "")


def cell_text(column: Column, value: Value) -> str:
    """Return a value as text with its interval beside it."""
    return f"{value_text(column, value)} {interval_text(column, value)}".rstrip(" ")


def _minus(number: str) -> str:
    """Return a number with the sign that is set as wide as a plus."""
    return number.replace("-", "−")


def one_line(text: str) -> str:
    """Return the text with a space for each character that cannot be printed, such as the end of a line."""
    return "".join(one if one.isprintable() else " " for one in text)
