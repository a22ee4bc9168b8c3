"""Types of ``policy.yaml``, where the units are stated."""

from __future__ import annotations

from datetime import date

import msgspec

from teller_gym.base.errors import ScenarioError


class Product(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits, rate, liability for unauthorized use and credit bureau of one card product."""

    min_limit: int
    max_limit: int
    purchase_rate: int
    liability: int
    bureau: str


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band of credit scores: the share of yearly income that a limit may reach, and the highest limit."""

    min_score: int
    share: int
    cap: int


class Letter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letter codes of a kind of request: after a full or partial grant, after a refusal, and in other cases."""

    granted: str
    refused: str
    other: str


class CardPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers and codes used by the SOP, the tools, the expert and the solver."""

    min_credit_score: int
    max_dti: int
    limit_step: int
    student_cap: int
    adult_age: int
    income_horizon_days: int
    deferred_share: int
    minimum_floor: int
    minimum_share: int
    increase_wait_days: int
    increase_factor: int
    clean_statements: int
    notice_window_days: int
    claim_over: int
    claim_miles: int
    address_hold_days: int
    fee_lookback: int
    fee_first: int
    fee_repeat: int
    rate_notice_days: int
    first_year_days: int
    resolution_cycles: int
    resolution_cap_days: int
    claim_days: int
    unauthorized_business_days: int
    denial_days: int
    completion_business_days: int
    products: dict[str, Product]
    bands: tuple[Band, ...]
    authority: dict[str, int]
    cycles_read: dict[str, int]
    documents: dict[str, tuple[str, ...]]
    pay_periods: dict[str, int]
    inquiries: dict[str, str]
    reissue_methods: dict[str, str]
    reason_codes: dict[str, str]
    referral_business_days: dict[str, int]
    setup_business_days: dict[str, int]
    letters: dict[str, Letter]
    registries: dict[str, str]
    list_scopes: dict[str, str]
    holidays: frozenset[date]

    def __post_init__(self) -> None:
        # Readers of the table use the first band that fits, so the order is part of the rule.
        starts = [band.min_score for band in self.bands]
        if starts != sorted(set(starts), reverse=True):
            raise ScenarioError(f"policy.bands: expected the highest score first and none twice, got {starts}")
        if starts[-1] > self.min_credit_score:
            raise ScenarioError(
                f"policy.bands: expected a band for every score from {self.min_credit_score} on, got {starts[-1]} as "
                "the lowest minimum"
            )

    def band_of(self, score: int) -> Band:
        """Return the band of a score; scores below every minimum fall into the last band."""
        return next((band for band in self.bands if score >= band.min_score), self.bands[-1])

    @property
    def holiday_list(self) -> list[str]:
        """Holidays in order, as ISO dates."""
        return [day.isoformat() for day in sorted(self.holidays)]
