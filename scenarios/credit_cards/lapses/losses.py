"""Lapses about the use of a lost card (5.8)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


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
