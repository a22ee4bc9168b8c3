"""Lapses about people, watch lists and the block (5.2 to 5.3)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen, Steps
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.2.1", "block_card.card_ids")
class EveryCardBlocked(Careless):
    """Blocks every active card, reported or not."""

    def reported_cards(self) -> list[Seen]:
        return [card for card in self.case["cards"] if card["status"] == "active"]


@lapse("5.2.1", "T4.12", "T5.10", "block_card.reissue_method")
class StolenTakenForLost(Careless):
    """Treats a stolen card as a lost one."""

    def loss(self) -> str:
        return "lost"


@lapse("5.2.1", "T4.11", "T5.9", "block_card.reissue_method")
class LostTakenForStolen(Careless):
    """Treats a lost card as a stolen one."""

    def loss(self) -> str:
        return "stolen"


@lapse("5.2.1", "block_card.hold_replacement")
class ReplacementNeverHeld(Careless):
    """Sends the replacement to an address that was changed a short time ago."""

    def holds_replacement(self) -> bool:
        return False


@lapse("5.2.2")
class FormerNameRefused(Careless):
    """Takes a person whose verified name is another than the one given for not verified."""

    def is_verified(self, customer: str) -> bool:
        same = self.checks[customer]["verified_name"] == self.people[customer]["full_name"]
        return bool(same) and super().is_verified(customer)


@lapse("5.2.3", "T6.1")
class FailedIdentityIgnored(Careless):
    """Goes on though somebody's identity has failed."""

    def identity_ending(self) -> Ending | None:
        return None


@lapse("D3", "5.2.2")
class PrimaryPersonAlone(Careless):
    """Verifies the primary person alone."""

    def identify(self) -> Steps:
        yield from self.verify_identity(self.customers[0])
        yield from self.end(self.identity_ending())


@lapse("5.3.1")
class GivenNameScreened(Careless):
    """Screens the name on the request instead of the verified one."""

    def screened_name(self, customer: str) -> str:
        name: str = self.people[customer]["full_name"]
        return name


@lapse("5.3.1", "T4.10", "screen_watch_list.list_scope")
class NarrowestListScope(Careless):
    """Screens everybody against the lists for citizens of the US."""

    def list_scope_of(self, customer: str) -> str:
        return self.policy.list_scopes["us_citizen"]


@lapse("5.3.1", "T4.9", "screen_watch_list.list_scope")
class WidestListScope(Careless):
    """Screens everybody against all lists."""

    def list_scope_of(self, customer: str) -> str:
        return self.policy.list_scopes["other"]


@lapse("5.3.2", "D5", "T6.2")
class MatchesCleared(Careless):
    """Takes every possible match for another person."""

    def same_birth(self, screening: Seen) -> bool:
        return False


@lapse("5.3.2", "D5")
class MatchedByName(Careless):
    """Takes every entry of the same name for a true match."""

    def same_birth(self, screening: Seen) -> bool:
        return True

    def same_country(self, screening: Seen) -> bool:
        return True


@lapse("5.3.2", "D5")
class CountryNotCompared(Careless):
    """Takes an entry of the same name and birth date for a true match, whatever its country."""

    def same_country(self, screening: Seen) -> bool:
        return True


@lapse("5.3.2", "D5")
class BirthDateNotCompared(Careless):
    """Takes an entry of the same name and country for a true match, whatever its birth date."""

    def same_birth(self, screening: Seen) -> bool:
        return True
