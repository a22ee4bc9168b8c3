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
class PaidByNumberAndAmount(Careless):
    """Takes a check for paid only if the amount is that of the order, too."""

    def is_paid(self, item: Seen) -> bool:
        rows = [row for row in self.account["activity"] if row["kind"] == "check_paid"]
        return any((row["reference"], row["amount"]) == (item["reference"], item["amount"]) for row in rows)
