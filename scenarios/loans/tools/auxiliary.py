"""The tools of a loan officer's bank around the procedure; none of them belongs to the API graph."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools import calendar, casework, customers, holdings
from teller_gym.scenarios.loans.tools import (
    aux_applications,
    aux_estimates,
    aux_history,
    aux_letters,
    aux_policy,
    aux_previews,
    aux_requests,
    aux_schedules,
)
from teller_gym.tools.tool import Tool, tools_of

AUXILIARY: list[Tool] = [
    item
    for module in (
        customers,
        holdings,
        aux_applications,
        aux_policy,
        calendar,
        aux_schedules,
        aux_estimates,
        aux_previews,
        casework,
        aux_requests,
        aux_letters,
        aux_history,
    )
    for item in tools_of(module)
]
"""All auxiliary tools, in the order in which agents see them."""
