"""Reads the tables that an agent delivered to the client's folder, as leniently as a person would.

Currency signs, separators, white space, case of headers and the order of rows and columns make no difference. A correct
table passes all of its checkpoints, no matter how the agent produced it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Final

from teller_gym.base.text import normalise_text
from teller_gym.office.documents.amounts import parse_money, parse_percent
from teller_gym.office.documents.csv_files import read_table
from teller_gym.office.documents.errors import DocumentError
from teller_gym.office.documents.tables import canonical_header, records
from teller_gym.office.files import tree
from teller_gym.scenarios.wealth.contract import Failure, Finding, Look, failed, judged

Row = Mapping[str, str]
"""Cells of a row, by the `canonical_header` of their column."""

CENT: Final = 1
_LOOSE: Final = Decimal("0.01")


class Delivered:
    """A delivered table.

    Args:
        look: the office and the task.
        name: the file's name in the client's folder.
        columns: required columns.

    Attributes:
        rows: rows of the table; empty if the table is missing or unreadable.
        fault: reason why the table is missing or unreadable; empty if there is no fault.
        failure: failure class of the fault.
    """

    def __init__(self, look: Look, name: str, columns: Sequence[str]) -> None:
        self.look = look
        self.path = f"{look.case.client.folder}/{name}"
        self.rows: list[dict[str, str]] = []
        self.failure = Failure.DELIVERY
        self.fault = self._read(columns)

    def _read(self, columns: Sequence[str]) -> str:
        record = tree.find(self.look.store, self.look.user, self.path)
        if record is None or "children" in record:
            return f"there is no file {self.path}{self._elsewhere()}"
        try:
            self.rows = records(read_table(record["content"]))
        except DocumentError as error:
            return f"{self.path} is no table: {error}"
        missing = [column for column in columns if not any(canonical_header(column) in row for row in self.rows[:1])]
        if not self.rows:
            return f"{self.path} has no row"
        if missing:
            self.rows = []
            return f"{self.path} has no column {', '.join(missing)}"
        return ""

    def _elsewhere(self) -> str:
        """Return a hint if the agent wrote a file of the same name to another folder, otherwise an empty text."""
        name = PurePosixPath(self.path).name.casefold()
        start = len(self.look.user)
        for table, key, record in self.look.store.written():
            if table == tree.NODES and record is not None and "children" not in record:
                path = key[start:]
                if PurePosixPath(path).name.casefold() == name:
                    return f"; one was written to {path}"
        return ""

    def keyed(self, *columns: str) -> dict[tuple[str, ...], dict[str, str]]:
        """Return the rows by the normalised cells of some columns, without rows that share a key."""
        names = [canonical_header(column) for column in columns]
        found: dict[tuple[str, ...], dict[str, str]] = {}
        twice = set()
        for row in self.rows:
            key = tuple(normal(row.get(name, "")) for name in names)
            if key in found:
                twice.add(key)
            found[key] = row
        return {key: row for key, row in found.items() if key not in twice}

    def has_rows(self, column: str, names: Sequence[str]) -> Finding:
        """Return the finding for ``delivered``: the column contains exactly the given names."""
        rows = self.keyed(column)
        left = [name for name in names if (normal(name),) not in rows]
        evidence = f"expected a row for each of {', '.join(names)}, and no other; got {len(self.rows)} rows"
        is_right = not left and len(self.rows) == len(names)
        return judged(
            "delivered", is_right, f"{self.path} has its rows", f"{evidence}, without {', '.join(left) or 'none'}"
        )

    def missing(self, checkpoints: Iterable[str]) -> list[Finding]:
        """Return a failed finding for each checkpoint, for a table with a fault."""
        return [failed(name, self.failure, self.fault) for name in checkpoints]

    def money(self, row: Row | None, column: str, cents: int) -> bool:
        """Return True if a cell equals an amount to the cent, or within one percent if the look is loose."""
        return row is not None and same_money(row.get(canonical_header(column), ""), cents, self.look.loose)

    def number(self, row: Row | None, column: str, value: Decimal, places: int = 2) -> bool:
        """Return True if a cell equals a number rounded to ``places``, or within one percent if the look is loose."""
        return row is not None and same_number(row.get(canonical_header(column), ""), value, places, self.look.loose)


def cell(row: Row | None, column: str, absent: str = "no row") -> str:
    """Return the text of a cell for a finding's evidence."""
    return row.get(column, "") if row else absent


def normal(text: str) -> str:
    """Normalise case and white space."""
    return normalise_text(text)


def same_money(text: str, cents: int, loose: bool = False) -> bool:
    """Return True if a text is the given amount in cents.

    ``loose`` allows a difference of one percent.
    """
    try:
        found = parse_money(text)
    except DocumentError:
        return False
    return abs(found - cents) <= (max(Decimal(CENT), abs(cents) * _LOOSE) if loose else CENT)


def same_number(text: str, value: Decimal, places: int, loose: bool = False) -> bool:
    """Return True if a text is the given number, with or without a percent sign.

    ``loose`` allows one percent.
    """
    try:
        found = parse_percent(text)
    except DocumentError:
        return False
    half = Decimal(1).scaleb(-places) / 2
    return abs(found - value) <= (max(half, abs(value) * _LOOSE) if loose else half)


def told(cents: int) -> str:
    """Format an amount in cents for a finding's evidence."""
    return f"{cents / 100:,.2f}"
