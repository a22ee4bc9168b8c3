"""The lapses of the loans expert: each leaves out one judgement of the SOP, by overriding the method that makes it."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse, lapses_of
from teller_gym.scenarios.loans.lapses import codes, endings, money, offer, order, outcome, persons
from teller_gym.scenarios.loans.lapses.clean_path import CLEAN_PATHS

LAPSES: dict[str, Lapse] = lapses_of(persons, money, offer, endings, outcome, order, codes) | codes.mistaken_rows()

__all__ = ["CLEAN_PATHS", "LAPSES"]
