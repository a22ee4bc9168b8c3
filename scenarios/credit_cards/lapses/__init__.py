"""The lapses of the card expert: each leaves out one judgement of the SOP, by overriding the method that makes it."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse, lapses_of
from teller_gym.scenarios.credit_cards.lapses import codes, complaints, limits, losses, order, outcome, persons, reviews
from teller_gym.scenarios.credit_cards.lapses.clean_path import CLEAN_PATHS

LAPSES: dict[str, Lapse] = (
    lapses_of(persons, limits, complaints, losses, reviews, outcome, order) | codes.mistaken_rows()
)

__all__ = ["CLEAN_PATHS", "LAPSES"]
