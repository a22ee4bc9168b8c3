"""The tables of the business desk."""

from __future__ import annotations

from datetime import date
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

SupplierList = Literal["house", "state", "foreign"]


class Excluded(msgspec.Struct, frozen=True):
    """A supplier that gets no orders."""

    entry_id: str
    name: str
    country: str
    list: SupplierList
    since: date


class Equipment(msgspec.Struct, frozen=True):
    """How a kind of equipment loses value and what is lent on it."""

    years: int
    advance_percent: int
    resale_loss_percent: int


class DeskTables(msgspec.Struct, frozen=True):
    """What stands in business_lending.yaml."""

    excluded_suppliers: tuple[Excluded, ...]
    equipment: dict[str, Equipment]
    condition_percent: dict[str, int]


@cache
def desk_tables() -> DeskTables:
    """Return the tables."""
    folder = resources.files("teller_gym.scenarios.distractors.financial.business_lending")
    return msgspec.yaml.decode(folder.joinpath("business_lending.yaml").read_bytes(), type=DeskTables)
