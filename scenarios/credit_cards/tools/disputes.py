"""Tool that opens a dispute about posted lines."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.credit_cards.tools.ledger import DEBITS, lines_named
from teller_gym.scenarios.credit_cards.tools.lookup import account_of, policy_of
from teller_gym.scenarios.credit_cards.tools.types import CardAccountId, LineId, ReasonCode, RequestId, Track
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool


class Opened(Result):
    """The opened dispute; its amount stays credited to the account until the dispute is resolved."""

    dispute_id: str
    status: Literal["open"]
    credited_amount: Money
    resolve_by: date


@tool(act=Act.FINAL)
def open_dispute(
    bank: Bank,
    request_id: RequestId,
    account_id: CardAccountId,
    track: Track,
    reason_code: ReasonCode,
    line_ids: Annotated[list[LineId], Meta(min_length=1), ONCE],
    credited_amount: Money,
    first_statement_date: date | None,
    resolve_by: date,
) -> Opened:
    """Open a dispute: the amount is credited at once, the merchant's bank is told, and a clock begins to run.

    Args:
        request_id: The request.
        account_id: The card account.
        track: The rules under which the dispute runs.
        reason_code: Code of what is disputed.
        line_ids: The disputed lines.
        credited_amount: The amount credited, in dollars; more than 0.
        first_statement_date: Closing date of the first statement that shows a disputed line; null if none does yet.
        resolve_by: Day by which the dispute must be resolved.
    """
    item = account_of(bank, request_id, account_id)
    lines = lines_named(item, line_ids)
    for line_id in line_ids:
        if line_id not in lines or lines[line_id].type not in DEBITS:
            raise invalid("line_ids", f"{line_id} is no charge on {account_id}")
    cents = to_cents(credited_amount)
    if not 0 < cents <= sum(lines[line_id].amount for line_id in line_ids):
        raise invalid("credited_amount", "expected more than 0 and at most the sum of the lines")
    if reason_code not in policy_of(bank).reason_codes.values():
        raise invalid("reason_code", f"there is no reason code {reason_code}; the SOP lists them")
    if first_statement_date is not None and first_statement_date.isoformat() not in [
        row["closing_date"] for row in item["statements"]
    ]:
        raise invalid("first_statement_date", f"no statement of {account_id} closed on {first_statement_date}")
    if resolve_by < bank.today:
        raise invalid("resolve_by", f"expected the business date {bank.today} or later, got {resolve_by}")
    dispute_id = bank.reference("DP", request_id, *sorted(line_ids))
    first = None if first_statement_date is None else first_statement_date.isoformat()
    bank.put(
        "disputes",
        dispute_id,
        {
            "owner": request_id,
            "result": track,
            "code": reason_code,
            "lines": sorted(line_ids),
            "amount": cents,
            "first_statement": first,
            "resolve_by": resolve_by.isoformat(),
        },
    )
    return Opened(dispute_id=dispute_id, status="open", credited_amount=credited_amount, resolve_by=resolve_by)
