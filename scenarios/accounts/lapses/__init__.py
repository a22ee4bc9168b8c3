"""Lapses of the accounts expert: each leaves out one judgement of the SOP by overriding its method."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse
from teller_gym.procedure.written_lapses import lapses_in
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.accounts.lapses.clean_path import CLEAN_PATHS
from teller_gym.scenarios.banking.officer import lapses

LAPSES: dict[str, Lapse] = lapses_in(__name__, Careless, lapses)

__all__ = ["CLEAN_PATHS", "LAPSES"]
