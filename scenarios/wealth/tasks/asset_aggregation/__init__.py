"""Asset Aggregation: a list of a client's accounts on statements of a bank, a custodian and a pension provider."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Asset Aggregation", 2, ("aggregated_assets.csv",))
