"""Intake: reading the case, and checking range, documents and dates."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.loans.tools.lookup import application, policy_of
from teller_gym.scenarios.loans.tools.types import (
    ApplicationId,
    Checklist,
    CollateralId,
    CollateralType,
    Document,
    Months,
    Product,
    PropertyUse,
    Purpose,
)
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool


class ApplicationData(Result):
    """The application's record; amounts in US dollars."""

    application_id: ApplicationId
    business_date: date
    product: Product
    purpose: Purpose
    property_use: PropertyUse | None
    requested_amount: Money
    term_months: Months
    received_date: str
    completed_date: str | None
    documents: list[str]
    applicants: list[dict[str, Any]]
    autopay: bool
    monthly_housing_cost: Money
    monthly_support_paid: Money
    closing_payoff_tradelines: list[str]
    closing_payoff_accounts: list[str]
    collateral_id: CollateralId | None
    collateral_type: CollateralType | None
    purchase_price: Money
    appraised_value: Money
    appraisal_date: str | None
    branch_city: str
    branch_state: str
    note: str


@tool()
def get_application_data(bank: Bank, application_id: ApplicationId) -> ApplicationData:
    """Read a loan application as it was taken in: request, applicants, documents, collateral, note of the branch.

    Args:
        application_id: The application, such as LA-482913.
    """
    case = application(bank, application_id)
    return ApplicationData(
        application_id=application_id,
        business_date=bank.today,
        product=case["product"],
        purpose=case["purpose"],
        property_use=case["property_use"],
        requested_amount=usd(case["requested_amount"]),
        term_months=case["term_months"],
        received_date=case["received_date"],
        completed_date=case["completed_date"],
        documents=case["documents"],
        applicants=case["applicants"],
        autopay=case["autopay"],
        monthly_housing_cost=usd(case["monthly_housing_cost"]),
        monthly_support_paid=usd(case["monthly_support_paid"]),
        closing_payoff_tradelines=case["closing_payoff_tradelines"],
        closing_payoff_accounts=case["closing_payoff_accounts"],
        collateral_id=case["collateral_id"],
        collateral_type=case["collateral_type"],
        purchase_price=usd(case["purchase_price"]),
        appraised_value=usd(case["appraised_value"]),
        appraisal_date=case["appraisal_date"],
        branch_city=case["branch_city"],
        branch_state=case["branch_state"],
        note=case["note"],
    )


Finding = Literal[
    "none", "amount_below_minimum", "amount_above_maximum", "term_not_offered", "document_missing", "document_expired"
]


class Completeness(Result):
    """Whether processing may go on; ``finding`` is the first thing found wrong."""

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
    # By the product's own list, whatever was put down: else trying codes would tell which one is right.
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
