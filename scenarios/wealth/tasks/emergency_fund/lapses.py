"""Emergency fund experts that each make one wrong judgement.

Codes such as EF2 refer to the rules in the handbook chapter.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from teller_gym.office.documents.amounts import parse_money
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.tasks.emergency_fund.expert import Expert
from teller_gym.scenarios.wealth.worker import Row, Text


@lapse("EF2")
class WishesCounted(Expert):
    """Counts all expenses, essential or not."""

    def is_essential(self, row: Row) -> bool:
        return True


@lapse("EF3")
class EndingCounted(Expert):
    """Counts expenses that end soon."""

    def ends(self, row: Row) -> bool:
        return False


@lapse("EF3")
class EndingAllLeftOut(Expert):
    """Leaves out every expense that has an end date."""

    def ends(self, row: Row) -> bool:
        return bool(row["last_payment"])


@lapse("EF3")
class LastDayCounted(Expert):
    """Counts an expense that ends on the last day on which it should be left out."""

    def ends(self, row: Row) -> bool:
        return bool(row["last_payment"]) and self.days_to(row["last_payment"]) < self.rules["ending_days"]


@lapse("EF4")
class AllMonthly(Expert):
    """Treats every amount as monthly."""

    def monthly(self, row: Row) -> Fraction:
        return Fraction(parse_money(row["amount"]))


@lapse("EF4")
class MonthsOfFourWeeks(Expert):
    """Assumes four weeks per month."""

    def weeks_a_month(self) -> Fraction:
        return Fraction(4)


@lapse("EF4")
class RoundedAtTheEnd(Expert):
    """Rounds only the required amount, not each monthly amount."""

    def rounded(self, monthly: Fraction) -> Fraction:
        return monthly


@lapse("EF5")
class ThreeMonths(Expert):
    """Requires three months' expenses, another common rule of thumb."""

    def months(self) -> int:
        return 3


@lapse("EF6")
class NoticeIgnored(Expert):
    """Counts accounts regardless of their notice period."""

    def is_soon(self, row: Row) -> bool:
        return True


@lapse("EF6")
class LastNoticeLeftOut(Expert):
    """Leaves out an account with exactly the maximum notice period."""

    def is_soon(self, row: Row) -> bool:
        return int(row["notice_days"]) < int(self.rules["notice_days"])


@lapse("EF6")
class RetirementCounted(Expert):
    """Counts retirement accounts."""

    def is_left_out(self, kind: str) -> bool:
        return kind != "Retirement" and super().is_left_out(kind)


@lapse("EF6")
class CreditLineDeducted(Expert):
    """Deducts the amount drawn on a line of credit."""

    def is_left_out(self, kind: str) -> bool:
        return kind != "Credit Line" and super().is_left_out(kind)


@lapse("EF6")
class CreditLimitsCounted(Expert):
    """Counts an account's credit limit in addition to its balance."""

    def balance(self, row: Row) -> Decimal:
        return super().balance(row) + (parse_money(row["credit_limit"]) if row["credit_limit"] else 0)


@lapse("EF7")
class JointAccountsWhole(Expert):
    """Counts joint accounts in full."""

    def share(self, row: Row) -> Decimal:
        return Decimal(100)


@lapse("EF8")
class NoPenalty(Expert):
    """Deducts no penalty."""

    def penalty(self, row: Row) -> Decimal:
        return Decimal(0)


@lapse("EF8")
class PenaltyOnMatured(Expert):
    """Deducts the penalty even from accounts that mature in time."""

    def matures_soon(self, row: Row) -> bool:
        return False


@lapse("EF11")
class ToldToAnother(Expert):
    """Reports to the compliance officer instead of the adviser."""

    def adviser(self) -> Text:
        people = (yield from self.ask("list_people"))["people"]
        return str(next(one["username"] for one in people if "Compliance" in one["title"]))


@lapse("EF11")
class PostedToo(Expert):
    """Also posts the report in the client work channel."""

    def tell(self, adviser: str, message: str) -> Steps:
        yield from super().tell(adviser, message)
        yield from self.ask("send_message", to="#client-work", text=message)


@lapse("EF11")
class VerdictAlone(Expert):
    """Reports the verdict and the difference without the two amounts."""

    def message(self, required: int, available: int) -> str:
        lines = super().message(required, available).splitlines()
        return "\n".join((lines[0], *lines[3:]))
