"""The solver's view of a case, and its calendar. Amounts are cents."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.procedure.task import Task
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.solving.intake import Ledger
from teller_gym.tools.bank import Record

ORDER = (
    "kind", "account", "identity", "watch_list", "misuse", "opening", "authority", "items", "hold", "findings",
    "liability", "orders", "stage", "letter", "closing", "final_clock",
)  # fmt: skip
"""The decision points, in the order of the SOP."""


class Ending(NamedTuple):
    """One row of T5 with the amount in cents, and its own dates; None where a general clock sets them."""

    decision: str
    reason: str
    amount: int = 0
    action: date | None = None
    final: date | None = None


class Case(Ledger):
    """A task's records with the outcomes and clauses recorded so far."""

    def __init__(self, task: Task, policy: AccountPolicy) -> None:
        super().__init__(ORDER)
        self.task = task
        self.policy = policy
        self.request: Record = task.tables["requests"][task.case_id]
        self.today = task.today
        self.received = date.fromisoformat(self.request["received_date"])
        self.account: Record = task.tables["accounts"].get(self.request["account_id"] or "", {})

    def record(self, table: str, key: str) -> Record:
        """Return a record, or an empty one if there is none."""
        return self.task.tables.get(table, {}).get(key, {})

    # -- calendar -----------------------------------------------------------------------------------------------------

    def is_open(self, day: date) -> bool:
        """Return True if the bank is open on a day (D2)."""
        return day.isoweekday() <= 5 and day not in self.policy.holidays

    def business(self, day: date, count: int) -> date:
        """Return the day ``count`` business days after a day (D2)."""
        while count:
            day += timedelta(1)
            count -= self.is_open(day)
        return day

    def back(self, day: date) -> date:
        """Return the day itself, or the last business day before it."""
        while not self.is_open(day):
            day -= timedelta(1)
        return day

    def banking_day(self, row: Record, day: str, time: str) -> date:
        """Return the banking day of a row; ``day`` and ``time`` name its fields (D5)."""
        self.cite("D5", "T1")
        came = date.fromisoformat(row[day])
        too_late = row[time] > self.policy.cutoffs[row["channel"]]
        return self.business(came, 1) if too_late or not self.is_open(came) else came

    def clock(self, name: str, start: date, length: int | None = None) -> date:
        """Return the deadline of a clock that starts on a day (T7)."""
        self.cite("T7", "5.8.2")
        rule = self.policy.clocks[name]
        count = rule.counted if length is None else length
        if rule.unit == "business_days":
            return self.business(start, count)
        if name == "letter_to_owner":
            count = -count
        end = later(start, count) if rule.unit == "months" else start + timedelta(count)
        return self.back(end) if rule.roll == "previous" else end


def by(key: str, rows: list[Record]) -> list[Record]:
    """Return rows sorted by an ID field (D3)."""
    return sorted(rows, key=lambda row: str(row[key]))


def later(day: date, months: int) -> date:
    """Return the same day some months later, or the last day of a shorter month (D20)."""
    total = 12 * day.year + day.month + months - 1
    year, month = total // 12, total % 12 + 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def years(born: str, on: date) -> int:
    """Return the completed years since birth (D20)."""
    first = date.fromisoformat(born)
    return on.year - first.year - (on.strftime("%m%d") < first.strftime("%m%d"))


def days(first: str | date, last: str | date) -> int:
    """Return the number of calendar days from one day to another."""
    ends = [date.fromisoformat(day) if isinstance(day, str) else day for day in (first, last)]
    return (ends[1] - ends[0]).days
