"""Model of a table, with formatted columns, rows of values, a title and a note."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

NOTHING = "–"
"""Text shown for a missing value."""

MARK = "†"
"""Mark before names whose values come from the paper."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A value with its 95 % interval, which are all None if no episode contributes."""

    value: float | None
    low: float | None = None
    high: float | None = None


def json_values(value: Any) -> Any:
    """Convert dataclasses, mappings and sequences to JSON values, with metrics rounded to millionths."""
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
    """Text with a link target, for formats that support links."""

    text: str
    target: str


Value = str | int | float | Metric | Link | None


@dataclass(frozen=True, slots=True)
class Column:
    """Table column.

    Attributes:
        kind: format of the values, one of `KINDS`.
        interval: True if the values have 95 % intervals.
        right: True for a right-aligned text column; numbers are always right-aligned.
    """

    title: str
    kind: str = "unit"
    interval: bool = False
    right: bool = False

    @property
    def is_number(self) -> bool:
        """True if the column contains numbers, which are right-aligned."""
        return self.kind != "text"


@dataclass(frozen=True, slots=True)
class Row:
    """Table row; `paper` is True if its values come from the paper."""

    cells: Sequence[Value]
    paper: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Table with typed columns.

    Attributes:
        key: name of the table's files and LaTeX label.
        intervals: sentence about intervals, omitted if none are shown.
        source: sentence about the paper's values.
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
        """Return a table of text.

        Columns with an index in `left` are left-aligned, and all others are right-aligned.
        """
        columns = [Column(heading, "text", right=place not in left) for place, heading in enumerate(headings)]
        return cls(columns, [Row(cells) for cells in rows])

    def only(self, *titles: str) -> Table:
        """Return the table reduced to the columns with these titles, in this order."""
        order = [next(at for at, column in enumerate(self.columns) if column.title == title) for title in titles]
        rows = [Row([row.cells[at] for at in order], row.paper) for row in self.rows]
        return replace(self, columns=[self.columns[at] for at in order], rows=rows)

    def full_note(self, intervals: bool = True) -> str:
        """Return the complete note; `intervals` is False if intervals are not rendered."""
        shown = intervals and any(interval_text(*pair) for row in self.rows for pair in self.pairs(row))
        return " ".join(part for part in (self.note, self.intervals if shown else "", self.source) if part)

    def pairs(self, row: Row) -> list[tuple[Column, Value]]:
        """Pair the cells of a row with their columns."""
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
"""Functions that format the numbers in each type of column; `unit` ranges from 0 to 1, and shares are in per cent."""

_UNITS = dict.fromkeys(("percent", "share", "signed_share"), " %")
"""Unit after a number or interval, by type of column."""


def plain(value: Value) -> str | int | float | None:
    """Return a value without its interval or link target."""
    if isinstance(value, Link):
        return value.text
    return value.value if isinstance(value, Metric) else value


def value_text(column: Column, value: Value) -> str:
    """Format a value without its interval; a missing value becomes a dash."""
    found = plain(value)
    if found is None:
        return NOTHING
    return found if isinstance(found, str) else _minus(KINDS[column.kind](found)) + _UNITS.get(column.kind, "")


def interval_text(column: Column, value: Value) -> str:
    """Format a value's interval in brackets, with as many decimals as the value.

    The text is empty if there is no interval.
    """
    if not isinstance(value, Metric) or value.low is None or value.high is None:
        return ""
    write = KINDS[column.kind]
    return _minus(f"[{write(value.low)}, {write(value.high)}]") + _UNITS.get(column.kind, "")


def cell_text(column: Column, value: Value) -> str:
    """Format a value followed by its interval."""
    return f"{value_text(column, value)} {interval_text(column, value)}".rstrip(" ")


def _minus(number: str) -> str:
    """Replace the hyphen in a formatted number by a minus sign, which is as wide as a plus sign."""
    return number.replace("-", "−")


def one_line(text: str) -> str:
    """Replace unprintable characters, such as newlines, by spaces."""
    return "".join(one if one.isprintable() else " " for one in text)
