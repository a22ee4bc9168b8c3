"""Types of ``policy.yaml``; that file states the units."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from teller_gym.base.errors import ScenarioError

ProductName = Literal["home", "auto", "personal"]


class Product(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits, rates (by term in months) and required documents of one product; ``max_ltv`` 0 means unsecured."""

    checklist: str
    portfolio: str
    min_amount: int
    max_amount: int
    max_ltv: int
    rates: dict[int, int]
    ltv_surcharge_above: int
    ltv_surcharge: int
    documents: tuple[str, ...]
    disclosure: str

    @property
    def secured(self) -> bool:
        """True if the product has collateral."""
        return self.max_ltv > 0

    @property
    def terms(self) -> tuple[int, ...]:
        """Offered terms, in months."""
        return tuple(self.rates)


class Grade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A band of credit scores: rate surcharge, and origination fee by product."""

    name: str
    min_score: int
    surcharge: int
    fees: dict[str, int]


class InsuranceBand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Yearly mortgage insurance rate for loans above a loan-to-value ratio."""

    above_ltv: int
    rate: int


class LoanPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Every number that the SOP, the tools, the expert and the solver use."""

    min_credit_score: int
    max_dti: int
    max_pti: int
    escalation_exposure: int
    report_max_age_days: int
    appraisal_max_age_days: int
    vehicle_max_age_years: int
    short_debt_payments: int
    zero_payment_share: int
    amount_step: int
    notice_days: int
    disclosure_business_days: int
    autopay_discount: int
    products: dict[str, Product]
    grades: tuple[Grade, ...]
    mortgage_insurance: tuple[InsuranceBand, ...]
    verification_methods: dict[str, str]
    contact_methods: dict[str, str]
    registries: dict[str, str]
    list_scopes: dict[str, str]
    compliance_business_days: dict[str, int]
    pay_periods: dict[str, int]
    required_covers: dict[str, str]
    credit_purpose: str
    holidays: frozenset[date]

    def __post_init__(self) -> None:
        # Tools use the first band or grade that fits, so their order is part of the rule.
        for name, starts in (
            ("mortgage_insurance", [band.above_ltv for band in self.mortgage_insurance]),
            ("grades", [grade.min_score for grade in self.grades]),
        ):
            if starts != sorted(set(starts), reverse=True):
                raise ScenarioError(f"policy.{name}: expected the highest limit first and none twice, got {starts}")
        if self.grades[-1].min_score > self.min_credit_score:
            raise ScenarioError(
                f"policy.grades: expected a grade for every score from {self.min_credit_score} on, "
                f"got {self.grades[-1].min_score} as the lowest minimum"
            )

    def grade_of(self, score: int) -> Grade:
        """Return the grade of a score; a score below every minimum gets the last grade."""
        return next((grade for grade in self.grades if score >= grade.min_score), self.grades[-1])

    @property
    def holiday_list(self) -> list[str]:
        """Holidays in chronological order, as ISO dates."""
        return [day.isoformat() for day in sorted(self.holidays)]
