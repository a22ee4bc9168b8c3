"""Lapses of who may ask (5.4.2, D7 and D8)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.lapses.careless import Careless


@lapse("5.4.2", "T5.9")
class AuthorityNotEnforced(Careless):
    """Goes on though authority is not reached."""

    def authority_ending(self) -> Ending | None:
        return None


@lapse("D7")
class OneOwnerCloses(Careless):
    """Closes an account for any one owner, whatever the signing rule."""

    def needed_signatures(self) -> int:
        return 1


@lapse("D7")
class SigningRuleEverywhere(Careless):
    """Asks for the signatures of the signing rule with claims and stop orders, too."""

    def needed_signatures(self) -> int:
        owners = len(self.account_owners())
        return {"any_one": 1, "two": min(2, owners), "all": owners}[self.account["signing_rule"]]


@lapse("D7")
class CustodianForever(Careless):
    """Takes the custodian for the owner whatever the minor's age."""

    def is_former_minor(self) -> bool:
        return False


@lapse("D8", "5.4.2", "T2.6", "T2.7", "T2.8")
class MandatesNotExamined(Careless):
    """Takes every mandate of an owner for valid."""

    def is_valid(self, mandate: Seen) -> bool:
        return True


@lapse("D7", "D8")
class AgentsNeverCount(Careless):
    """Wants the owners themselves to ask."""

    def is_valid(self, mandate: Seen) -> bool:
        return False


@lapse("D7", "record_account_decision.authority_basis")
class BasisAlwaysOwners(Careless):
    """Puts down the owners as the basis of every authority that is reached."""

    def authority(self) -> str:
        found = super().authority()
        return found if found == "none" else "owners"
