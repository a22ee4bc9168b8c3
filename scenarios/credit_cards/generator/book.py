"""A card account under construction: its lines, its statements, and the charges of each statement."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction

import msgspec

from teller_gym.base.dates import is_business_day
from teller_gym.base.draw import Draw
from teller_gym.base.money import round_half_up
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record

DAY = timedelta(days=1)
DUE_AFTER = 24
"""Days from a closing date to the due date; the law requires at least 21."""
CASH_SURCHARGE = 500
"""Difference between the rates of cash advances and purchases, in hundredths of a percent."""
_DEBITS = ("purchase", "cash_advance", "interest", "late_fee")


class Entry(msgspec.Struct, kw_only=True):
    """One line of the account."""

    key: str
    posted: date
    made: date
    kind: str
    cents: int
    merchant: str = ""
    state: str = ""
    miles: int | None = None
    card: str = ""
    entry: str = ""
    mark: str = ""

    def text(self, balance: int) -> str:
        """Return the line in the format in which account records store it."""
        miles = "" if self.miles is None else str(self.miles)
        days = self.posted.isoformat(), self.made.isoformat()
        rest = (self.kind, self.merchant, self.state, miles, str(self.cents), str(balance), self.card, self.entry)
        return "|".join((self.key, *days, *rest, self.mark))


class Statement(msgspec.Struct, kw_only=True):
    """A closed statement; amounts are in cents."""

    first: date
    closing: date
    opening: int
    interest: int = 0
    fee: int = 0
    balance: int = 0
    minimum: int = 0

    @property
    def due(self) -> date:
        return self.closing + timedelta(days=DUE_AFTER)


class Rates(msgspec.Struct, frozen=True):
    """Rates of an account, in hundredths of a percent."""

    purchase: int
    previous: int | None = None
    notice: date | None = None
    effective: date | None = None


def closing_days(last: date, number: int, count: int) -> list[date]:
    """Return ``count + 1`` consecutive closing days up to ``last``, for statements that close on day ``number``."""
    found: list[date] = []
    year, month = last.year, last.month
    while len(found) <= count:
        day = date(year, month, min(number, monthrange(year, month)[1]))
        if day <= last:
            found.append(day)
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return found[::-1]


class Book:
    """Lines and statements of an account, from its oldest statement to today.

    Args:
        draw: The case's draws.
        policy: Source of minimum payments, fees and rate rules.
        today: The business date.
        closing_day: Day of the month on which statements close.
        count: Number of statements.
        rates: The account's rates.
        opened: The account's opening date.
        opening: Balance at the beginning, in cents.
    """

    def __init__(
        self, draw: Draw, policy: CardPolicy, today: date, closing_day: int, count: int, rates: Rates, opened: date,
        opening: int,
    ) -> None:  # fmt: skip
        self.draw, self.policy, self.today = draw, policy, today
        self.closing_day, self.rates, self.opened = closing_day, rates, opened
        self.days = closing_days(today - DAY, closing_day, count)
        self.entries: list[Entry] = []
        self.statements: list[Statement] = []
        self.start = opening

    @property
    def cycles(self) -> list[tuple[date, date]]:
        """First and last day of each statement period."""
        return [(before + DAY, closing) for before, closing in zip(self.days, self.days[1:], strict=False)]

    def add(self, posted: date, kind: str, cents: int, **fields: object) -> Entry:
        """Add a line; it was made on the day it was posted unless ``made`` is given."""
        values: dict[str, object] = {"made": posted, **fields}
        line = Entry(key=self.draw.identifier("TX"), posted=posted, kind=kind, cents=cents, **values)  # type: ignore[arg-type]
        self.entries.append(line)
        return line

    def balance_at(self, day: date) -> int:
        """Return the balance at the end of a day, from the lines added so far."""
        return self.start + sum(
            line.cents if line.kind in _DEBITS else -line.cents for line in self.entries if line.posted <= day
        )

    def close(self, charge: Callable[[int], tuple[int, int]] | None = None) -> Statement:
        """Close the next statement.

        Args:
            charge: Returns interest and late fee for a statement's index; the correct ones are charged by default.
        """
        place = len(self.statements)
        first, closing = self.cycles[place]
        opening = self.statements[-1].balance if self.statements else self.start
        row = Statement(first=first, closing=closing, opening=opening)
        self.statements.append(row)
        row.interest, row.fee = charge(place) if charge is not None else self.charges(place)
        if row.interest:
            self.add(closing, "interest", row.interest)
        if row.fee:
            self.add(closing, "late_fee", row.fee)
        row.balance = self.balance_at(closing)
        part = round_half_up(Fraction(row.balance * self.policy.minimum_share, 10_000)) + row.interest + row.fee
        row.minimum = max(0, min(row.balance, max(self.policy.minimum_floor, part)))
        return row

    # -- correct charges -----------------------------------------------------------------------------------------------

    def pay_day(self, row: Statement, *, rolled: bool = True) -> date:
        """Return the last day on which a payment on a statement is in time."""
        day = row.due
        while rolled and not is_business_day(day, self.policy.holidays):
            day += DAY
        return day

    def paid(self, row: Statement, *kinds: str, rolled: bool = True) -> int:
        """Add up the payments on a statement that were in time, in cents."""
        last = self.pay_day(row, rolled=rolled)
        return sum(line.cents for line in self.entries if line.kind in kinds and row.closing < line.posted <= last)

    def basis(self, place: int, *, rolled: bool = True) -> str:
        """Return the correct interest basis; statements before the first one count as paid in full."""
        full = [
            place < step
            or self.paid(self.statements[place - step], "payment", "credit", rolled=rolled)
            >= self.statements[place - step].balance
            for step in (1, 2)
        ]
        return "full" if not full[0] else "none" if full[1] else "carried"

    def rate(self, first: date) -> int:
        """Return the correct purchase rate for a statement that starts on ``first``."""
        rates, policy = self.rates, self.policy
        if rates.effective is None or rates.notice is None or rates.previous is None:
            return rates.purchase
        held = (
            first >= rates.effective
            and (first - rates.notice).days >= policy.rate_notice_days
            and (first - self.opened).days >= policy.first_year_days
        )
        return rates.purchase if held else rates.previous

    def is_free(self, line: Entry, closing: date) -> bool:
        """Return True if a dispute or a promotion keeps a purchase free of interest."""
        return line.mark == "disputed" or (line.mark.startswith("promo:") and line.mark[6:] >= closing.isoformat())

    def interest(self, place: int, basis: str, rate: int, *, marks: bool = True) -> int:
        """Return the interest of a statement on a given basis and rate, in cents; ``marks=False`` ignores marks."""
        row = self.statements[place]
        total = 0
        day = row.first
        while day <= row.closing and basis != "none":
            balance = row.opening
            for line in self.entries:
                free = marks and line.kind == "purchase" and self.is_free(line, row.closing)
                if line.posted < row.first:
                    balance -= line.cents if free else 0
                elif line.posted <= day:
                    if line.kind == "purchase" and basis == "full" and not free:
                        balance += line.cents
                    elif line.kind in ("payment", "credit"):
                        balance -= line.cents
            total += max(0, balance)
            day += DAY
        cash = sum(
            line.cents * ((row.closing - line.posted).days + 1)
            for line in self.entries
            if line.kind == "cash_advance" and row.first <= line.posted <= row.closing
        )
        return round_half_up(Fraction(total * rate, 3_650_000)) + round_half_up(
            Fraction(cash * (self.rates.purchase + CASH_SURCHARGE), 3_650_000)
        )

    def fee(self, place: int, *, rolled: bool = True, repeated: bool | None = None, capped: bool = True) -> int:
        """Return the late fee of a statement, in cents; options other than the defaults give a wrong one."""
        if place == 0:
            return 0
        before = self.statements[place - 1]
        if self.paid(before, "payment", rolled=rolled) >= before.minimum:
            return 0
        earlier = self.statements[max(0, place - self.policy.fee_lookback) : place]
        again = any(row.fee for row in earlier) if repeated is None else repeated
        fee = self.policy.fee_repeat if again else self.policy.fee_first
        return min(fee, before.minimum) if capped else fee

    def charges(self, place: int) -> tuple[int, int]:
        """Return the correct interest and late fee of a statement."""
        row = self.statements[place]
        return self.interest(place, self.basis(place), self.rate(row.first)), self.fee(place)

    # -- the record ----------------------------------------------------------------------------------------------------

    def record(self, **fields: object) -> Record:
        """Return the account record; ``fields`` are those that the book does not contain."""
        ordered = sorted(self.entries, key=lambda line: (line.posted, line.kind in ("interest", "late_fee")))
        balance, texts = self.start, []
        for line in ordered:
            balance += line.cents if line.kind in _DEBITS else -line.cents
            texts.append(line.text(balance))
        return {
            **fields,
            "opened": self.opened.isoformat(),
            "closing_day": self.closing_day,
            "purchase_rate": self.rates.purchase,
            "cash_rate": self.rates.purchase + CASH_SURCHARGE,
            "previous_rate": self.rates.previous,
            "rate_notice": _text(self.rates.notice),
            "rate_effective": _text(self.rates.effective),
            "statements": [
                {
                    "first_day": row.first.isoformat(),
                    "closing_date": row.closing.isoformat(),
                    "due_date": row.due.isoformat(),
                    "opening_balance": row.opening,
                    "interest_charged": row.interest,
                    "late_fee": row.fee,
                    "closing_balance": row.balance,
                    "minimum_due": row.minimum,
                }
                for row in self.statements
            ],
            "lines": texts,
        }


def _text(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
