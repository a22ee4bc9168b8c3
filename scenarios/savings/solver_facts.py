"""The solver's view of a task, and its computation of interest."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.money import round_half_up
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import Ledger
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.tools.bank import Record


class Ending(NamedTuple):
    """One row of T7: decision, reason, amount in cents, and the value date, by its name in T8 or as a date."""

    decision: str
    reason: str
    amount: int
    value: str


class Case(Ledger):
    """A task with the outcomes and rules recorded so far."""

    def __init__(self, task: Task, policy: SavingsPolicy) -> None:
        super().__init__()
        self.task = task
        self.policy = policy
        self.today = task.today
        self.request: Record = task.tables["requests"][task.case_id]
        ids = [word.strip(".,") for word in task.request.split() if word.startswith("AC-")]
        self.records: list[Record] = [task.tables["accounts"][key] for key in ids]

    @property
    def record(self) -> Record:
        """The request's first account."""
        return self.records[0]

    @property
    def wanted(self) -> int:
        """The requested amount, or the balance if none was stated, in cents (D22)."""
        asked: int = self.request["requested_amount"]
        return asked if asked > 0 else int(self.record["balance"])

    def interest(self, record: Record, cents: int, to: date) -> int:
        """Return the interest on an amount since interest was last credited, in cents (D10)."""
        product = self.policy.products[record["product"]]
        start = date.fromisoformat(record["interest_paid_to"])
        rate = Fraction(record["annual_rate"], 10_000)
        if product.day_count == "thirty_360":
            ends = [d.year * 360 + d.month * 30 + (30 if d.day == 31 else d.day) for d in (start, to)]
            days = ends[1] - ends[0]
        else:
            days = to.toordinal() - start.toordinal()
        base = {"actual_365": 365, "actual_360": 360, "thirty_360": 360}[product.day_count]
        if product.method == "simple":
            return round_half_up(cents * rate * days / base)
        if product.method == "daily":
            return _compounded(cents, rate / base, days)
        grown = (1 + rate / 12) ** (days // 30) * (1 + rate * (days % 30) / 360)
        return round_half_up(cents * (grown - 1))


def _compounded(cents: int, daily: Fraction, days: int) -> int:
    """Return the interest from daily compounding, in cents, computed exactly with integers."""
    top: int = (daily.numerator + daily.denominator) ** days
    bottom: int = daily.denominator**days
    return (2 * cents * (top - bottom) + bottom) // (2 * bottom)
