"""Tool that blocks cards reported lost or stolen."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.ids import Code
from teller_gym.scenarios.banking.lookup import check_code, created
from teller_gym.scenarios.credit_cards.tools.lookup import account_of, policy_of, request
from teller_gym.scenarios.credit_cards.tools.types import CardAccountId, CardId, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Result, tool


class Blocked(Result):
    """The block that was placed, with the last digits of the blocked cards."""

    block_id: str
    blocked_on: date
    blocked_last4: list[str]


@tool(act=Act.FINAL)
def block_card(
    bank: Bank,
    request_id: RequestId,
    account_id: CardAccountId,
    card_ids: Annotated[list[CardId], Meta(min_length=1), ONCE],
    reported_on: date,
    last_own_use_date: date,
    reissue_method: Code,
    hold_replacement: bool,
) -> Blocked:
    """Block cards for good and order their replacement under a new number. It ends every use of them, recurring
    charges too.

    Args:
        request_id: The request.
        account_id: The card account.
        card_ids: The cards that are blocked.
        reported_on: Day on which the loss was reported.
        last_own_use_date: Day of the holder's own last use, as reported; not after the report.
        reissue_method: Code of the way in which the replacement goes out.
        hold_replacement: Whether the replacement waits until a new mailing address is confirmed.
    """
    account_of(bank, request_id, account_id)
    case = request(bank, request_id)
    policy = policy_of(bank)
    check_code("reissue_method", reissue_method, policy.reissue_methods.values())
    cards = {row["card_id"]: row for row in case["cards"]}
    for card_id in card_ids:
        if card_id not in cards:
            raise invalid("card_ids", f"{card_id} is no card of {account_id}")
        if cards[card_id]["status"] != "active":
            raise invalid("card_ids", f"{card_id} is closed already")
    if not last_own_use_date <= reported_on <= bank.today:
        raise invalid(
            "reported_on",
            f"expected a day from {last_own_use_date} to the business date {bank.today}, got {reported_on}",
        )
    block_id = created(
        bank, "blocks", "BL", request_id,
        cards=sorted(card_ids), reported=reported_on.isoformat(), last_use=last_own_use_date.isoformat(),
        method=reissue_method, hold=hold_replacement, kind="block",
    )  # fmt: skip
    return Blocked(
        block_id=block_id, blocked_on=bank.today, blocked_last4=[cards[key]["card_last4"] for key in sorted(card_ids)]
    )
