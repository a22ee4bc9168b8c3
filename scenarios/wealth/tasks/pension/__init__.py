"""Pension Projection: what a client's pension plans are likely to hold at retirement, year by year."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Pension Projection", 2, ("projection.csv",))
