"""Lapses of transfer claims (5.6, D19) and of their clocks."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("5.6.1")
class LateFromPosting(Careless):
    """Counts the delay of a claim from the posting instead of the statement."""

    def is_late(self, row: Seen) -> bool:
        return super().is_late({**row, "statement_sent_on": row["posted_on"]})


@lapse("5.6.2", "assess_transfer_claim.disputed_amount")
class StatedAmountTaken(Careless):
    """Takes the amount that the customer states."""

    def disputed(self, item: Seen, row: Seen) -> float:
        if item["item_kind"] == "unauthorized":
            amount: float = item["amount"]
            return amount
        return super().disputed(item, row)


@lapse("D19")
class LowLimitAlways(Careless):
    """Takes every loss for told in time."""

    def loss_limit(self) -> date:
        return max(super().loss_limit(), self.received)


@lapse("D19")
class HighLimitAlone(Careless):
    """Lets the customer bear up to the high limit once told late, whatever was posted when."""

    def liability(self) -> int:
        if not super().liability() or self.received <= self.loss_limit():
            return super().liability()
        rows = [row for row in self.covered() if self.is_borne(row)]
        return min(self.policy.liability_high, sum(to_cents(row["counted_amount"]) for row in rows))


@lapse("T6.5")
class NewFromOpening(Careless):
    """Counts a new account from its opening instead of its first deposit."""

    def is_early_transfer(self, row: Seen) -> bool:
        opened = date.fromisoformat(self.account["opened_on"])
        return (date.fromisoformat(row["posted_on"]) - opened).days <= self.policy.new_account_days


@lapse("T6.5", "T6.6")
class UncoveredTransfersCount(Careless):
    """Lets transfers that are not covered lengthen the clocks."""

    def credit_clock(self) -> str:
        return "credit_new_account" if any(map(self.is_early_transfer, self.assessed)) else "credit"

    def investigation_clock(self) -> str:
        return "investigation_long" if any(map(self.is_long, self.assessed)) else "investigation"


@lapse("D5", "T7.7", "T7.9", "set_deadline.start_date")
class ClaimFromBankingDay(Careless):
    """Counts the clocks of a claim from the banking day."""

    def start_of(self, event: str) -> date:
        if event == "received_date" and self.kind == "transfer_claim":
            return self.order_day()
        return super().start_of(event)
