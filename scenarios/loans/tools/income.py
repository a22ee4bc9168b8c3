"""Employment verification and qualifying income."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.ids import Code, CustomerId, FullName
from teller_gym.scenarios.banking.lookup import check_code, created, customer, day, obtained, record, too_early
from teller_gym.scenarios.loans.tools.lookup import EMPLOYMENT_CHECK, application, policy_of
from teller_gym.scenarios.loans.tools.types import ApplicationId, EmploymentId, EmploymentType, Hours, PayType
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Result, tool


class Employment(Result):
    """Income confirmed by the employer, tax authority or pension payer; amounts that do not apply are 0, and all
    figures are null if it was not confirmed.
    """

    employment_id: EmploymentId
    employment_status: Literal["confirmed", "not_confirmed"]
    pay_type: PayType | None = None
    gross_pay: Money | None = None
    net_pay: Money | None = None
    hours_per_week: Hours | None = None
    prior_year_profit: Money | None = None
    latest_year_profit: Money | None = None
    remark: str | None = None


@tool(act=Act.FINAL)
def verify_employment(
    bank: Bank,
    application_id: ApplicationId,
    customer_id: CustomerId,
    employer_name: FullName,
    employment_type: EmploymentType,
    start_date: date,
    pay_type: PayType,
    verification_method: Code,
) -> Employment:
    """Verify an applicant's employment, business or pension with its source, and get the pay figures.

    Args:
        application_id: The application.
        customer_id: The applicant.
        employer_name: Employer, business or pension payer as on the application.
        employment_type: Kind of employment.
        start_date: Start of the employment, business or pension as on the application.
        pay_type: How the applicant is paid.
        verification_method: Code of the source that is asked; the wrong one confirms nothing.
    """
    application(bank, application_id)
    methods = policy_of(bank).verification_methods
    check_code("verification_method", verification_method, methods.values())
    source = record(bank, "employment", customer_id, "customer_id")
    same = (
        source["active"]
        and normalise_text(employer_name) == normalise_text(source["employer_name"])
        and employment_type == source["employment_type"]
        and start_date == day(source["start_date"])
        and pay_type == source["pay_type"]
        and verification_method == methods[source["employment_type"]]
    )
    status: Literal["confirmed", "not_confirmed"] = "confirmed" if same else "not_confirmed"
    employment_id = created(bank, "employment_checks", "EM", customer_id, status=status)
    if not same:
        return Employment(employment_id=employment_id, employment_status=status)
    return Employment(
        employment_id=employment_id,
        employment_status=status,
        pay_type=source["pay_type"],
        gross_pay=usd(source["gross_pay"]),
        net_pay=usd(source["net_pay"]),
        hours_per_week=source["hours_per_week"],
        prior_year_profit=usd(source["prior_year_profit"]),
        latest_year_profit=usd(source["latest_year_profit"]),
        remark=source.get("remark"),
    )


class Income(Result):
    """Monthly qualifying gross income, in dollars."""

    monthly_income: Money


@tool(act=Act.REVISABLE)
def calculate_qualifying_income(
    bank: Bank,
    customer_id: CustomerId,
    employment_id: EmploymentId,
    pay_type: PayType,
    gross_pay: Money,
    hours_per_week: Hours,
    prior_year_profit: Money,
    latest_year_profit: Money,
    periods_per_year: Annotated[int, Meta(ge=1, le=366)],
) -> Income:
    """Turn verified pay into qualifying income a month.

    Args:
        customer_id: The applicant.
        employment_id: The employment verification.
        pay_type: How the applicant is paid.
        gross_pay: Gross pay an hour (hourly), a pay period, a year (salaried) or a month (pension); 0 if self-employed.
        hours_per_week: Hours a week if hourly, else 0.
        prior_year_profit: Net profit of the year before the latest if self-employed, else 0.
        latest_year_profit: Net profit of the latest tax year if self-employed, else 0.
        periods_per_year: How many times a year the amount is paid; weeks if hourly.
    """
    customer(bank, customer_id)
    check = obtained(bank, EMPLOYMENT_CHECK, customer_id, "employment_id", employment_id)
    if check["status"] == "not_confirmed":
        raise too_early(
            f"the employment of {customer_id} was not confirmed; what the SOP says of that comes now, no income"
        )
    if (pay_type == "hourly") != (hours_per_week > 0):
        raise invalid("hours_per_week", f"expected more than 0 if and only if pay is hourly, got {hours_per_week}")
    cents = monthly_income(
        pay_type,
        to_cents(gross_pay),
        hours_per_week,
        (to_cents(prior_year_profit), to_cents(latest_year_profit)),
        periods_per_year,
    )
    created(bank, "incomes", "IN", customer_id, monthly_income=cents)
    return Income(monthly_income=usd(cents))


def monthly_income(pay_type: str, gross_pay: int, hours: float, profits: tuple[int, int], periods: int) -> int:
    """Return the monthly qualifying income in cents; if profit is falling, only the lower, latest year counts."""
    if pay_type == "self_employed":
        prior, latest = profits
        return divide_half_up((prior + latest if latest >= prior else 2 * latest) * periods, 24)
    if pay_type == "hourly":
        return divide_half_up(gross_pay * round(hours * 100) * periods, 1200)
    return divide_half_up(gross_pay * periods, 12)
