"""A table of figures, before it is written in any format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from teller_gym.evaluation.measures.metrics import Metric
from teller_gym.evaluation.measures.tables import NOTHING


@dataclass(frozen=True, slots=True)
class Link:
    """A text that leads somewhere, where the format has links; target: an address relative to the report's folder."""

    text: str
    target: str


Value = str | int | float | Metric | Link | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its title, and how its values are written (see `FORMATS`)."""

    title: str
    kind: str = "unit"
    interval: bool = False
    """True if values have 95 % intervals."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row; paper: measured by the paper, not by us."""

    cells: Sequence[Value]
    paper: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Columns and rows under a key that names its files; title and note are in `texts.yaml` under it."""

    key: str
    columns: Sequence[Column]
    rows: Sequence[Row] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"{self.key}: expected {len(self.columns)} cells a row, got {len(row.cells)}")


def _seconds(value: float) -> str:
    return f"{value:.3g}"


def _p_value(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "text": str,
    "int": "{:d}".format,
    "unit": "{:.3f}".format,
    "density": "{:.4f}".format,
    "share": lambda value: f"{100 * value:.1f}",
    "signed": "{:+.3f}".format,
    "signed_share": lambda value: f"{100 * value:+.1f}",
    "count": "{:.1f}".format,
    "usd": "{:.4f}".format,
    "seconds": _seconds,
    "p": _p_value,
}
"""Format of a number, by the kind of its column: units from 0 to 1, shares in per cent, counts, dollars, …"""

_UNITS = {"share": " %", "signed_share": " %"}
"""Text after the number, or after an interval."""


def has_intervals(table: Table) -> bool:
    """Return True if any value of a table has an interval that is shown."""
    return any(interval_text(*pair) for row in table.rows for pair in zip(table.columns, row.cells, strict=True))


def plain(value: Value) -> str | int | float | None:
    """Return a value without its interval, or without where it leads."""
    if isinstance(value, Link):
        return value.text
    return value.value if isinstance(value, Metric) else value


def value_text(column: Column, value: Value) -> str:
    """Return a value as text; a dash where there is none."""
    found = plain(value)
    if found is None or found == "":
        return NOTHING
    return found if isinstance(found, str) else _minus(FORMATS[column.kind](found)) + _UNITS.get(column.kind, "")


def interval_text(column: Column, value: Value) -> str:
    """Return its interval in brackets, with as many decimals as the value; empty where there is none."""
    if not isinstance(value, Metric) or value.low is None or value.high is None:
        return ""
    write = FORMATS[column.kind]
    return _minus(f"[{write(value.low)}, {write(value.high)}]") + _UNITS.get(column.kind, "")


def _minus(number: str) -> str:
    """Return a number with the sign that is set as wide as a plus."""
    return number.replace("-", "−")
