"""Entries of the register, and what they are checked for."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank, Record

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Zone = Literal["lobby", "meeting_floor", "canteen", "offices", "archive", "server_room"]
RecordKind = Literal["parking_permit", "visitor_badge", "found_item"]

_REGISTER = "misc_reception_register"
LONGEST_PERMIT, DAYS_AHEAD, SHOWN = 31, 180, 8


def check_text(field: str, text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise invalid(field, f"expected a line of readable text, got {text!r}")
    return " ".join(text.split())


def valid_on(bank: Bank, kind: RecordKind, day: date) -> list[tuple[str, Record]]:
    """The entries of a kind that hold on a day, by id."""
    iso = day.isoformat()
    return sorted(
        ((key, row) for key, row in bank.rows(_REGISTER) if row["kind"] == kind and row["from"] <= iso <= row["until"]),
        key=lambda entry: entry[0],
    )


def enter(bank: Bank, key: str, kind: RecordKind, first: date, last: date, label: str, detail: Record) -> None:
    span = {"from": first.isoformat(), "until": last.isoformat()}
    bank.put(_REGISTER, key, {"owner": "misc", "kind": kind, **span, "label": label, **detail})
