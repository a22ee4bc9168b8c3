"""Conversion of the amounts in records, which are in cents, to the dollars that tools return."""

from __future__ import annotations

from typing import Any

from teller_gym.base.money import usd
from teller_gym.tools.bank import Record


def in_dollars(row: Record, *amounts: str) -> dict[str, Any]:
    """Return a row with the named fields converted to dollars."""
    return {name: usd(value) if name in amounts and value is not None else value for name, value in row.items()}
