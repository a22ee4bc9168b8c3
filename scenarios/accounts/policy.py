"""Types of ``policy.yaml``, where the units are stated."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from teller_gym.base.errors import ScenarioError

Event = Literal["business_date", "received_date", "banking_day", "owner_activity", "report_day", "address_change"]
Unit = Literal["business_days", "calendar_days", "months"]
Roll = Literal["none", "previous"]


class ScheduleRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the availability schedule: its code, and the number of business days after the banking day."""

    code: str
    days: int


class StateRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Months until property is abandoned in a state, and the day of the year on which it is reported."""

    months: int
    report_month: int
    report_day: int


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deadline: its code, the event that starts it, its length (None if another table sets it), and the unit."""

    code: str
    event: Event
    length: int | None
    unit: Unit
    roll: Roll

    @property
    def counted(self) -> int:
        """The length of a clock that has its own.

        Raises:
            ScenarioError: Another table sets the length.
        """
        if self.length is None:
            raise ScenarioError(f"clock {self.code} has no length of its own")
        return self.length


class AccountPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers and codes used by the SOP, the tools, the expert and the solver."""

    cutoffs: dict[str, str]
    schedule: dict[str, ScheduleRow]
    first_day_amount: int
    large_deposit_amount: int
    new_account_days: int
    new_account_hold_days: int
    hold_extension: dict[str, int]
    overdrawn_window_days: int
    overdrawn_days: int
    overdrawn_large_days: int
    overdrawn_large_amount: int
    stale_check_days: int
    claim_notice_days: int
    confirmation_business_days: int
    loss_business_days: int
    liability_low: int
    liability_high: int
    stop_notice_business_days: int
    stage_months: dict[str, int]
    states: dict[str, StateRule]
    year_end_month: int
    year_end_day: int
    letter_minimum: int
    letter_earliest_days: int
    adult_age: int
    custodian_age: int
    custodial_end_age: int
    mandate_max_age_days: int
    powers: dict[str, str]
    minimum_deposits: dict[str, int]
    misuse_lookback_days: int
    misuse_minimum: int
    early_closing_days: int
    early_closing_fee: int
    senior_amount: int
    clocks: dict[str, Clock]
    escalation_business_days: dict[str, int]
    registries: dict[str, str]
    list_scopes: dict[str, str]
    holidays: frozenset[date]

    def __post_init__(self) -> None:
        for name, codes in (
            ("schedule", [row.code for row in self.schedule.values()]),
            ("clocks", [clock.code for clock in self.clocks.values()]),
        ):
            if len(set(codes)) != len(codes):
                raise ScenarioError(f"policy.{name}: expected every code once, got {codes}")
        if (
            not self.stage_months["inactive"]
            < self.stage_months["dormant"]
            < min(s.months for s in self.states.values())
        ):
            raise ScenarioError("policy.stage_months: expected inactive before dormant before every state's months")

    @property
    def holiday_list(self) -> list[str]:
        """Holidays in order, as ISO dates."""
        return [day.isoformat() for day in sorted(self.holidays)]

    @property
    def year_end(self) -> str:
        """Last day, as MM-DD, on which abandoned property still goes into the same year's report."""
        return f"{self.year_end_month:02d}-{self.year_end_day:02d}"

    @property
    def report_days(self) -> dict[str, str]:
        """Report day of each state, as MM-DD."""
        return {name: f"{rule.report_month:02d}-{rule.report_day:02d}" for name, rule in self.states.items()}
