"""Generated accounts of the applicants with the bank, and their housing costs."""

from __future__ import annotations

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.accounts import add_account
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.scenarios.loans.generator.terms import Loan
from teller_gym.scenarios.loans.policy import LoanPolicy

_RENT = (70_000, 210_000)
_UPKEEP = (15_000, 60_000)
"""Taxes and insurance on top of a loan on the home, in cents a month."""
_LEAST = 60_000
_STEP = 500


class Holdings(msgspec.Struct, kw_only=True):
    """Accounts that are paid off at closing, their total balance, and the present housing cost."""

    payoffs: list[str]
    paid_off: int
    housing: int


def draw_holdings(
    draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, people: list[Person], loan: Loan
) -> Holdings:
    """Add the applicants' accounts; their loans are home loans, so the housing cost includes the payments on them."""
    for person in people:
        if person is people[0] or draw.chance(0.6):
            product = draw.choice(("checking", "savings"))
            add_account(draw, tables, person, "deposit", product, draw.integer(20_000, 4_000_000))
    payoffs, paid_off = _paid_off(draw, plan, tables, people, loan)
    kept = _kept(draw, policy, plan, tables, people, loan)
    owed = paid_off + kept
    housing = draw.steps(*_RENT, _STEP)
    if owed:
        housing = max(_LEAST, owed * draw.integer(72, 105) // 10_000 // _STEP * _STEP + draw.steps(*_UPKEEP, _STEP))
    return Holdings(payoffs=payoffs, paid_off=paid_off, housing=housing)


def _paid_off(draw: Draw, plan: Plan, tables: Tables, people: list[Person], loan: Loan) -> tuple[list[str], int]:
    """Add a loan that is paid off at closing, from the sale of the old home or by a consolidation."""
    if plan.product == "home" and draw.chance(0.35):
        balance = draw.steps(3_000_000, 16_000_000, 10_000)
    elif plan.purpose == "debt_consolidation" and loan.requested > 1_500_000 and draw.chance(0.5):
        balance = draw.steps(200_000, loan.requested * 3 // 10, 10_000)
    else:
        return [], 0
    return [add_account(draw, tables, draw.choice(people), "loan", "home_equity", balance)], balance


def _kept(draw: Draw, policy: LoanPolicy, plan: Plan, tables: Tables, people: list[Person], loan: Loan) -> int:
    """Add loans that stay, placing the exposure above, below or exactly on the limit; return their total balance."""
    room = policy.escalation_exposure - loan.requested
    if room > 1_000_000 and draw.chance(0.5):
        kind = draw.weighted((("limit", 3), ("under", 3), ("over", 3)))
        off = 0 if kind == "limit" else draw.steps(50_000, 1_500_000, 50_000)
        sum_kept = room - off if kind == "under" else room + off
        return _lend(draw, tables, people, max(500_000, sum_kept))
    return sum(
        _lend(draw, tables, [person], draw.steps(1_500_000, 9_000_000, 10_000))
        for person in people
        if draw.chance(0.35)
    )


def _lend(draw: Draw, tables: Tables, people: list[Person], balance: int) -> int:
    """Add loans with a total of ``balance``, of one applicant or of both; return the total."""
    if len(people) == 1 or draw.chance(0.25):
        add_account(draw, tables, people[-1], "loan", "home_equity", balance)
        return balance
    first = draw.steps(balance // 4, balance * 3 // 4, 50_000)
    add_account(draw, tables, people[0], "loan", "home_equity", first)
    add_account(draw, tables, people[1], "loan", "home_equity", balance - first)
    return balance
