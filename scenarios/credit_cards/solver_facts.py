"""The solver's view of a request's records: people, incomes, debts, lines and statements. Amounts are cents."""

from __future__ import annotations

from bisect import bisect_left
from calendar import monthrange
from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.dates import is_business_day, on_or_before_business_day, whole_years
from teller_gym.base.money import round_half_up
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import Ledger
from teller_gym.scenarios.credit_cards.policy import CardPolicy, Product
from teller_gym.tools.bank import Record

ONE_DAY = timedelta(days=1)


class Entry(NamedTuple):
    """A posted line of the account."""

    key: str
    posted: date
    made: date
    kind: str
    merchant: str
    state: str
    miles: str
    cents: int
    balance: int
    card: str
    entry: str
    mark: str


class Ending(NamedTuple):
    """One row of T6 with its amount, and the day by which the earliest dispute must be resolved."""

    decision: str
    reason: str
    amount: int = 0
    resolve_by: date | None = None


class Case(Ledger):
    """A task's records with the outcomes and rules recorded so far."""

    def __init__(self, task: Task, policy: CardPolicy) -> None:
        super().__init__(DECISION_POINTS)
        self.policy, self.today, self.tables = policy, task.today, task.tables
        self.request: Record = task.tables["requests"][task.case_id]
        self.kind: str = self.request["kind"]
        self.product: Product = policy.products[self.request["product"]]
        self.received = date.fromisoformat(self.request["received_date"])
        self.people: list[Record] = self.request["people"]
        self.account: Record = task.tables["card_accounts"].get(self.request["account_id"] or "", {})
        self.ledger: list[Entry] = []
        self.statements: list[Record] = []
        if self.account and self.kind in policy.cycles_read:
            self.statements = self.account["statements"][-policy.cycles_read[self.kind] :]
            entries = [_entry(text.split("|")) for text in self.account["lines"]]
            first = date.fromisoformat(self.statements[0]["first_day"])
            self.ledger = [entry for entry in entries if entry.posted >= first]
        self.closings = [date.fromisoformat(row["closing_date"]) for row in self.statements]

    def back(self, day: date) -> date:
        """Return the day itself, or the last business day before it (D2)."""
        return on_or_before_business_day(day, self.policy.holidays)


DECISION_POINTS = (
    "kind", "people", "block", "identity", "watch_list", "account", "papers", "alert", "score", "income", "debts",
    "bound", "ability", "notice", "tracks", "findings", "unauthorized", "liability", "basis", "exclusions", "rate",
    "late_fee", "authority",
)  # fmt: skip


def _entry(fields: list[str]) -> Entry:
    key, posted, made, kind, merchant, state, miles, cents, balance, card, entry, mark = fields
    days = date.fromisoformat(posted), date.fromisoformat(made)
    return Entry(key, *days, kind, merchant, state, miles, int(cents), int(balance), card, entry, mark)


def closing_after(day: date, number: int) -> date:
    """Return the first closing day after ``day`` of an account that closes on day ``number`` of each month."""
    probe = day + ONE_DAY
    while probe.day != min(number, monthrange(probe.year, probe.month)[1]):
        probe += ONE_DAY
    return probe


# -- income and debts (D6, D8) ----------------------------------------------------------------------------------------


def yearly_incomes(case: Case) -> dict[str, int]:
    """Return the counted yearly income of each person, in cents (D6)."""
    ages = {
        person["customer_id"]: whole_years(date.fromisoformat(person["date_of_birth"]), case.today)
        for person in case.people
    }
    return {
        who: counted_yearly(
            case.policy, [row for row in case.request["incomes"] if row["recipient_id"] == who], ages, case.today
        )
        for who in ages
    }


def counted_yearly(policy: CardPolicy, rows: list[Record], ages: dict[str, int], today: date) -> int:
    """Add up the yearly amounts of the income rows that count, in cents; ``ages`` is by recipient (D6)."""
    last_uncounted = today + timedelta(days=policy.income_horizon_days)
    total = 0
    for row in rows:
        lasting = row["ends_on"] is None or date.fromisoformat(row["ends_on"]) > last_uncounted
        admitted = (
            row["paid_into"] in ("own_account", "joint_account") and ages[row["recipient_id"]] >= policy.adult_age
        )
        if row["documented"] and lasting and (row["earner"] == "self" or admitted):
            total += row["gross_pay"] * policy.pay_periods[row["pay_period"]]
    return total


