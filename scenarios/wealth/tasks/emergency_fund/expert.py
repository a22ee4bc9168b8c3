"""Who looks into an emergency fund."""

from __future__ import annotations

import re
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from teller_gym.base.money import round_half_up
from teller_gym.office.documents.amounts import money_text, parse_money, parse_percent
from teller_gym.office.documents.dates import parse_date
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.worker import Row, Text, Worker

_TODAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Expert(Worker):
    """Compares what is needed with what can be had, and informs the adviser; each rule of the chapter is a method."""

    def work(self) -> Steps:
        """Read the sources and send the message."""
        yield from self.find_client()
        required = self.required((yield from self.table("expenses.csv")))
        available = sum(self.available(row) for row in (yield from self.table("savings.csv")) if self.is_counted(row))
        adviser = yield from self.adviser()
        yield from self.tell(adviser, self.message(required, available))

    def required(self, rows: list[Row]) -> int:
        """EF5."""
        monthly = [self.rounded(self.monthly(row)) for row in rows if self.is_essential(row) and not self.ends(row)]
        return round_half_up(self.months() * sum(monthly))

    def months(self) -> int:
        """EF5."""
        return int(self.rules["months"])

    def is_essential(self, row: Row) -> bool:
        """EF2."""
        return row["essential"].casefold() == str(self.rules["essential"]).casefold()

    def ends(self, row: Row) -> bool:
        """EF3."""
        return bool(row["last_payment"]) and self.days_to(row["last_payment"]) <= self.rules["ending_days"]

    def monthly(self, row: Row) -> Fraction:
        """EF4, in cents."""
        amount, often = parse_money(row["amount"]), row["frequency"].casefold()
        if often == "weekly":
            return amount * self.weeks_a_month()
        return Fraction(amount, {"monthly": 1, "quarterly": 3, "annual": 12}[often])

    def weeks_a_month(self) -> Fraction:
        """EF4."""
        return Fraction(self.rules["weeks"], 12)

    def rounded(self, monthly: Fraction) -> Fraction:
        """EF4."""
        return Fraction(round_half_up(monthly))

    def is_counted(self, row: Row) -> bool:
        """EF6."""
        return self.is_soon(row) and not self.is_left_out(row["type"])

    def is_soon(self, row: Row) -> bool:
        """EF6."""
        return int(row["notice_days"]) <= int(self.rules["notice_days"])

    def is_left_out(self, kind: str) -> bool:
        """EF6."""
        return kind.casefold() in {one.casefold() for one in self.rules["not_counted"]}

    def available(self, row: Row) -> int:
        """EF7 and EF8."""
        own = _cents(self.balance(row) * self.share(row) / 100)
        return own - _cents(own * self.penalty(row) / 100)

    def balance(self, row: Row) -> Decimal:
        """EF6: without the credit limit."""
        return Decimal(parse_money(row["balance"]))

    def share(self, row: Row) -> Decimal:
        """EF7, in percent."""
        return parse_percent(row["share"])

    def penalty(self, row: Row) -> Decimal:
        """EF8, in percent."""
        if not row["early_penalty"] or self.matures_soon(row):
            return Decimal(0)
        return parse_percent(row["early_penalty"])

    def matures_soon(self, row: Row) -> bool:
        """EF8."""
        return bool(row["maturity_date"]) and self.days_to(row["maturity_date"]) <= self.rules["notice_days"]

    def adviser(self) -> Text:
        """EF11: their user name."""
        found = yield from self.ask("get_crm_record", entity="User", record_id=self.contact["assignedUserId"])
        return str(found["record"]["userName"])

    def message(self, required: int, available: int) -> str:
        """EF10 and EF11."""
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
        """EF11."""
        yield from self.ask("send_message", to=f"@{adviser}", text=message)

    def days_to(self, day: str) -> int:
        """Days from today (house rule H11)."""
        found = _TODAY.search(self.request)
        if found is None:
            raise LookupError(f"no date is named in the request: {self.request}")
        return (parse_date(day) - date.fromisoformat(found[0])) // timedelta(days=1)


def _cents(amount: Decimal) -> int:
    return int(amount.quantize(Decimal(1), ROUND_HALF_UP))
