"""Lapses of stop orders (5.7.1)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("5.7.1")
class BankChecksStopped(Careless):
    """Stops the bank's own checks like any other."""

    def order_finding(self, item: Seen) -> str:
        bank = item["item_kind"] in ("cashiers_check", "certified_check")
        return super().order_finding({**item, "item_kind": "check"} if bank else item)


@lapse("5.7.1")
class PaidChecksStopped(Careless):
    """Stops checks without a look at what is paid."""

    def is_paid(self, item: Seen) -> bool:
        return False


@lapse("5.7.1")
class PaidByNumberAndAmount(Careless):
    """Takes a check for paid only if the amount is that of the order, too."""

    def is_paid(self, item: Seen) -> bool:
        rows = [row for row in self.account["activity"] if row["kind"] == "check_paid"]
        return any((row["reference"], row["amount"]) == (item["reference"], item["amount"]) for row in rows)


@lapse("5.7.1")
class DebitNoticeIgnored(Careless):
    """Stops debits however soon they come."""

    def is_too_late(self, item: Seen) -> bool:
        return False


@lapse("T6.7", "T7.12", "T7.13", "T7.14")
class DebitClockForAll(Careless):
    """Runs the clock of debits on every stop order, an oral one and one on checks, too."""

    def stop_payment_clocks(self) -> tuple[str, str | None]:
        return "stop_confirmation", "debit_stop"
