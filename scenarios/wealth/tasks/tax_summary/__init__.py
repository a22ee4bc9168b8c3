"""Year-End Tax Summary: a client's taxable income in a calendar year, by component."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Year-End Tax Summary", 2, ("tax_summary.csv",))
