"""Lapses of the investments expert: each skips or changes one judgement of the SOP by overriding its method."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse
from teller_gym.procedure.written_lapses import lapses_in
from teller_gym.scenarios.banking.officer import lapses
from teller_gym.scenarios.investments.lapses.careless import Careless
from teller_gym.scenarios.investments.lapses.clean_path import CLEAN_PATHS

LAPSES: dict[str, Lapse] = lapses_in(__name__, Careless, lapses)

__all__ = ["CLEAN_PATHS", "LAPSES"]
