"""The tools of a savings desk around the procedure; none of them belongs to the API graph."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools import calendar, casework, customers, holdings
from teller_gym.scenarios.savings.tools import aux_desk, aux_policy, aux_previews, aux_searches
from teller_gym.tools.tool import Tool, tools_of

AUXILIARY: list[Tool] = [
    item
    for module in (customers, holdings, aux_searches, aux_policy, calendar, aux_previews, casework, aux_desk)
    for item in tools_of(module)
]
"""All auxiliary tools, in the order in which agents see them."""
