"""The lapses of the accounts expert: each leaves out one judgement of the SOP by overriding its method."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse, lapses_of
from teller_gym.scenarios.accounts.lapses import (
    authority,
    claims,
    closing,
    codes,
    deposits,
    dormancy,
    holds,
    order,
    outcome,
    persons,
    stops,
)
from teller_gym.scenarios.accounts.lapses.clean_path import CLEAN_PATHS

LAPSES: dict[str, Lapse] = (
    lapses_of(persons, authority, deposits, holds, claims, stops, dormancy, closing, outcome, order)
    | codes.mistaken_rows()
)

__all__ = ["CLEAN_PATHS", "LAPSES"]
