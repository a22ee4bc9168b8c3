"""Portfolio Asset Allocation: a client's holdings at the end of the previous month, by asset class."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Portfolio Asset Allocation", 2, ("allocation.csv",), drawing="drawing")
