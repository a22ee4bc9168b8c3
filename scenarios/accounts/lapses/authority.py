"""Lapses of who may ask (5.4.2, D7 and D8)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("D7")
class SigningRuleEverywhere(Careless):
    """Asks for the signatures of the signing rule with claims and stop orders, too."""

    def needed_signatures(self) -> int:
        owners = len(self.account_owners())
        return {"any_one": 1, "two": min(2, owners), "all": owners}[self.account["signing_rule"]]


@lapse("D7", "record_account_decision.authority_basis")
class BasisAlwaysOwners(Careless):
    """Puts down the owners as the basis of every authority that is reached."""

    def authority(self) -> str:
        found = super().authority()
        return found if found == "none" else "owners"
