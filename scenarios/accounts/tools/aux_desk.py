"""Tools for the paper work of a request: documents, letters, alerts on accounts, and the history."""

from __future__ import annotations

from datetime import date
from typing import Literal

from teller_gym.base.money import to_cents
from teller_gym.scenarios.accounts.tools.lookup import account, party, service_request
from teller_gym.scenarios.accounts.tools.types import RequestId
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.banking.tools.casework import ShortText
from teller_gym.scenarios.banking.tools.correspondence import document_request_tool, letter_tool
from teller_gym.scenarios.banking.tools.history import history_tool
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Category, Money, Result, tool

get_case_history = history_tool(
    {
        "verification": "verifications",
        "screening": "screenings",
        "availability": "availabilities",
        "assessment": "assessments",
        "deadline": "deadlines",
        "decision": "decisions",
        "letter": "letters",
        "note": "notes",
        "document_request": "document_requests",
        "alert": "alerts",
        "draft": "drafts",
        "reminder": "reminders",
    }
)


Document = Literal[
    "government_id", "signature_card", "power_of_attorney", "written_confirmation", "proof_of_address"
]  # fmt: skip
request_document = document_request_tool(RequestId, Document, party, "The service request")
draft_customer_letter = letter_tool(RequestId, party, "The service request")


class AlertPlaced(Result):
    """The alert as stored."""

    alert_id: str
    days_in_force: int


@tool(act=Act.REVISABLE, category=Category.AUXILIARY)
def place_account_alert(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    alert_kind: Literal["watch_deposits", "call_before_paying", "no_new_checks", "verify_twice"],
    in_force_from: date,
    in_force_to: date,
    limit_amount: Money,
    visible_to: Literal["tellers", "back_office", "everybody"],
    alert_text: ShortText | None = None,
) -> AlertPlaced:
    """Put an alert on an account that colleagues see. It is no restriction, no hold and no stop order.

    Args:
        request_id: The service request that it rests on.
        account_id: The account.
        alert_kind: What it asks of colleagues.
        in_force_from: First day; not before the business date.
        in_force_to: Last day.
        limit_amount: Amount from which it matters, in dollars.
        visible_to: Who sees it.
        alert_text: A line beside it.
    """
    service_request(bank, request_id)
    account(bank, account_id)
    check_order(bank.today, in_force_from, "business_date", "in_force_from")
    check_order(in_force_from, in_force_to, "in_force_from", "in_force_to")
    alert = {
        "kind": alert_kind,
        "from": in_force_from.isoformat(),
        "to": in_force_to.isoformat(),
        "limit": to_cents(limit_amount),
        "visible_to": visible_to,
        "text": alert_text,
    }
    alert_id = bank.reference("AL", account_id, alert_kind)
    bank.put("alerts", alert_id, {"owner": account_id, "request": request_id, **alert})
    return AlertPlaced(alert_id=alert_id, days_in_force=(in_force_to - in_force_from).days + 1)
