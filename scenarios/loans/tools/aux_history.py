"""The tool that lists the records made on an application so far."""

from __future__ import annotations

from teller_gym.scenarios.banking.tools.history import history_tool

get_case_history = history_tool(
    {
        "verification": "verifications",
        "screening": "screenings",
        "match_resolution": "match_resolutions",
        "exposure": "exposures",
        "credit_report": "reports",
        "alert_resolution": "alert_resolutions",
        "employment_check": "employment_checks",
        "income": "incomes",
        "quote": "quotes",
        "decision": "decisions",
        "letter": "letters",
        "note": "notes",
        "document_request": "document_requests",
        "draft": "drafts",
        "reminder": "reminders",
    }
)
