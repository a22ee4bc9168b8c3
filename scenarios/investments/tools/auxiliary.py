"""The tools of a brokerage desk around the procedure; none of them belongs to the API graph."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools import calendar, casework, customers
from teller_gym.scenarios.investments.tools import aux_clients, aux_estimates, aux_listings
from teller_gym.tools.tool import Tool, tools_of

AUXILIARY: list[Tool] = [
    item
    for module in (customers, aux_listings, calendar, aux_estimates, casework, aux_clients)
    for item in tools_of(module)
]
"""All auxiliary tools, in the order in which agents see them."""
