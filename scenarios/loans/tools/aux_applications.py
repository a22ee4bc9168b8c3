"""The applications in which a customer takes part."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from teller_gym.base.money import usd
from teller_gym.scenarios.banking.ids import CustomerId, Limit
from teller_gym.scenarios.banking.lookup import customer, day
from teller_gym.scenarios.banking.ranges import check_order, within
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool


class ApplicationsFound(Result):
    """``applications``: application_id, role, product, requested_amount, term_months, received_date, decision."""

    total: int
    applications: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def list_customer_applications(
    bank: Bank,
    customer_id: CustomerId,
    product: Literal["any", "home", "auto", "personal"] = "any",
    role: Literal["any", "primary", "co_applicant"] = "any",
    state_of_case: Literal["any", "open", "decided"] = "any",
    received_from: date | None = None,
    received_to: date | None = None,
    limit: Limit = 5,
) -> ApplicationsFound:
    """List the loan applications in which a customer takes part, newest first. It shows no documents and no details.

    Args:
        customer_id: The customer.
        product: Which product.
        role: The customer's part in the application.
        state_of_case: Whether a decision has been recorded.
        received_from: Received on this day or later.
        received_to: Received on this day or earlier.
        limit: How many applications to show; the total counts all that match.
    """
    customer(bank, customer_id)
    check_order(received_from, received_to, "received_from", "received_to")
    found = []
    for key, case in bank.rows("applications"):
        part = next((person["role"] for person in case["applicants"] if person["customer_id"] == customer_id), None)
        decided = case.get("decision") is not None
        if (
            part is not None
            and role in ("any", part)
            and product in ("any", case["product"])
            and state_of_case in ("any", "decided" if decided else "open")
            and within(day(case["received_date"]), received_from, received_to)
        ):
            found.append((key, part, case))
    found.sort(key=lambda item: item[0])
    found.sort(key=lambda item: str(item[2]["received_date"]), reverse=True)
    return ApplicationsFound(
        total=len(found),
        applications=[
            {
                "application_id": key,
                "role": part,
                "product": case["product"],
                "requested_amount": usd(case["requested_amount"]),
                "term_months": case["term_months"],
                "received_date": case["received_date"],
                "decision": case.get("decision"),
            }
            for key, part, case in found[:limit]
        ],
    )
