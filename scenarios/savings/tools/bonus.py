"""Tool for bonus interest."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, usd
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.scenarios.savings.tools.lookup import deposit, policy_of, savings_request
from teller_gym.scenarios.savings.tools.types import Count, Month, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Percent, Result, tool


class BonusAssessed(Result):
    """Status of the bonus and its amount; for a missed bonus, the amount that it would have had."""

    bonus_status: Literal["earned", "missed"]
    bonus_interest: Money


@tool(act=Act.REVISABLE)
def assess_bonus_months(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    period_from: date,
    period_to: date,
    qualifying_months: Annotated[list[Month], ONCE],
    required_months: Count,
    bonus_rate: Percent,
) -> BonusAssessed:
    """Work out the bonus interest of a period from the months that qualify. Which months do is for the caller to judge.
    A balance above the policy's cap earns no more than the cap does.

    Args:
        request_id: The request.
        account_id: The account.
        period_from: First day of the period.
        period_to: Last day of the period.
        qualifying_months: The months that qualify, as YYYY-MM; each lies in the period.
        required_months: How many months have to qualify.
        bonus_rate: Bonus rate in percent a year.
    """
    savings_request(bank, request_id)
    item = deposit(bank, account_id)
    check_order(period_from, period_to, "period_from", "period_to")
    first, last = period_from.isoformat(), period_to.isoformat()
    rows = {
        row["month"]: row
        for row in item["months"]
        if first <= f"{row['month']}-01" and f"{row['month']}-{row['days']:02d}" <= last
    }
    for month in qualifying_months:
        if month not in rows:
            raise invalid("qualifying_months", f"{month} is no whole month of the account within the period")
    cap, rate = policy_of(bank).bonus_cap, round(bonus_rate * 1000)
    bonus = sum(
        divide_half_up(min(rows[month]["average_balance"], cap) * rate * rows[month]["days"], 36_500_000)
        for month in qualifying_months
    )
    earned = len(qualifying_months) >= required_months
    status: Literal["earned", "missed"] = "earned" if earned else "missed"
    found = {
        "months": sorted(qualifying_months),
        "required": required_months,
        "rate": rate,
        "bonus": bonus,
        "status": status,
    }
    bank.put(
        "bonuses", bank.reference("BO", request_id, account_id), {"owner": request_id, "account": account_id, **found}
    )
    return BonusAssessed(bonus_status=status, bonus_interest=usd(bonus))
