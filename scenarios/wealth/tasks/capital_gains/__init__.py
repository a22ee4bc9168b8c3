"""Capital Gains Computation: gains from the sales of a tax year, matched with purchases."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Capital Gains Computation", 2, ("gains.csv",))
