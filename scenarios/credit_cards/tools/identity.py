"""Tools for identity, watch lists and credit reports of the people in a request."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.amounts import in_dollars
from teller_gym.scenarios.banking.ids import Code, CustomerId, VerificationId
from teller_gym.scenarios.banking.lookup import (
    SCREENING,
    VERIFICATION,
    check_code,
    created,
    existing,
    obtained,
    record,
    too_early,
)
from teller_gym.scenarios.banking.parties import party_of
from teller_gym.scenarios.banking.tools import identity
from teller_gym.scenarios.credit_cards.tools.lookup import policy_of, request
from teller_gym.scenarios.credit_cards.tools.types import ReportId, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Result, tool

verify_identity = identity.verify_identity
screen_watch_list = identity.screen_watch_list


class CreditReport(Result):
    """A bureau's report; ``score`` is 0 if the bureau has none. ``tradelines`` have tradeline_id, kind, creditor, role,
    balance, monthly_payment, deferred, bank_account_id (the card account, if this bank is the creditor).
    """

    report_id: ReportId
    report_date: date
    score: Annotated[int, Meta(ge=0, le=850)]
    main_factor: str
    alert_type: Literal["none", "initial", "extended", "freeze"]
    consumer_statement: str | None
    tradelines: list[dict[str, Any]]


@tool(act=Act.FINAL)
def pull_credit_report(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    verification_id: VerificationId,
    bureau: Code,
    inquiry_type: Code,
    consent_date: date,
    verified_name: Annotated[str, Meta(min_length=1, max_length=80)],
) -> CreditReport:
    """Pull a person's credit report. The bureau notes the inquiry; a hard one lowers the score for a year.

    Args:
        request_id: The request.
        customer_id: The person.
        verification_id: The identity verification of this person.
        bureau: Code of the bureau that is asked; each keeps a score of its own.
        inquiry_type: Code of the kind of inquiry.
        consent_date: Day of the person's consent, as the request has it.
        verified_name: Name as the registry has it, under which the bureau looks.
    """
    case = request(bank, request_id)
    party_of(bank, request_id, customer_id)
    verification = obtained(bank, VERIFICATION, customer_id, "verification_id", verification_id)
    if verification["status"] == "failed":
        raise too_early(f"the identification of {customer_id} was not confirmed; no report is pulled")
    if case["kind"] == "new_card" and existing(bank, SCREENING.table, SCREENING.prefix, customer_id) is None:
        raise too_early(f"{customer_id} has not been screened; screen_watch_list comes first")
    policy = policy_of(bank)
    check_code("bureau", bureau, [item.bureau for item in policy.products.values()])
    check_code("inquiry_type", inquiry_type, policy.inquiries.values())
    if consent_date > bank.today:
        raise invalid("consent_date", f"expected a day up to the business date {bank.today}, got {consent_date}")
    file = record(bank, "bureau_files", customer_id, "customer_id")
    report_id = created(
        bank, "reports", "RP", customer_id, bureau=bureau, inquiry=inquiry_type, name=verified_name, request=request_id
    )
    return CreditReport(
        report_id=report_id,
        report_date=bank.today,
        score=file["scores"][policy_place(bank, bureau)],
        main_factor=file["main_factor"],
        alert_type=file["alert_type"],
        consumer_statement=file["consumer_statement"],
        tradelines=[in_dollars(line, "balance", "monthly_payment") for line in file["tradelines"]],
    )


def policy_place(bank: Bank, bureau: str) -> str:
    """Return the product whose cards a bureau is asked about; bureau files store scores by product."""
    return next(name for name, item in policy_of(bank).products.items() if item.bureau == bureau)
