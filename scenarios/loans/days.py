"""Loans in a working day: an applicant's second application, after the first has been decided."""

from __future__ import annotations

from teller_gym.base.draw import Draw
from teller_gym.procedure.links import Link, Records
from teller_gym.procedure.scenario import Draft
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.loans.generator.terms import personal_fields
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.bank import Bank

_MOST = 3_000_000
"""Largest amount, in cents, that an applicant asks for while another loan is not yet decided."""


def second_application(first: Task, draw: Draw, policy: LoanPolicy) -> Draft | None:
    """Draft a personal loan application of the same applicants, or return None if the first one does not allow it."""
    if first.standard.outputs["decision"] != "approve":
        return None
    case = first.tables["applications"][first.case_id]
    if case["product"] == "home" or case["purpose"] == "debt_consolidation":
        return None  # a home loan changes the housing cost, a consolidation the debts, before the second decision
    product = policy.products["personal"]
    customers = [person["customer_id"] for person in case["applicants"]]
    case_id = draw.identifier("LA")
    if case_id in first.tables["applications"]:
        return None
    application = {
        **case,
        **personal_fields(),
        "received_date": first.today.isoformat(),
        "requested_amount": draw.steps(product.min_amount * 2, _MOST, 50_000),
        "term_months": draw.choice(product.terms),
        "documents": list(product.documents),
        "applicants": [{**person, "consent_date": first.today.isoformat()} for person in case["applicants"]],
        "autopay": draw.chance(0.5),
        "note": draw.choice(words_of("teller_gym.scenarios.loans.generator")["notes"]),
        "delivery_preference": draw.choice(("mail", "email", "branch_pickup")),
    }
    tables = {**first.tables, "applications": {**first.tables["applications"], case_id: application}}
    joint = f" and co-applicant {customers[1]}" if len(customers) > 1 else ""
    request = (
        f"Please work loan application {case_id} of customer {customers[0]}{joint} to its final review. "
        f"The business date is {first.today.isoformat()}."
    )
    owners = (case_id, *customers)
    return Draft(today=first.today, request=request, case_id=case_id, owners=owners, tables=tables)


def booked_loan(first: Task, bank: Bank) -> Records:
    """Return the account on which an approved and disclosed loan is booked, or no records if none was."""
    case = bank.get("applications", first.case_id) or {}
    disclosed = bank.get("letters", bank.reference("DS", first.case_id))
    if case.get("decision") != "approve" or disclosed is None:
        return {}
    account = {
        "customer_id": case["applicants"][0]["customer_id"],
        "kind": "loan",
        "product": case["product"],
        "opened": bank.today.isoformat(),
        "status": "open",
        "balance": case["approved_amount"],
        "monthly_payment": case["monthly_payment"],
    }
    return {"accounts": {bank.reference("AC", first.case_id, "booked"): account}}


LINKS = (Link("second_application", "loans", second_application, booked_loan),)
