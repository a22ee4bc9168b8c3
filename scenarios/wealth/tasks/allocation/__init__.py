"""Portfolio Asset Allocation: what a client holds at the last month end, by class of assets."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Portfolio Asset Allocation", 2, ("allocation.csv",), drawing="drawing")
