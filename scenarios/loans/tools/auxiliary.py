"""Auxiliary tools of a loan officer's bank, defined in ``auxiliary.yaml``; none is in the API graph."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.errors import invalid
from teller_gym.base.money import level_payment, round_half_up
from teller_gym.scenarios.banking.lookup import customer
from teller_gym.scenarios.banking.tools.auxiliary import auxiliary_subject
from teller_gym.scenarios.loans.tools import types
from teller_gym.scenarios.loans.tools.lookup import application
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.catalogue.vocabulary import add_months


def check_rate(rate: float, field: str) -> None:
    """Raise an error for a percentage with more decimals than the bank quotes."""
    if round(rate, 3) != rate:
        raise invalid(field, f"expected percent with at most three decimals, got {rate!r}")


def applicant_of(bank: Bank, application_id: str, customer_id: str) -> Record:
    """Return the customer's record, after checking that they are an applicant of the application."""
    case = application(bank, application_id)
    if customer_id not in [person["customer_id"] for person in case["applicants"]]:
        raise invalid("customer_id", f"{customer_id} is no applicant of {application_id}")
    return customer(bank, customer_id)


class Row(NamedTuple):
    """One month of a schedule, in cents; ``balance`` is the amount still owed after it."""

    number: int
    interest: int
    principal: int
    balance: int


def schedule(principal: int, annual_rate: float, months: int, extra: int = 0) -> list[Row]:
    """Return the monthly rows of a level-payment loan; interest is rounded to a cent, the last month clears the rest.

    Args:
        principal: Borrowed amount in cents.
        annual_rate: Yearly rate in percent.
        months: Term.
        extra: Cents paid each month on top of the level payment.
    """
    payment = level_payment(principal, annual_rate, months) + extra
    rate = Fraction(repr(annual_rate)) / 1200
    balance, rows = principal, list[Row]()
    while balance > 0:
        interest = round_half_up(balance * rate)
        paid_back = balance if len(rows) + 1 == months else min(balance, payment - interest)
        balance -= paid_back
        rows.append(Row(len(rows) + 1, interest, paid_back, balance))
    return rows


def due_date(first: date, number: int) -> date:
    """Return the due date of a payment, by its number and the first due date."""
    try:
        return add_months(first, number - 1)
    except OverflowError:
        raise invalid("first_due_date", f"the schedule passes the year 9999, got {first}") from None


def cost_of(amount: int, annual_rate: float, months: int, fee_percent: float, months_kept: int) -> int:
    """Return the fee and interest, in cents, of a loan that is paid off after ``months_kept`` months."""
    fee = round_half_up(amount * Fraction(repr(fee_percent)) / 100)
    return fee + sum(row.interest for row in schedule(amount, annual_rate, months) if row.number <= months_kept)


def periodic_payment(amount: int, balloon: int, annual_rate: float, count: int, periods_a_year: int) -> int:
    """Return the payment per period, in cents, that reduces ``amount`` to ``balloon`` in ``count`` periods."""
    if annual_rate == 0:
        return round_half_up(Fraction(amount - balloon, count))
    with localcontext() as context:
        context.prec = 40
        rate = Decimal(repr(annual_rate)) / 100 / periods_a_year
        discount = (1 + rate) ** -count
        return round_half_up((amount - balloon * discount) * rate / (1 - discount))


SUBJECT = auxiliary_subject(__package__, types, level_payment)
"""Auxiliary tools, in the order in which agents see them."""
