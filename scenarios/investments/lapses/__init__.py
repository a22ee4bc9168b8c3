"""The lapses of the investments expert: each leaves out one judgement of the SOP, by overriding its method."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse, lapses_of
from teller_gym.scenarios.investments.lapses import codes, dates, outcome, payout, people, purchase, sale
from teller_gym.scenarios.investments.lapses.clean_path import CLEAN_PATHS

LAPSES: dict[str, Lapse] = lapses_of(people, dates, purchase, sale, payout, outcome, codes) | codes.mistaken_rows()

__all__ = ["CLEAN_PATHS", "LAPSES"]
