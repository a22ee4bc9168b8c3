"""Tables of texts, their records, and their column names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

import yaml

from teller_gym.office.documents.errors import DocumentError, shown

_UNSEEN: Final = re.compile("[\ufeff\u200b\u200c\u200d\u2060\u00ad]")
"""Invisible characters: byte order mark, zero-width spaces, soft hyphen."""

_UNIT: Final = re.compile(r"[(\[](?:[^\w()\[\]]+|\s*(?:(?:us|ca|a)\$|usd|eur|gbp|cad|chf|aud)\s*)[)\]]")
"""A unit in brackets, such as ($), (%) or [USD]. A run of spaces matches in only one way, without backtracking."""

_BETWEEN: Final = re.compile(r"[\W_]+")
"""Word separators."""


def normal_header(text: str) -> str:
    """Return a header in lower case, with underscores between words: ``Market Value ($)`` becomes ``market_value``.

    Case, punctuation, invisible characters, and a currency or percent sign in brackets before or after the words make
    no difference. Other words in brackets count: ``Balance (end)`` becomes ``balance_end``. A header without letters
    and digits becomes the empty text.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold())
    return _BETWEEN.sub("_", _UNIT.sub(" ", folded)).strip("_")


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """Load the header synonyms by common name."""
    found: dict[str, list[str]] = yaml.safe_load(
        files(__package__).joinpath("header_synonyms.yaml").read_text(encoding="utf-8")
    )
    return {name: tuple(headers) for name, headers in found.items()}


@cache
def _canonical() -> dict[str, str]:
    return {normal_header(header): name for name, headers in synonyms().items() for header in (name, *headers)}


def canonical_header(text: str) -> str:
    """Return a header's common name according to `header_synonyms.yaml`, or its normal form if it has none."""
    normal = normal_header(text)
    return _canonical().get(normal, normal)


@dataclass(frozen=True)
class TextTable:
    """A table whose cells are texts, as in a file.

    Attributes:
        columns: header cells, at least one.
        rows: other rows, each with as many cells as the header.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        width = len(self.columns)
        if not width:
            raise DocumentError("Expected a table with one column at least; got none. Name its columns.")
        for number, row in enumerate(self.rows, 1):
            if len(row) != width:
                raise DocumentError(
                    f"Expected {width} cells in each row, as the header has; row {number} has {len(row)}. "
                    "Add the missing cells, or take out those too many."
                )


def column_index(table: TextTable, column: str) -> int:
    """Return the index of a column by its exact header, which must occur once."""
    if table.columns.count(column) != 1:
        listed = ", ".join(shown(name) for name in table.columns[:20])
        raise DocumentError(
            f"Expected one column {shown(column)}; got {table.columns.count(column)} among {listed}. "
            "Give a header as the table has it."
        )
    return table.columns.index(column)


def records(table: TextTable, name: Callable[[str], str] = canonical_header) -> list[dict[str, str]]:
    """Return the rows as dictionaries from column names to cells.

    ``name`` converts a header to a column name; by default case, spaces and synonyms make no difference.

    Raises:
        DocumentError: two columns have the same name.
    """
    names = [name(column) for column in table.columns]
    seen: dict[str, str] = {}
    for column, found in zip(table.columns, names, strict=True):
        if found in seen:
            raise DocumentError(
                f"Expected columns that differ; {shown(seen[found])} and {shown(column)} are both {shown(found)}. "
                "Rename one of them."
            )
        seen[found] = column
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def split(table: TextTable, parts: int) -> tuple[TextTable, ...]:
    """Split the rows into consecutive tables with the same header, whose sizes differ by at most one row."""
    count = len(table.rows)
    ends = [count * part // parts for part in range(parts + 1)]
    return tuple(TextTable(table.columns, table.rows[begin:end]) for begin, end in pairwise(ends))
