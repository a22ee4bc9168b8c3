"""The tools of a card desk's bank around the procedure; none of them belongs to the API graph."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools import calendar, casework, customers, holdings
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.scenarios.credit_cards.tools import aux_lists, aux_policy, aux_previews, aux_writing
from teller_gym.tools.tool import Tool, tools_of

HISTORY = {
    "block": "blocks",
    "screening": "screenings",
    "report": "reports",
    "assessment": "assessments",
    "finance_charge": "finance_charges",
    "dispute": "disputes",
    "decision": "decisions",
    "lock": "locks",
    "document_request": "document_requests",
    "draft": "drafts",
    "note": "notes",
    "reminder": "reminders",
}

AUXILIARY: list[Tool] = [
    *(
        item
        for module in (customers, holdings, aux_lists, aux_policy, calendar, aux_previews, casework, aux_writing)
        for item in tools_of(module)
    ),
    history_tool(HISTORY),
]
"""All auxiliary tools, in the order in which agents see them."""
