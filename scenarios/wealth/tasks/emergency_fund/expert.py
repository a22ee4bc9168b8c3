"""Expert for checking an emergency fund.

Codes such as EF2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from teller_gym.base.money import round_half_up
from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Text, Worker


class Expert(Worker):
    """Compares required with available money and reports it, with a separate method for each rule of the chapter."""

    def work(self) -> Steps:
        """Read the sources and send the message."""
        yield from self.find_client()
        required = self.required((yield from self.table("expenses.csv")))
        available = sum(self.available(row) for row in (yield from self.table("savings.csv")) if self.is_counted(row))
        adviser = yield from self.adviser()
        yield from self.tell(adviser, self.message(required, available))

    def required(self, rows: list[Row]) -> int:
        """Return the required amount in cents (EF5)."""
        monthly = [self.rounded(self.monthly(row)) for row in rows if self.is_essential(row) and not self.ends(row)]
        return round_half_up(self.months() * sum(monthly))

    def months(self) -> int:
        """Return the number of months that the fund must last (EF5)."""
        return int(self.rules["months"])

    def is_essential(self, row: Row) -> bool:
        """Return True if an expense is essential (EF2)."""
        return row["essential"].casefold() == str(self.rules["essential"]).casefold()

    def ends(self, row: Row) -> bool:
        """Return True if an expense ends soon (EF3)."""
        return bool(row["last_payment"]) and self.days_to(row["last_payment"]) <= self.rules["ending_days"]

    def monthly(self, row: Row) -> Fraction:
        """Return the monthly amount of an expense in cents (EF4)."""
        amount, often = parse_money(row["amount"]), row["frequency"].casefold()
        if often == "weekly":
            return amount * self.weeks_a_month()
        return Fraction(amount, {"monthly": 1, "quarterly": 3, "annual": 12}[often])

    def weeks_a_month(self) -> Fraction:
        """Return the average number of weeks in a month (EF4)."""
        return Fraction(self.rules["weeks"], 12)

    def rounded(self, monthly: Fraction) -> Fraction:
        """Return a monthly amount rounded to the cent (EF4)."""
        return Fraction(round_half_up(monthly))

    def is_counted(self, row: Row) -> bool:
        """Return True if an account counts (EF6)."""
        return self.is_soon(row) and not self.is_left_out(row["type"])

    def is_soon(self, row: Row) -> bool:
        """Return True if an account's money is available soon enough (EF6)."""
        return int(row["notice_days"]) <= int(self.rules["notice_days"])

    def is_left_out(self, kind: str) -> bool:
        """Return True if accounts of a type never count (EF6)."""
        return kind.casefold() in {one.casefold() for one in self.rules["not_counted"]}

    def available(self, row: Row) -> int:
        """Return the money available from an account in cents (EF7 and EF8)."""
        own = _cents(self.balance(row) * self.share(row) / 100)
        return own - _cents(own * self.penalty(row) / 100)

    def balance(self, row: Row) -> Decimal:
        """Return the balance in cents, without the credit limit (EF6)."""
        return Decimal(parse_money(row["balance"]))

    def share(self, row: Row) -> Decimal:
        """Return the client's share in percent (EF7)."""
        return parse_percent(row["share"])

    def penalty(self, row: Row) -> Decimal:
        """Return the penalty for early withdrawal in percent (EF8)."""
        if not row["early_penalty"] or self.matures_soon(row):
            return Decimal(0)
        return parse_percent(row["early_penalty"])

    def matures_soon(self, row: Row) -> bool:
        """Return True if an account matures soon enough that no penalty is due (EF8)."""
        return bool(row["maturity_date"]) and self.days_to(row["maturity_date"]) <= self.rules["notice_days"]

    def adviser(self) -> Text:
        """Return the adviser's user name (EF11)."""
        found = yield from self.ask("get_crm_record", entity="User", record_id=self.contact["assignedUserId"])
        return str(found["record"]["userName"])

    def message(self, required: int, available: int) -> str:
        """Compose the report (EF10 and EF11)."""
        rules, is_enough = self.rules, available >= required
        verdict, word = (rules["passes"], rules["surplus"]) if is_enough else (rules["fails"], rules["shortfall"])
        lines = (
            f"Emergency fund of {self.contact['name']}",
            f"{rules['required']}: {money_text(required)}",
            f"{rules['available']}: {money_text(available)}",
            f"{rules['verdict']}: {verdict}",
            f"{word}: {money_text(abs(available - required))}",
        )
        return "\n".join(lines)

    def tell(self, adviser: str, message: str) -> Steps:
        """Send the message to the adviser (EF11)."""
        yield from self.ask("send_message", to=f"@{adviser}", text=message)

    def days_to(self, day: str) -> int:
        """Return the number of days from today to ``day``."""
        return (parse_date(day) - self.today).days


def _cents(amount: Decimal) -> int:
    return int(amount.quantize(Decimal(1), ROUND_HALF_UP))
