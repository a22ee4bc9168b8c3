"""Generated tradelines: counted ones that add up to a given total, and others that do not count."""

from __future__ import annotations

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.scenarios.loans.generator.terms import Loan
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.scenarios.loans.solver_facts import tradeline_payment
from teller_gym.tools.bank import Record

_LARGEST = 120_000
"""Largest monthly payment of one tradeline, in cents; more debt is split over several."""
LEAST = 2_500
"""Smallest monthly payment on a debt, in cents."""


def uncounted_lines(draw: Draw, policy: LoanPolicy, income: int) -> list[Record]:
    """Draw lines that do not count: nearly paid installment loans and authorized-user cards; rarely none."""
    short = policy.short_debt_payments
    kinds = draw.weighted(((("short",), 4), (("card",), 4), (("short", "card"), 4), (("short", "short"), 1), ((), 1)))
    lines = []
    for kind in kinds:
        payment = max(4_000, round(income * draw.real(0.012, 0.06)))
        if kind == "short":
            left = short if draw.chance(0.35) else draw.integer(1, short)
            lines.append(_installment(draw, payment, left, "owner"))
        else:
            payment = payment // 100 * 100
            lines.append(_line(draw, "revolving", "authorized_user", payment * draw.integer(22, 40), payment, None))
    return lines


def payoff_lines(draw: Draw, plan: Plan, loan: Loan, most: int) -> list[Record]:
    """Draw debts that are paid off at closing, by a consolidation or from a sale or trade-in.

    ``most`` is the amount of a consolidation that is left for them, in cents.
    """
    if plan.purpose == "debt_consolidation":
        first = _owed(draw, most * draw.integer(45, 80) // 100)
        left = most * 9 // 10 - first["balance"]
        return [first, _owed(draw, left)] if left > 80_000 and draw.chance(0.5) else [first]
    if plan.purpose == "purchase" and draw.chance(0.25):
        return [_owed(draw, min(1_500_000, loan.requested // 2))]
    return []


def _owed(draw: Draw, balance: int) -> Record:
    """Draw a long-running debt of at most ``balance``."""
    if draw.chance(0.5):
        payment = max(LEAST, balance // draw.integer(24, 40) // 100 * 100)
        return _line(draw, "revolving", "owner", balance, payment, None)
    months = draw.integer(16, 50)
    payment = max(100, balance // months)
    return _line(draw, "installment", "owner", payment * months * draw.integer(88, 98) // 100, payment, months)


def counted_lines(draw: Draw, policy: LoanPolicy, total: int) -> list[Record]:
    """Draw lines whose counted payments add up to ``total`` cents a month; none for a negligible total."""
    lines: list[Record] = []
    left = total
    for kind in ("lease", "zero", "long", "card"):
        # Lines that count despite appearances: a lease near its end, a card without a payment, a loan one payment too
        # long.
        if left > 15_000 and draw.chance(0.4):
            line = _tempting(draw, policy, kind, draw.integer(5_000, min(left // 2, 60_000)))
            lines.append(line)
            left -= tradeline_payment(line, policy)
    while left > _LARGEST:
        payment = draw.integer(30_000, _LARGEST * 3 // 4)
        lines.append(_installment(draw, payment, draw.integer(policy.short_debt_payments + 1, 58), "owner"))
        left -= payment
    if left > 20_000 and draw.chance(0.5):
        payment = draw.steps(3_000, left // 2, 100)
        lines.append(_line(draw, "revolving", "owner", payment * draw.integer(22, 45), payment, None))
        left -= payment
    if left > 0:
        months = draw.integer(policy.short_debt_payments + 1, 58)
        lines.append(_installment(draw, left, months, draw.choice(("owner", "owner", "joint"))))
    return lines


def _tempting(draw: Draw, policy: LoanPolicy, kind: str, payment: int) -> Record:
    """Draw a line that counts about ``payment`` cents a month, but that a hasty reader leaves out."""
    short = policy.short_debt_payments
    if kind == "lease":
        months = draw.integer(1, short) if draw.chance(0.7) else draw.integer(short + 1, 36)
        return _line(draw, "lease", "owner", payment * months, payment, months)
    if kind == "zero":
        return _line(draw, "revolving", "owner", payment * 10_000 // policy.zero_payment_share // 100 * 100, 0, None)
    if kind == "long":
        return _installment(draw, payment, short + draw.integer(1, 2), draw.choice(("owner", "joint")))
    payment = payment // 100 * 100
    return _line(draw, "revolving", draw.choice(("owner", "joint")), payment * draw.integer(22, 45), payment, None)


def shared_line(draw: Draw, payment: int) -> Record:
    """Draw a debt that both applicants owe, so it is on both their reports."""
    return _installment(draw, payment, draw.integer(14, 58), "joint")


def months_ago(line: Record, months: int) -> Record:
    """Return a tradeline as it was on a report some months ago."""
    if line["payments_left"] is None:
        return {**line, "balance": line["balance"] * 23 // 20 // 100 * 100}
    left = line["payments_left"] + months
    return {**line, "payments_left": left, "balance": line["balance"] * left // max(1, line["payments_left"])}


def _installment(draw: Draw, payment: int, months: int, role: str) -> Record:
    """Draw an installment loan; its balance is the present value of the remaining payments."""
    return _line(draw, "installment", role, payment * months * draw.integer(90, 99) // 100, payment, months)


def _line(draw: Draw, kind: str, role: str, balance: int, payment: int, payments_left: int | None) -> Record:
    return {
        "tradeline_id": draw.identifier("TL"),
        "creditor": draw.choice(words_of(__package__)["creditors"][kind]),
        "kind": kind,
        "role": role,
        "balance": balance,
        "monthly_payment": payment,
        "payments_left": payments_left,
    }
