"""The tools of a loan officer's bank around the procedure, from ``auxiliary.yaml``; none belongs to the API graph."""

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
    """Return the customer's record after checking that the customer is an applicant of the application."""
    case = application(bank, application_id)
    if customer_id not in [person["customer_id"] for person in case["applicants"]]:
        raise invalid("customer_id", f"{customer_id} is no applicant of {application_id}")
    return customer(bank, customer_id)


class Row(NamedTuple):
    """One month of a schedule, in cents; ``balance`` is what is owed after it."""

    number: int
    interest: int
    principal: int
    balance: int


def schedule(principal: int, annual_rate: float, months: int, extra: int = 0) -> list[Row]:
    """Return the months of a loan with level payments; interest is rounded to a cent, the last month clears the rest.

    Args:
        principal: Cents borrowed.
        annual_rate: Percent.
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
    """Return the day of a payment, by the day of the first one and its number."""
    try:
        return add_months(first, number - 1)
    except OverflowError:
        raise invalid("first_due_date", f"the schedule passes the year 9999, got {first}") from None


def cost_of(amount: int, annual_rate: float, months: int, fee_percent: float, months_kept: int) -> int:
    """Return fee and interest, in cents, of a loan that is paid off after the months it is kept."""
    fee = round_half_up(amount * Fraction(repr(fee_percent)) / 100)
    return fee + sum(row.interest for row in schedule(amount, annual_rate, months) if row.number <= months_kept)


def periodic_payment(amount: int, balloon: int, annual_rate: float, count: int, periods_a_year: int) -> int:
    """Return the cents per period that bring ``amount`` down to ``balloon`` in ``count`` periods."""
    if annual_rate == 0:
        return round_half_up(Fraction(amount - balloon, count))
    with localcontext() as context:
        context.prec = 40
        rate = Decimal(repr(annual_rate)) / 100 / periods_a_year
        discount = (1 + rate) ** -count
        return round_half_up((amount - balloon * discount) * rate / (1 - discount))


SUBJECT = auxiliary_subject(__package__, types, level_payment)
"""The auxiliary tools, in the order in which agents see them."""
