"""Tools of a card desk outside the API graph, from ``auxiliary.yaml``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.money import exact, round_half_up
from teller_gym.scenarios.banking.tools.auxiliary import auxiliary_subject
from teller_gym.scenarios.credit_cards.tools import types
from teller_gym.scenarios.credit_cards.tools.ability import assumed_payment
from teller_gym.scenarios.credit_cards.tools.ledger import lines_named, lines_of
from teller_gym.scenarios.credit_cards.tools.lookup import account, account_of, request

_LONGEST = 600
_MOST_OWED = 10**10


class Payoff(NamedTuple):
    """Result of paying off a balance, amounts in cents; 600 months if it is never paid off."""

    months: int
    last_payment: int
    interest: int


def payoff(
    balance: int, rates: Sequence[float], later_rate: float, payment: int, extra: int, added: int, holiday: int
) -> Payoff:
    """Simulate paying off a balance, with interest by the month.

    Args:
        balance: Cents owed.
        rates: Yearly rates of the first months, in percent.
        later_rate: The rate of all later months.
        payment: Cents paid each month.
        extra: Additional cents paid in the first month.
        added: Cents of new purchases each month.
        holiday: Number of initial months without a payment.
    """
    interest = last = 0
    for month in range(1, _LONGEST + 1):
        rate = rates[month - 1] if month <= len(rates) else later_rate
        charge = round_half_up(Fraction(balance) * exact(rate) / 1200)
        interest += charge
        paid = (0 if month <= holiday else payment) + (extra if month == 1 else 0)
        last = min(balance + charge + added, paid)
        balance += charge + added - last
        if balance <= 0:
            return Payoff(month, last, interest)
        if balance > _MOST_OWED:
            break
    return Payoff(_LONGEST, last, min(interest, _MOST_OWED))


SUBJECT = auxiliary_subject(__package__, types, account, account_of, assumed_payment, lines_named, lines_of, request)
"""The auxiliary tools, in the order in which agents see them."""
