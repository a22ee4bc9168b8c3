"""Trusts & Beneficiaries: differences between a trust's deed and its beneficiaries in the CRM."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Trusts & Beneficiaries", 2, ("discrepancies.csv",))
