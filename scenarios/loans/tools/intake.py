"""Intake: checking range, documents and dates."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.loans.tools.lookup import application, policy_of
from teller_gym.scenarios.loans.tools.types import (
    ApplicationId,
    Checklist,
    Document,
    Months,
    Product,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool

Finding = Literal[
    "none", "amount_below_minimum", "amount_above_maximum", "term_not_offered", "document_missing", "document_expired"
]


class Completeness(Result):
    """Verdict on a case's completeness, which processing requires; ``finding`` is the first problem."""

    status: Literal["complete", "incomplete", "out_of_range"]
    finding: Finding
    missing_documents: list[str]


@tool(act=Act.FINAL)
def check_application_completeness(
    bank: Bank,
    application_id: ApplicationId,
    product: Product,
    requested_amount: Money,
    term_months: Months,
    received_date: date,
    earliest_id_expiry: date,
    documents: Annotated[list[Document], ONCE],
    checklist: Checklist,
) -> Completeness:
    """Check that a request lies in its product's range and that the documents are all there and in date. The applicant
    gets a receipt with the outcome at once.

    Args:
        application_id: The application.
        product: The product asked for.
        requested_amount: The amount asked for, in dollars.
        term_months: The term asked for.
        received_date: When the application was received; not after the business date.
        earliest_id_expiry: The earliest expiry date among the identity documents of all applicants.
        documents: All documents on file.
        checklist: Code of the product's checklist, put down with the result.
    """
    application(bank, application_id)
    if received_date > bank.today:
        raise invalid("received_date", f"expected a day up to the business date {bank.today}, got {received_date}")
    terms = policy_of(bank).products[product]
    if checklist not in [item.checklist for item in policy_of(bank).products.values()]:
        raise invalid("checklist", f"there is no checklist {checklist}; the SOP lists them")
    # Uses the product's own list whatever code was given; otherwise trying codes would reveal the right one.
    missing = [name for name in terms.documents if name not in documents]
    finding: Finding = "none"
    amount = to_cents(requested_amount)
    if amount < terms.min_amount:
        finding = "amount_below_minimum"
    elif amount > terms.max_amount:
        finding = "amount_above_maximum"
    elif term_months not in terms.terms:
        finding = "term_not_offered"
    elif missing:
        finding = "document_missing"
    elif earliest_id_expiry < bank.today:
        finding = "document_expired"
    status = _STATUS[finding]
    bank.update("applications", application_id, completeness_status=status)
    return Completeness(status=status, finding=finding, missing_documents=missing)


_STATUS: dict[Finding, Literal["complete", "incomplete", "out_of_range"]] = {
    "none": "complete",
    "amount_below_minimum": "out_of_range",
    "amount_above_maximum": "out_of_range",
    "term_not_offered": "out_of_range",
    "document_missing": "incomplete",
    "document_expired": "incomplete",
}
