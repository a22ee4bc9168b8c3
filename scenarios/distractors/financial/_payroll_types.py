"""What the tools of taxes and payroll take and answer; amounts in dollars."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.scenarios.distractors.financial._tax_numbers import TaxNumberProblem
from teller_gym.tools.tool import Money, Result

Rate = Annotated[float, Meta(ge=0, le=100, extra={"unit": "percent"})]
DayHours = Annotated[float, Meta(ge=0, le=24, extra={"unit": "hours"})]
Hours = Annotated[float, Meta(ge=0, le=168, extra={"unit": "hours"})]
Distance = Annotated[float, Meta(ge=0, le=5000)]
Month = Annotated[str, Meta(pattern="^20[0-9]{2}-(0[1-9]|1[0-2])$", max_length=7)]
EmployeeCode = Annotated[str, Meta(pattern="^E-[0-9]{4}$", max_length=6)]
Meal = Literal["breakfast", "lunch", "dinner"]
Benefit = Literal["company_bike", "meal_vouchers", "parking_space", "sports_club", "phone", "relocation"]


class ProgressiveTax(Result):
    """The tax after the credit; ``top_bracket`` counts from 1, the rates are percent."""

    tax: Money
    top_bracket: int
    marginal_rate_percent: float
    average_rate_percent: float
    unused_credit: Money


class SalesTax(Result):
    """Sums of the invoice; ``rounding_gap`` is this tax less the tax rounded at the other level."""

    net_total: Money
    tax_total: Money
    gross_total: Money
    rounding_gap: float


class GrossedUpBonus(Result):
    """The bonus before deductions, and what comes of it."""

    gross_bonus: Money
    income_tax_and_social: Money
    net_bonus: Money
    gross_per_net_dollar: float


class OvertimePay(Result):
    """Hours by kind and the pay for them; ``premium_pay`` is what the factors add to the plain rate."""

    regular_hours: float
    overtime_hours: float
    double_time_hours: float
    premium_pay: Money
    total_pay: Money


class TravelAllowance(Result):
    """The allowance of the whole trip."""

    travel_days: int
    paid_nights: int
    meals_before_reduction: Money
    meal_reduction: Money
    lodging: Money
    total_allowance: Money


class MileageClaim(Result):
    """The claim; ``claimed_miles`` has two decimals."""

    claimed_miles: float
    mileage_amount: Money
    total_amount: Money


class PayDates(Result):
    """The pay dates in order; months are given as 2026-05."""

    pay_dates: list[date]
    moved_for_weekend: int
    months_with_extra_pay: list[str]


class PayslipCheck(Result):
    """``lines_off`` are positions of deductions, from 1; ``net_difference`` is the stated net less the one expected."""

    fits: bool
    lines_off: list[int]
    expected_deductions: list[Money]
    net_of_stated_lines: float
    net_difference: float


class TipShares(Result):
    """Shares in the order of the hours; they add up to the pool."""

    shares: list[Money]
    tips_per_weighted_hour: float
    cents_spread: int


class TaxNumberCheck(Result):
    """``check_digits_fit`` is null where there is nothing to check."""

    digits: str
    well_formed: bool
    check_digits_fit: bool | None
    problem: TaxNumberProblem


class BenefitDeclaration(Result):
    """The declaration; the taxable value a month is never below zero."""

    declaration_id: str
    taxable_each_month: Money
    taxable_total: Money
    last_month: str


class DeclaredBenefit(msgspec.Struct):
    """One line of the list of declarations."""

    declaration_id: str
    employee_code: str
    benefit: str
    first_month: str
    last_month: str
    taxable_each_month: Money


class DeclaredBenefits(Result):
    """The declarations by employee and month; at most 15 are shown, the totals take in all of them."""

    declarations: list[DeclaredBenefit]
    declaration_count: int
    taxable_each_month_total: Money
