"""Lapses of closings (5.7.3 and 5.7.4)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("5.7.3", "T5.28", "T5.29", "T5.30", "T5.31", "T6.12", "T6.13")
class ClosedAtOnce(Careless):
    """Closes an account whatever stands in the way."""

    def blocking_service(self) -> Ending | None:
        return None

    def is_uncollected(self) -> bool:
        return False

    def is_address_recent(self) -> bool:
        return False


@lapse("5.7.3")
class SettledServicesBlock(Careless):
    """Takes any claim and any loan on record for open."""

    def blocking_service(self) -> Ending | None:
        kinds = [row["kind"] for row in self.account["services"]]
        if "transfer_claim" in kinds:
            return Ending("pend", "open_claim")
        return Ending("pend", "linked_debt") if "loan_autopay" in kinds else super().blocking_service()


@lapse("5.7.3")
class OverdraftLineBlocks(Careless):
    """Takes an overdraft line for a debt though nothing is owed."""

    def is_debt(self, row: Seen) -> bool:
        return super().is_debt(row) or bool(row["kind"] == "overdraft_line")


@lapse("5.7.3")
class PendingItemsBlock(Careless):
    """Takes any pending item for not collected."""

    def is_uncollected(self) -> bool:
        return bool(self.parts)


@lapse("5.7.3")
class AddressChangeAlwaysBlocks(Careless):
    """Waits after an address change of any day."""

    def is_address_recent(self) -> bool:
        return self.account["address_changed_on"] is not None


@lapse("5.7.4")
class EarlyFeeForgotten(Careless):
    """Leaves out the fee of an account closed early."""

    def early_fee(self) -> int:
        return 0


@lapse("5.7.4", "record_account_decision.amount")
class LedgerPaidOut(Careless):
    """Pays out the ledger balance without interest and fees."""

    def payout(self) -> int:
        return to_cents(self.account["ledger_balance"]) - self.early_fee()
