"""Lapses about people, watch lists and the block (5.2 to 5.3)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.2.1", "block_card.card_ids")
class EveryCardBlocked(Careless):
    """Blocks every active card, reported or not."""

    def reported_cards(self) -> list[Seen]:
        return [card for card in self.case["cards"] if card["status"] == "active"]
