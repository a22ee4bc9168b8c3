"""Tool for claims about electronic transfers."""

from __future__ import annotations

from datetime import date

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.accounts.tools.lookup import service_request
from teller_gym.scenarios.accounts.tools.types import ClaimType, Finding, ItemId, RequestId, TransferKind
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Result, tool


class ClaimAssessed(Result):
    """The amount of a claimed transfer that counts, before the customer's liability."""

    assessment_id: str
    counted_amount: Money


@tool(act=Act.REVISABLE)
def assess_transfer_claim(
    bank: Bank,
    request_id: RequestId,
    transfer_id: ItemId,
    claim_type: ClaimType,
    transfer_kind: TransferKind,
    posted_on: date,
    statement_sent_on: date | None,
    disputed_amount: Money,
    finding: Finding,
) -> ClaimAssessed:
    """Record the assessment of one transfer of a claim. A covered transfer counts with its disputed amount, any other
    with nothing; the customer's liability is left out of account here.

    Args:
        request_id: The request.
        transfer_id: The transfer, one of the items of the request.
        claim_type: What is claimed, as the request calls the item.
        transfer_kind: Kind of the transfer as it was posted.
        posted_on: Day on which it was posted.
        statement_sent_on: Day on which the first statement that shows it was sent; null if none was sent yet.
        disputed_amount: Amount that is in dispute, in dollars.
        finding: What was found.
    """
    case = service_request(bank, request_id)
    if transfer_id not in [row["item_id"] for row in case["items"]]:
        raise invalid("transfer_id", f"{transfer_id} is no item of {request_id}")
    if statement_sent_on is not None and statement_sent_on < posted_on:
        raise invalid("statement_sent_on", f"expected {posted_on} or later, got {statement_sent_on}")
    amount = to_cents(disputed_amount)
    assessment_id = bank.reference("AS", request_id, transfer_id)
    bank.put(
        "assessments",
        assessment_id,
        {
            "owner": request_id,
            "about": transfer_id,
            "claim": claim_type,
            "transfer": transfer_kind,
            "days": [str(posted_on), str(statement_sent_on)],
            "amount": amount,
            "result": finding,
        },
    )
    return ClaimAssessed(assessment_id=assessment_id, counted_amount=amount / 100 if finding == "covered" else 0.0)
