"""Types of ``policy.yaml``; that file states the units."""

from __future__ import annotations

from datetime import date

import msgspec

from teller_gym.base.errors import ScenarioError


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A risk profile: the points that it requires, and the limits that it sets."""

    name: str
    min_points: int
    max_risk_class: int
    issuer_limit: int
    fund_limit: int
    reserve_months: int


class InvestmentPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every number that the SOP, the tools, the expert and the solver use."""

    order_cutoff: str
    order_fee: int
    min_payment: int
    review_amount: int
    questionnaire_max_age_days: int
    short_horizon_years: int
    wash_window_days: int
    long_term_years: int
    settlement_days: int
    validation_days: int
    transfer_days: int
    liquidation_days: int
    notice_days: int
    call_days: int
    referral_days: dict[str, int]
    payment_days: dict[str, int]
    authority: dict[str, tuple[str, ...]]
    restrictions: dict[str, tuple[str, ...]]
    horizon_points: dict[int, int]
    liquidity_points: dict[int, int]
    loss_points: dict[str, int]
    experience_points: dict[str, int]
    income_points: dict[str, int]
    profiles: tuple[Profile, ...]
    objectives: dict[str, str]
    risk_classes: dict[str, int]
    limit_kinds: dict[str, str]
    low_price: int
    concentrated_share: int
    margin_rates: dict[str, int]
    initial_rate: int
    price_bases: dict[str, str]
    instructions: dict[str, str]
    clearing_numbers: dict[str, str]
    type_words: dict[str, str]
    asset_rules: dict[str, str]
    distribution_age: int
    divisors: dict[int, int]
    registries: dict[str, str]
    list_scopes: dict[str, str]
    holidays: frozenset[date]

    def __post_init__(self) -> None:
        points = [profile.min_points for profile in self.profiles]
        if points != sorted(set(points)) or points[0] != 0:
            raise ScenarioError(f"policy.profiles: expected rising minimum points from 0 on, got {points}")
        names = {profile.name for profile in self.profiles}
        if unknown := set(self.objectives.values()) - names:
            raise ScenarioError(f"policy.objectives: there is no profile {sorted(unknown)}")

    @property
    def holiday_list(self) -> list[str]:
        """Holidays in chronological order, as ISO dates."""
        return [day.isoformat() for day in sorted(self.holidays)]
