"""Net Worth Snapshot: a client's assets less liabilities."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Net Worth Snapshot", 1, ("net_worth.csv",))
