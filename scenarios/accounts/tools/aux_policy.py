"""Look-up of the bank's policy on accounts and of its clocks."""

from __future__ import annotations

from typing import Any, Literal

from teller_gym.scenarios.accounts.tools.lookup import policy_of
from teller_gym.scenarios.banking.tools.policy_topics import policy_topics_tool
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

get_account_policy = policy_topics_tool(
    __package__,
    "get_account_policy",
    "Look up the numbers and codes of the policy on deposit accounts that is in force. It judges no case.",
    "AccountPolicyEntries",
    "The policy's entries on a topic; names of entries end in their unit.",
)


class DeadlineTable(Result):
    """``clocks`` have name, clock, start_event, length (null where another table says it), unit, roll."""

    total: int
    clocks: list[dict[str, Any]]


@tool(category=Category.AUXILIARY)
def get_deadline_table(
    bank: Bank,
    start_event: Literal[
        "any", "business_date", "received_date", "banking_day", "owner_activity", "report_day", "address_change"
    ] = "any",
) -> DeadlineTable:
    """Look up the bank's clocks with their codes. It says neither which of them runs on a case nor when it ends.

    Args:
        start_event: Only clocks that start with this event.
    """
    rows = [
        {"name": name, "clock": c.code, "start_event": c.event, "length": c.length, "unit": c.unit, "roll": c.roll}
        for name, c in policy_of(bank).clocks.items()
        if start_event in ("any", c.event)
    ]
    return DeadlineTable(total=len(rows), clocks=rows)
