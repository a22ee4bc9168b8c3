"""Tools for the paper work of a request: documents, letters, and the history."""

from __future__ import annotations

from typing import Literal

from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.banking.tools.correspondence import document_request_tool, letter_tool
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.scenarios.savings.tools.types import RequestId

get_case_history = history_tool(
    {
        "verification": "verifications",
        "screening": "screenings",
        "interest": "interests",
        "withdrawal": "withdrawals",
        "term": "terms",
        "bonus": "bonuses",
        "coverage": "coverages",
        "decision": "decisions",
        "letter": "letters",
        "note": "notes",
        "document_request": "document_requests",
        "draft": "drafts",
        "reminder": "reminders",
    }
)


Document = Literal["government_id", "signature_card", "death_certificate", "court_order", "proof_of_purpose"]
request_document = document_request_tool(RequestId, Document, party_of, "The request")
draft_customer_letter = letter_tool(RequestId, party_of, "The request")
