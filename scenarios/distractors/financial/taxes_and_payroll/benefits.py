"""Fringe benefits: declared and listed."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial.taxes_and_payroll import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_sums import share
from teller_gym.scenarios.distractors.financial.taxes_and_payroll._payroll_types import Rate
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

_TABLE = "misc_fringe_benefits"
_LISTED = 15
Month = Annotated[str, Meta(pattern="^20[0-9]{2}-(0[1-9]|1[0-2])$", max_length=7)]
EmployeeCode = Annotated[str, Meta(pattern="^E-[0-9]{4}$", max_length=6)]
Benefit = Literal["company_bike", "meal_vouchers", "parking_space", "sports_club", "phone", "relocation"]


class BenefitDeclaration(Result):
    """The declaration; the taxable value a month is never below zero."""

    declaration_id: str
    taxable_each_month: Money
    taxable_total: Money
    last_month: str


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def declare_fringe_benefit(
    bank: Bank,
    employee_code: EmployeeCode,
    benefit: Benefit,
    monthly_value: Annotated[float, Meta(ge=0.01, le=100_000, extra={"unit": "usd"})],
    first_month: Month,
    months: Annotated[int, Meta(ge=1, le=36)],
    private_use_percent: Rate = 100,
    own_contribution: Annotated[float, Meta(ge=0, le=100_000, extra={"unit": "usd"})] = 0,
) -> BenefitDeclaration:
    """Declare a fringe benefit of an employee for the payroll; its taxable value is the private part less what the
    employee pays. The same benefit declared again from the same month replaces the earlier declaration.

    Args:
        employee_code: The employee, such as E-0417.
        benefit: What the employee gets.
        monthly_value: What it is worth in a month, in dollars.
        first_month: First month, such as 2026-05.
        months: How many months.
        private_use_percent: Private part of the use, in percent.
        own_contribution: What the employee pays for it in a month, in dollars; at most its value.
    """
    if own_contribution > monthly_value:
        raise invalid("own_contribution", f"expected at most the value {monthly_value}, got {own_contribution}")
    private = round_half_up(to_cents(monthly_value) * share(private_use_percent))
    taxable = max(0, private - to_cents(own_contribution))
    last_month = sums.months_later(first_month, months - 1)
    key = bank.reference("FRB", employee_code, benefit, first_month[:7])
    record = {"owner": "misc", "status": "declared", "employee_code": employee_code, "benefit": benefit}
    span = {"first_month": first_month, "last_month": last_month}
    bank.put(_TABLE, key, {**record, **span, "taxable_each_month": usd(taxable)})
    return BenefitDeclaration(
        declaration_id=key, taxable_each_month=usd(taxable), taxable_total=usd(taxable * months), last_month=last_month
    )


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


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_fringe_benefits(
    bank: Bank, employee_code: EmployeeCode | None = None, month: Month | None = None
) -> DeclaredBenefits:
    """List declared fringe benefits and add up their taxable value a month.

    Args:
        employee_code: Only those of one employee.
        month: Only those that run in this month, such as 2026-05.
    """
    found = [
        msgspec.convert({**row, "declaration_id": key}, DeclaredBenefit)
        for key, row in bank.rows(_TABLE)
        if employee_code in (None, row["employee_code"])
        and (month is None or row["first_month"] <= month <= row["last_month"])
    ]
    found.sort(key=lambda line: (line.employee_code, line.first_month, line.declaration_id))
    return DeclaredBenefits(
        declarations=found[:_LISTED],
        declaration_count=len(found),
        taxable_each_month_total=usd(sum(to_cents(line.taxable_each_month) for line in found)),
    )
