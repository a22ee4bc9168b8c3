"""Look-up of the bank's policy on savings and of its rate sheets."""

from __future__ import annotations

from datetime import date
from typing import Any

from teller_gym.base.errors import invalid
from teller_gym.scenarios.banking.tools.policy_topics import policy_topics_tool
from teller_gym.scenarios.savings.tools.lookup import policy_of
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

get_savings_policy = policy_topics_tool(
    __package__,
    "get_savings_policy",
    "Look up the numbers and codes of the policy on savings that is in force. It judges no case.",
    "SavingsPolicyEntries",
    "The policy's entries on a topic; names of entries end in their unit.",
)


class RateSheetFound(Result):
    """The sheet in force, with rates in percent by months of the term."""

    in_force_since: date
    rates: dict[str, Any]


@tool(category=Category.AUXILIARY)
def get_rate_sheet(bank: Bank, on_day: date, with_addition: bool = False) -> RateSheetFound:
    """Look up the rates for new terms that were in force on a day. It says not which day counts for a deposit.

    Args:
        on_day: The day.
        with_addition: Whether the addition for large principals is in the rates.
    """
    policy = policy_of(bank)
    sheets = [sheet for sheet in policy.rate_sheets if sheet.since <= on_day]
    if not sheets:
        raise invalid("on_day", f"expected {policy.rate_sheets[0].since} or later, got {on_day}")
    added = policy.large_addition if with_addition else 0
    rates = {str(months): (rate + added) / 100 for months, rate in sheets[-1].rates.items()}
    return RateSheetFound(in_force_since=sheets[-1].since, rates=rates)
