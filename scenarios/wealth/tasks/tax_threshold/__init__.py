"""Tax Threshold Calculation: the tax on an estate above a threshold, by tax bracket."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(
    __name__, "Tax Threshold Calculation", 2, ("tax_due.csv",), words=lambda case: {"deceased": case.facts.decedent}
)
