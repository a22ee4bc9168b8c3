"""Taxes and payroll: brackets, sales tax, bonuses, overtime, travel claims, pay dates, tips and fringe benefits."""

from __future__ import annotations

from collections import Counter
from datetime import date
from fractions import Fraction
from math import floor
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import exact, round_half_up, to_cents, usd
from teller_gym.scenarios.distractors.financial import _payroll_sums as sums
from teller_gym.scenarios.distractors.financial import _payroll_types as types
from teller_gym.scenarios.distractors.financial._payroll_sums import share
from teller_gym.scenarios.distractors.financial._tax_numbers import TaxNumberKind, read_tax_number
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, tool

_TABLE = "misc_fringe_benefits"
_LISTED = 15
_LONGEST_TRIP = 62
_MEAL_PERCENT = {"breakfast": 20, "lunch": 30, "dinner": 50}
_KM_PER_MILE = Fraction(1_609_344, 1_000_000)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def compute_progressive_tax(
    bank: Bank,
    income: Money,
    bracket_limits: Annotated[list[Money], Meta(max_length=12)],
    bracket_rates: Annotated[list[types.Rate], Meta(min_length=1, max_length=13)],
    allowance: Money = 0,
    tax_credit: Money = 0,
    splitting_persons: Annotated[int, Meta(ge=1, le=6)] = 1,
    rounding: Literal["cent", "dollar_down"] = "cent",
) -> types.ProgressiveTax:
    """Compute a progressive income tax from given brackets; each rate applies to the income within its bracket.

    Args:
        income: Income of the year before the allowance, in dollars.
        bracket_limits: Upper limits of all brackets but the last, ascending, in dollars.
        bracket_rates: Rate of each bracket in percent, one more than there are limits.
        allowance: Part of the income that is free of tax, in dollars.
        tax_credit: Taken off the tax, down to zero, in dollars.
        splitting_persons: The income is divided among so many, taxed, and the tax multiplied again.
        rounding: Whether tax is rounded to cents, halves up, or down to dollars; the average rate has two decimals.
    """
    limits = [to_cents(limit) for limit in bracket_limits]
    if any(lower >= upper for lower, upper in zip([0, *limits], limits, strict=False)):
        raise invalid("bracket_limits", f"expected ascending limits above 0, got {bracket_limits}")
    sums.check_length("bracket_rates", bracket_rates, len(limits) + 1, "brackets")
    taxed = max(0, to_cents(income) - to_cents(allowance))
    due, top = sums.tax_by_brackets(taxed, splitting_persons, limits, bracket_rates)
    before_credit = round_half_up(due) if rounding == "cent" else floor(due / 100) * 100
    tax = max(0, before_credit - to_cents(tax_credit))
    return types.ProgressiveTax(
        tax=usd(tax),
        top_bracket=top + 1,
        marginal_rate_percent=bracket_rates[top],
        average_rate_percent=sums.rounded(Fraction(100 * tax, to_cents(income)), 2) if income else 0,
        unused_credit=usd(max(0, to_cents(tax_credit) - before_credit)),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def split_sales_tax(
    bank: Bank,
    line_amounts: Annotated[list[Money], Meta(min_length=1, max_length=50)],
    tax_rate_percent: types.Rate,
    prices_include_tax: bool,
    rounded_by: Literal["line", "invoice"] = "invoice",
) -> types.SalesTax:
    """Split the lines of an invoice into net, sales tax or VAT, and gross, whether the prices include the tax or not.

    Args:
        line_amounts: Amount of each line in dollars.
        tax_rate_percent: Rate of the tax on the net amount, in percent.
        prices_include_tax: Whether the amounts are gross.
        rounded_by: Whether the tax is rounded to cents for each line or once for the invoice, halves up.
    """
    rate = share(tax_rate_percent)
    taxes = [to_cents(line) * (rate / (1 + rate) if prices_include_tax else rate) for line in line_amounts]
    by_level = {"line": sum(map(round_half_up, taxes)), "invoice": round_half_up(sums.total(taxes))}
    tax, amount = by_level[rounded_by], sum(map(to_cents, line_amounts))
    return types.SalesTax(
        net_total=usd(amount - tax if prices_include_tax else amount),
        tax_total=usd(tax),
        gross_total=usd(amount if prices_include_tax else amount + tax),
        rounding_gap=usd(2 * tax - by_level["line"] - by_level["invoice"]),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def gross_up_bonus(
    bank: Bank,
    desired_net: Annotated[float, Meta(ge=0.01, le=10_000_000, extra={"unit": "usd"})],
    income_tax_percent: types.Rate,
    social_percent: types.Rate = 0,
    room_below_ceiling: Money | None = None,
    fixed_deduction: Annotated[float, Meta(ge=0, le=1_000_000, extra={"unit": "usd"})] = 0,
) -> types.GrossedUpBonus:
    """Find the smallest gross bonus that leaves a promised net after flat deductions, rounded to cents together.

    Args:
        desired_net: What the employee shall keep, in dollars.
        income_tax_percent: Flat income tax on the whole bonus, in percent.
        social_percent: Social contributions in percent.
        room_below_ceiling: Part of the bonus that still bears social contributions, in dollars; all of it if left out.
        fixed_deduction: Fixed amount taken off besides, in dollars.
    """
    tax, social = share(income_tax_percent), share(social_percent)
    if tax + social > Fraction(95, 100):
        raise invalid("social_percent", f"expected at most 95 with the income tax, got {100 * float(tax + social):g}")
    room = None if room_below_ceiling is None else to_cents(room_below_ceiling)
    fixed, wanted = to_cents(fixed_deduction), to_cents(desired_net)

    gross, deducted = sums.gross_for(wanted + fixed, tax, social, room)
    return types.GrossedUpBonus(
        gross_bonus=usd(gross),
        income_tax_and_social=usd(deducted),
        net_bonus=usd(gross - deducted - fixed),
        gross_per_net_dollar=sums.rounded(Fraction(gross, wanted), 4),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def split_overtime_pay(
    bank: Bank,
    hours_by_day: Annotated[list[types.DayHours], Meta(min_length=1, max_length=7)],
    hourly_rate: Annotated[float, Meta(ge=0, le=10_000, extra={"unit": "usd"})],
    daily_limit: types.DayHours,
    weekly_limit: types.Hours,
    overtime_factor: Annotated[float, Meta(ge=1, le=5)] = 1.5,
    double_time_after: types.DayHours | None = None,
    double_time_factor: Annotated[float, Meta(ge=1, le=5)] = 2,
) -> types.OvertimePay:
    """Split the hours of one week into regular time, overtime and double time, and pay them. Hours that are overtime by
    the day do not count toward the limit of the week.

    Args:
        hours_by_day: Hours worked on each day of the week.
        hourly_rate: Plain pay for an hour, in dollars.
        daily_limit: Hours of a day after which overtime begins.
        weekly_limit: Regular hours of the week after which overtime begins.
        overtime_factor: Factor on the plain rate for overtime.
        double_time_after: Hours of a day after which double time begins; none if left out.
        double_time_factor: Factor on the plain rate for double time.
    """
    if double_time_after is not None and double_time_after < daily_limit:
        raise invalid("double_time_after", f"expected at least the daily limit {daily_limit}, got {double_time_after}")
    hours = sums.split_hours(hours_by_day, daily_limit, weekly_limit, double_time_after)
    premium, pay = hours.pay(to_cents(hourly_rate), overtime_factor, double_time_factor)
    return types.OvertimePay(
        regular_hours=float(hours.regular),
        overtime_hours=float(hours.overtime),
        double_time_hours=float(hours.double),
        premium_pay=usd(premium),
        total_pay=usd(pay),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def work_out_travel_allowance(
    bank: Bank,
    first_day: date,
    last_day: date,
    daily_meal_rate: Annotated[float, Meta(ge=0, le=1000, extra={"unit": "usd"})],
    nightly_lodging_rate: Annotated[float, Meta(ge=0, le=5000, extra={"unit": "usd"})],
    edge_day_percent: types.Rate = 75,
    free_nights: Annotated[int, Meta(ge=0, le=61)] = 0,
    meals_provided: Annotated[list[types.Meal], Meta(max_length=50)] | None = None,
) -> types.TravelAllowance:
    """Work out the per-diem allowance of a business trip: meals by the day, lodging by the night, less meals that
    others paid for (a breakfast is 20, a lunch 30, a dinner 50 percent of the daily rate).

    Args:
        first_day: Day of departure.
        last_day: Day of return, at most 62 days in all.
        daily_meal_rate: Meal allowance of a full day, in dollars.
        nightly_lodging_rate: Lodging allowance of a night, in dollars.
        edge_day_percent: Part of the meal allowance that is paid for the first and for the last day.
        free_nights: Nights for which no lodging is paid, as with friends.
        meals_provided: Meals that others paid for, one entry for each.
    """
    days = (last_day - first_day).days + 1
    if not 1 <= days <= _LONGEST_TRIP:
        raise invalid("last_day", f"expected a trip of 1 to {_LONGEST_TRIP} days from {first_day}, got {last_day}")
    if free_nights > days - 1:
        raise invalid("free_nights", f"expected at most the {days - 1} nights of the trip, got {free_nights}")
    meals = Counter(meals_provided or ())
    if any(count > days for count in meals.values()):
        raise invalid("meals_provided", f"expected at most {days} of a kind, one a day, got {dict(meals)}")
    reduction = Fraction(sum(_MEAL_PERCENT[meal] * count for meal, count in meals.items()), 100)
    edges = min(days, 2)
    rate = to_cents(daily_meal_rate)
    meals_in_full = round_half_up(rate * (days - edges + edges * share(edge_day_percent)))
    reduced = min(meals_in_full, round_half_up(rate * reduction))
    lodging = to_cents(nightly_lodging_rate) * (days - 1 - free_nights)
    return types.TravelAllowance(
        travel_days=days,
        paid_nights=days - 1 - free_nights,
        meals_before_reduction=usd(meals_in_full),
        meal_reduction=usd(reduced),
        lodging=usd(lodging),
        total_allowance=usd(meals_in_full - reduced + lodging),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def reimburse_mileage(
    bank: Bank,
    trip_distances: Annotated[list[types.Distance], Meta(min_length=1, max_length=31)],
    distance_unit: Literal["mile", "kilometer"],
    rate_per_mile: Annotated[float, Meta(ge=0, le=5)],
    round_trips: bool = False,
    usual_commute: types.Distance = 0,
    tolls_and_parking: Money = 0,
) -> types.MileageClaim:
    """Work out what an employee gets back for trips in the own car, less the usual commute; money to cents, halves up.

    Args:
        trip_distances: One-way distance of each trip.
        distance_unit: Unit of the distances and of the commute.
        rate_per_mile: Dollars for a mile.
        round_trips: Whether every distance was driven there and back.
        usual_commute: One-way distance that is taken off each way of every trip, down to zero.
        tolls_and_parking: Receipts that are paid in full, in dollars.
    """
    ways = [max(Fraction(0), exact(way) - exact(usual_commute)) for way in trip_distances]
    miles = sums.total(ways) * (2 if round_trips else 1) / (1 if distance_unit == "mile" else _KM_PER_MILE)
    amount = round_half_up(miles * exact(rate_per_mile) * 100)
    whole = amount + to_cents(tolls_and_parking)
    return types.MileageClaim(claimed_miles=sums.rounded(miles, 2), mileage_amount=usd(amount), total_amount=usd(whole))


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_pay_dates(
    bank: Bank,
    frequency: Literal["weekly", "biweekly", "semimonthly", "monthly"],
    first_pay_date: date,
    count: Annotated[int, Meta(ge=1, le=53)],
    weekend_rule: Literal["keep", "friday_before", "monday_after"] = "friday_before",
) -> types.PayDates:
    """List the pay dates of a payroll and the months in which weekly or biweekly pay falls once more often than usual.

    Args:
        frequency: Semimonthly is the 15th and the last day; monthly the day of the first date, or else the last.
        first_pay_date: First pay date, or for semimonthly pay the earliest one possible, in the years 2000 to 2100.
        count: How many dates.
        weekend_rule: What happens to a date on a weekend; public holidays are not looked at.
    """
    if not 2000 <= first_pay_date.year <= 2100:
        raise invalid("first_pay_date", f"expected a day of the years 2000 to 2100, got {first_pay_date}")
    planned = sums.plan_pay_dates(frequency, first_pay_date, count)
    paid = [sums.off_weekend(day, weekend_rule) for day in planned]
    return types.PayDates(
        pay_dates=paid,
        moved_for_weekend=sum(day != new for day, new in zip(planned, paid, strict=True)),
        months_with_extra_pay=sums.extra_pay_months(planned, frequency),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_payslip_lines(
    bank: Bank,
    gross_pay: Money,
    deduction_percents: Annotated[list[types.Rate], Meta(min_length=1, max_length=15)],
    deduction_amounts: Annotated[list[Money], Meta(min_length=1, max_length=15)],
    stated_net: Money,
    tolerance_cents: Annotated[int, Meta(ge=0, le=100)] = 1,
) -> types.PayslipCheck:
    """Check a payslip: each deduction against its percentage of the gross pay, and the net against the deductions.

    Args:
        gross_pay: Gross pay in dollars.
        deduction_percents: Percentage of each deduction line.
        deduction_amounts: Stated amount of each line in dollars, in the same order.
        stated_net: Stated net pay in dollars.
        tolerance_cents: Difference of a line, in cents, that still passes as rounding; the net must fit exactly.
    """
    sums.check_length("deduction_amounts", deduction_amounts, len(deduction_percents), "percentages")
    gross, stated = to_cents(gross_pay), [to_cents(amount) for amount in deduction_amounts]
    expected = [round_half_up(gross * share(rate)) for rate in deduction_percents]
    lines = enumerate(zip(stated, expected, strict=True), 1)
    off = [number for number, (line, right) in lines if abs(line - right) > tolerance_cents]
    net = gross - sum(stated)
    return types.PayslipCheck(
        fits=not off and net == to_cents(stated_net),
        lines_off=off,
        expected_deductions=[usd(amount) for amount in expected],
        net_of_stated_lines=usd(net),
        net_difference=usd(to_cents(stated_net) - net),
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def share_tip_pool(
    bank: Bank,
    total_tips: Money,
    hours: Annotated[list[types.Hours], Meta(min_length=1, max_length=40)],
    points: Annotated[list[Annotated[float, Meta(ge=0, le=10)]], Meta(min_length=1, max_length=40)] | None = None,
) -> types.TipShares:
    """Share a pool of tips by hours, or by hours times points; left-over cents go to the largest fractions.

    Args:
        total_tips: The pool in dollars.
        hours: Hours of each person.
        points: Points of each person's job, in the same order; everybody has one point if left out.
    """
    factors = points if points is not None else [1.0] * len(hours)
    sums.check_length("points", factors, len(hours), "persons")
    weights = [exact(time) * exact(factor) for time, factor in zip(hours, factors, strict=True)]
    if not any(weights):
        raise invalid("hours", "expected somebody with hours and points above 0, got none")
    shares, spread = sums.hand_out(to_cents(total_tips), weights)
    hourly = sums.rounded(to_cents(total_tips) / sums.total(weights) / 100, 4)
    return types.TipShares(shares=list(map(usd, shares)), tips_per_weighted_hour=hourly, cents_spread=spread)


@tool(category=Category.FINANCIAL_DISTRACTOR)
def check_tax_number(
    bank: Bank, kind: TaxNumberKind, tax_number: Annotated[str, Meta(min_length=4, max_length=24)]
) -> types.TaxNumberCheck:
    """Check the form and the check digits of an employer's tax number. Whether the number was ever given out is not
    looked up; an EIN has no check digits.

    Args:
        kind: Country and kind of the number.
        tax_number: The number with or without its country's letters; spaces, dots and hyphens are ignored.
    """
    digits, problem = read_tax_number(kind, tax_number)
    well_formed = problem in ("none", "wrong_check_digits")
    fits = problem == "none" if well_formed and kind != "us_ein" else None
    return types.TaxNumberCheck(digits=digits, well_formed=well_formed, check_digits_fit=fits, problem=problem)


@tool(act=Act.FINAL, category=Category.FINANCIAL_DISTRACTOR)
def declare_fringe_benefit(
    bank: Bank,
    employee_code: types.EmployeeCode,
    benefit: types.Benefit,
    monthly_value: Annotated[float, Meta(ge=0.01, le=100_000, extra={"unit": "usd"})],
    first_month: types.Month,
    months: Annotated[int, Meta(ge=1, le=36)],
    private_use_percent: types.Rate = 100,
    own_contribution: Annotated[float, Meta(ge=0, le=100_000, extra={"unit": "usd"})] = 0,
) -> types.BenefitDeclaration:
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
    return types.BenefitDeclaration(
        declaration_id=key, taxable_each_month=usd(taxable), taxable_total=usd(taxable * months), last_month=last_month
    )


@tool(category=Category.FINANCIAL_DISTRACTOR)
def list_fringe_benefits(
    bank: Bank, employee_code: types.EmployeeCode | None = None, month: types.Month | None = None
) -> types.DeclaredBenefits:
    """List declared fringe benefits and add up their taxable value a month.

    Args:
        employee_code: Only those of one employee.
        month: Only those that run in this month, such as 2026-05.
    """
    found = [
        msgspec.convert({**row, "declaration_id": key}, types.DeclaredBenefit)
        for key, row in bank.rows(_TABLE)
        if employee_code in (None, row["employee_code"])
        and (month is None or row["first_month"] <= month <= row["last_month"])
    ]
    found.sort(key=lambda line: (line.employee_code, line.first_month, line.declaration_id))
    return types.DeclaredBenefits(
        declarations=found[:_LISTED],
        declaration_count=len(found),
        taxable_each_month_total=usd(sum(to_cents(line.taxable_each_month) for line in found)),
    )
