"""The lapses of the savings expert: each leaves out one judgement of the SOP by overriding the method that makes it."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse, lapses_of
from teller_gym.scenarios.savings.lapses import (
    bonuses,
    codes,
    coverages,
    custodials,
    maturities,
    order,
    outcome,
    persons,
    withdrawals,
)
from teller_gym.scenarios.savings.lapses.clean_path import CLEAN_PATHS

LAPSES: dict[str, Lapse] = (
    lapses_of(persons, withdrawals, maturities, bonuses, custodials, coverages, outcome, order) | codes.mistaken_rows()
)

__all__ = ["CLEAN_PATHS", "LAPSES"]
