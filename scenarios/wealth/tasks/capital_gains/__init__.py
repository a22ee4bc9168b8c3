"""Capital Gains Computation: what sales of securities have brought in a tax year, purchase by purchase."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Capital Gains Computation", 2, ("gains.csv",))
