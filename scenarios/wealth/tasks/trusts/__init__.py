"""Trusts & Beneficiaries: where the CRM's shares of a trust differ from those of its deed."""

from __future__ import annotations

from teller_gym.scenarios.wealth.contract import work_of

WORK = work_of(__name__, "Trusts & Beneficiaries", 2, ("discrepancies.csv",))
