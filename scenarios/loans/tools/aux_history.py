"""What has been recorded on a case so far."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.scenarios.loans.tools.aux_reference import applicant_of
from teller_gym.scenarios.loans.tools.lookup import application
from teller_gym.scenarios.loans.tools.types import ApplicationId, CustomerId
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import Category, Result, tool

RecordKind = Literal[
    "verification",
    "screening",
    "match_resolution",
    "exposure",
    "credit_report",
    "alert_resolution",
    "employment_check",
    "income",
    "quote",
    "decision",
    "letter",
    "note",
    "document_request",
    "draft",
    "reminder",
]
_TABLES: dict[RecordKind, str] = {
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
_DETAILS = ("status", "result", "disposition", "decision", "kind", "document", "task", "text")
"""Field that says in a word what a record holds: the first of these that it has. No amounts, no scores."""


class CaseHistory(Result):
    """Records in the order of the procedure. ``records`` have kind, record_id, about, detail (may be null)."""

    total: int
    records: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def get_case_history(
    bank: Bank,
    application_id: ApplicationId,
    record_kind: RecordKind | Literal["any"] = "any",
    customer_id: CustomerId | None = None,
    skip: Annotated[int, Meta(ge=0, le=1000)] = 0,
    limit: Annotated[int, Meta(ge=1, le=6)] = 4,
) -> CaseHistory:
    """List what has been recorded on an application so far: checks, decisions, letters, notes. It shows that a step was
    taken, not its figures, and repeats no check.

    Args:
        application_id: The application.
        record_kind: Which records.
        customer_id: Only records about this applicant.
        skip: How many records to leave out at the beginning.
        limit: How many records to show; the total counts all that match.
    """
    owners = [person["customer_id"] for person in application(bank, application_id)["applicants"]] + [application_id]
    if customer_id is not None:
        applicant_of(bank, application_id, customer_id)
    found: list[dict[str, Any]] = []
    for kind, table in _TABLES.items():
        if record_kind in ("any", kind):
            for key, item in sorted(bank.rows(table), key=lambda pair: pair[0]):
                about = item.get("about") or item.get("customer") or item["owner"]
                if item["owner"] in owners and customer_id in (None, about):
                    found.append({"kind": kind, "record_id": key, "about": about, "detail": _detail(item)})
    return CaseHistory(total=len(found), records=found[skip : skip + limit])


def _detail(item: Record) -> str | None:
    if item.get("confidential"):
        return "***"
    return next((str(item[name])[:60] for name in _DETAILS if name in item), None)
