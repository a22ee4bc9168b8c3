"""Pension Projection: yearly balances of a client's pension plans up to retirement."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Pension Projection", 2, ("projection.csv",))