def obligations(case: Case) -> int:
    """Add up the monthly payments of the tradelines that count, in cents (D8)."""
    seen: dict[str, int] = {}
    for person in case.people:
        for line in case.tables["bureau_files"][person["customer_id"]]["tradelines"]:
            if line["role"] == "authorized_user":
                continue
            if line["bank_account_id"] and line["bank_account_id"] == case.request["account_id"]:
                continue
            deferred = line["kind"] == "student_loan" and line["deferred"]
            share = Fraction(line["balance"] * case.policy.deferred_share, 10_000)
            seen[line["tradeline_id"]] = round_half_up(share) if deferred else line["monthly_payment"]
    return sum(seen.values())


def burden(case: Case, limit: int) -> int:
    """Return the monthly cost of a fully used limit of the case's product, in cents (D10)."""
    return burden_of(case.policy, case.product.purchase_rate, limit)


def burden_of(policy: CardPolicy, rate: int, limit: int) -> int:
    """Return the monthly cost of a fully used limit at a yearly rate in hundredths of a percent, in cents (D10)."""
    interest = round_half_up(Fraction(limit * rate * 30, 365 * 10_000))
    return max(policy.minimum_floor, round_half_up(Fraction(limit * policy.minimum_share, 10_000)) + interest)


# -- lines and statements (D11 to D21) --------------------------------------------------------------------------------


def first_statement(case: Case, entry: Entry) -> date | None:
    """Return the closing date of the first statement that shows a line, None if none does yet (D11)."""
    place = bisect_left(case.closings, entry.posted)
    return case.closings[place] if place < len(case.closings) else None


def payment_day(case: Case, row: Record) -> date:
    """Return the payment day of a statement: the due date or the next business day (D17)."""
    day = date.fromisoformat(row["due_date"])
    while not is_business_day(day, case.policy.holidays):
        day += ONE_DAY
    return day


def paid_by(case: Case, row: Record, kinds: tuple[str, ...]) -> int:
    """Add up the lines of some kinds from the closing to the payment day of a statement, in cents (D17 and D21)."""
    closed, last = date.fromisoformat(row["closing_date"]), payment_day(case, row)
    return sum(e.cents for e in case.ledger if e.kind in kinds and e.posted > closed and e.posted <= last)


def paid_in_full(case: Case, row: Record) -> bool:
    """Return True if a statement was paid in full by its payment day (D17)."""
    return bool(row["closing_balance"] <= paid_by(case, row, ("payment", "credit")))


def interest_due(case: Case, place: int, basis: str, excluded: set[str], rate: int) -> int:
    """Return the interest on a statement's daily balances and cash advances; rates are hundredths of a percent."""
    row = case.statements[place]
    first, last = date.fromisoformat(row["first_day"]), case.closings[place]
    moved: dict[date, int] = {}
    balance = 0
    if basis != "none":
        carried_out = sum(e.cents for e in case.ledger if e.key in excluded and e.posted < first)
        balance = row["opening_balance"] - carried_out
        for e in case.ledger:
            if e.kind in ("payment", "credit"):
                moved[e.posted] = moved.get(e.posted, 0) - e.cents
            elif e.kind == "purchase" and basis == "full" and e.key not in excluded:
                moved[e.posted] = moved.get(e.posted, 0) + e.cents
    total, day = 0, first
    while day <= last:
        balance += moved.get(day, 0)
        total += max(0, balance) if basis != "none" else 0
        day += ONE_DAY
    advances = sum(
        e.cents * (last - e.posted + ONE_DAY).days
        for e in case.ledger
        if e.kind == "cash_advance" and first <= e.posted <= last
    )
    return round_half_up(Fraction(total * rate, 3_650_000)) + round_half_up(
        Fraction(advances * case.account["cash_rate"], 3_650_000)
    )
