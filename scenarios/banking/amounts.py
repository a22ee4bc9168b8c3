"""Amounts of records, which are in cents, as tools show them."""

from __future__ import annotations

from typing import Any

from teller_gym.base.money import usd
from teller_gym.tools.bank import Record


def in_dollars(row: Record, *amounts: str) -> dict[str, Any]:
    """Return a row with some of its fields in dollars."""
    return {name: usd(value) if name in amounts and value is not None else value for name, value in row.items()}
