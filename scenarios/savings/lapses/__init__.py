"""The lapses of the savings expert."""

from __future__ import annotations

from teller_gym.procedure.lapses import Expert, Lapse

LAPSES: dict[str, Lapse] = {}
CLEAN_PATHS: dict[str, Expert] = {}
