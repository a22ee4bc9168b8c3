"""Ids and running numbers of new records."""

from __future__ import annotations

from teller_gym.office.crm.schema import SETTINGS
from teller_gym.office.ids import hex_id
from teller_gym.office.store import Store


def next_id(store: Store, entity_type: str) -> str:
    """Return an id for a new record."""
    return hex_id(store.seed, f"crm.{entity_type}.new", store.count(f"crm.{entity_type}"))


def next_number(store: Store, entity_type: str) -> int:
    """Return the next number of an entity that numbers its records, after those of the office's beginning."""
    numbers: dict[str, int] = (store.get(SETTINGS, "office") or {}).get("numbers", {})
    return numbers.get(entity_type, 0) + store.count(f"crm.{entity_type}.number")
