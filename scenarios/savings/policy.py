"""Types of ``policy.yaml``, where the units are stated."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

Method = Literal["simple", "daily", "monthly"]
DayCount = Literal["actual_365", "actual_360", "thirty_360"]


class Product(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Interest terms of a product, its days of grace after maturity, and its minimum balance."""

    method: Method
    day_count: DayCount
    grace_days: int
    minimum: int


class Charge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Early-withdrawal charge in days of interest, for terms of up to ``months``."""

    months: int
    days: int


class RateSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rates by term in months, valid from a given day."""

    since: date
    rates: dict[int, int]


class Tier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Bonus rate for balances from ``balance`` on."""

    balance: int
    rate: int


class SavingsPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers and codes used by the SOP, the tools, the expert and the solver."""

    products: dict[str, Product]
    charges: tuple[Charge, ...]
    first_days: int
    waiver_documents: dict[str, str]
    rate_sheets: tuple[RateSheet, ...]
    large_principal: int
    large_addition: int
    bonus_lowest_balance: int
    bonus_deposits: int
    bonus_deposit_minimum: int
    bonus_withdrawals: int
    bonus_missed_allowed: int
    bonus_cap: int
    bonus_plans: dict[str, tuple[Tier, ...]]
    counted_deposits: tuple[str, ...]
    counted_withdrawals: tuple[str, ...]
    custodial_ages: dict[str, int]
    purposes: dict[str, str]
    yearly_limit: int
    insured_amount: int
    most_beneficiaries: int
    payout_days: dict[str, int]
    credit_days: int
    pend_days: int
    answer_days: int
    refer_days: dict[str, int]
    file_codes: dict[str, dict[str, str]]
    senior_amount: int
    registries: dict[str, str]
    list_scopes: dict[str, str]
    holidays: frozenset[date]

    @property
    def all_file_codes(self) -> tuple[str, ...]:
        return tuple(code for codes in self.file_codes.values() for code in codes.values())

    @property
    def holiday_list(self) -> tuple[str, ...]:
        """Holidays in order, as ISO dates."""
        return tuple(day.isoformat() for day in sorted(self.holidays))
