"""Lapses about the use of a lost card (5.8)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.8.1", "D14", "open_dispute.line_ids")
class EveryCardsLinesTaken(Careless):
    """Takes lines of all cards for those of the lost one."""

    def is_of_reported_card(self, line: Seen) -> bool:
        return True


@lapse("5.8.1", "D14", "open_dispute.line_ids")
class PostingDayTaken(Careless):
    """Judges lines by the day they posted, not the day they were made."""

    def is_after_own_use(self, line: Seen) -> bool:
        return bool(line["posted"] > self.case["last_own_use_date"])


@lapse("5.8.1", "D14", "open_dispute.line_ids")
class DayOfLastUseTaken(Careless):
    """Takes the holder's own purchases of the last day for another's."""

    def is_after_own_use(self, line: Seen) -> bool:
        return bool(line["transaction_date"] >= self.case["last_own_use_date"])


@lapse("5.8.1", "D14", "T6.17", "open_dispute.line_ids")
class SubscriptionsTaken(Careless):
    """Takes recurring charges for unauthorized ones."""

    def is_recurring(self, line: Seen) -> bool:
        return False


@lapse("5.8.1", "D16", "T6.18", "T6.20")
class LentCardIgnored(Careless):
    """Credits what was bought with a card that the holder had lent."""

    def is_lent(self) -> bool:
        return False


@lapse("5.8.2", "D15", "T6.19", "T6.21")
class NoLiability(Careless):
    """Lets the holder bear nothing."""

    def liability(self, credited: list[Seen]) -> int:
        return 0


@lapse("5.8.2", "D15")
class LiabilityWithoutEnd(Careless):
    """Lets the holder bear all that was done before notice with the card in hand."""

    def most_borne(self) -> int:
        return 10**9


@lapse("5.8.2", "D15", "D14", "T1")
class LiabilityForEverything(Careless):
    """Lets the holder bear what was bought online, and what was done after notice, too."""

    def is_at_holders_risk(self, line: Seen) -> bool:
        return True
