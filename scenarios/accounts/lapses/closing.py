"""Lapses of closings (5.7.3 and 5.7.4)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("5.7.3")
class SettledServicesBlock(Careless):
    """Takes any claim, loan and overdraft line on record for a block, settled or not."""

    def blocking_service(self) -> Ending | None:
        kinds = [row["kind"] for row in self.account["services"]]
        if "transfer_claim" in kinds:
            return Ending("pend", "open_claim")
        return Ending("pend", "linked_debt") if {"loan_autopay", "overdraft_line"} & set(kinds) else None


@lapse("5.7.3")
class AddressChangeAlwaysBlocks(Careless):
    """Waits after an address change of any day."""

    def is_address_recent(self) -> bool:
        return self.account["address_changed_on"] is not None


@lapse("5.7.4", "record_account_decision.amount")
class LedgerPaidOut(Careless):
    """Pays out the ledger balance without interest and fees."""

    def payout(self) -> int:
        return to_cents(self.account["ledger_balance"]) - self.early_fee()
