"""Tool for the availability of a deposited item."""

from __future__ import annotations

from datetime import date

from teller_gym.base.dates import add_business_days, is_business_day
from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.accounts.tools.lookup import account, policy_of, service_request
from teller_gym.scenarios.accounts.tools.types import HoldReason, ItemId, RequestId, ScheduleClass
from teller_gym.scenarios.banking.lookup import check_code
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Result, tool


class Availability(Result):
    """Parts of an item and the days on which they become available; a day is null if its part is 0."""

    next_day_amount: Money
    next_day_on: date | None
    regular_amount: Money
    regular_on: date | None
    held_amount: Money
    held_until: date | None


def parts_of(
    policy: AccountPolicy, banking_day: date, schedule_class: str, amounts: tuple[float, float, float], reason: str
) -> Availability:
    """Return the parts of an item and the days on which they become available.

    Args:
        policy: The bank's policy.
        banking_day: Banking day of the deposit.
        schedule_class: Code of a row of the schedule.
        amounts: The whole, the next-day and the held amount, in dollars.
        reason: Reason for the hold, or none.
    """
    whole, early, held = map(to_cents, amounts)
    rest = whole - early - held
    if rest < 0:
        raise invalid("held_amount", "expected next-day and held amount to be no more than the item's amount together")
    if (held > 0) != (reason != "none"):
        raise invalid("hold_reason", "expected a reason if and only if something is held")
    name, row = next((name, row) for name, row in policy.schedule.items() if row.code == schedule_class)
    extension = policy.hold_extension["on_us_check" if name == "on_us_check" else "any_other_check"]
    held_days = policy.new_account_hold_days if reason == "new_account" else row.days + extension
    return Availability(
        next_day_amount=early / 100,
        next_day_on=add_business_days(banking_day, 1, policy.holidays) if early else None,
        regular_amount=rest / 100,
        regular_on=add_business_days(banking_day, row.days, policy.holidays) if rest else None,
        held_amount=held / 100,
        held_until=add_business_days(banking_day, held_days, policy.holidays) if held else None,
    )


def check_parts(policy: AccountPolicy, banking_day: date, schedule_class: str) -> None:
    """Raise an error for a day on which the bank is closed, or a class that the schedule does not have."""
    check_code("schedule_class", schedule_class, [row.code for row in policy.schedule.values()])
    if not is_business_day(banking_day, policy.holidays):
        raise invalid("banking_day", f"expected a business day, {banking_day} is a weekend or a bank holiday")


@tool(act=Act.REVISABLE)
def calculate_availability(
    bank: Bank,
    request_id: RequestId,
    item_id: ItemId,
    item_amount: Money,
    banking_day: date,
    schedule_class: ScheduleClass,
    next_day_amount: Money,
    held_amount: Money,
    hold_reason: HoldReason,
) -> Availability:
    """Work out and record when a deposited item becomes available: one part the next business day, one on the regular
    day of its schedule class, one after a hold. What is neither next-day nor held is regular.

    Args:
        request_id: The request.
        item_id: The item, one of the pending items of the request's account.
        item_amount: Its amount in dollars.
        banking_day: The business day on which its deposit counts as received.
        schedule_class: Code of its row of the availability schedule.
        next_day_amount: What of it becomes available on the next business day in any case, in dollars, or 0.
        held_amount: What of it is held longer than its class asks for, in dollars; 0 if nothing is.
        hold_reason: Why; none if nothing is held.
    """
    case = service_request(bank, request_id)
    rows = account(bank, case["account_id"])["pending_items"] if case["account_id"] else []
    if item_id not in [row["item_id"] for row in rows]:
        raise invalid("item_id", f"{item_id} is no pending item of the account of {request_id}")
    policy = policy_of(bank)
    check_parts(policy, banking_day, schedule_class)
    found = parts_of(policy, banking_day, schedule_class, (item_amount, next_day_amount, held_amount), hold_reason)
    bank.put(
        "availabilities",
        bank.reference("AV", request_id, item_id),
        {
            "owner": request_id,
            "about": item_id,
            "banking_day": banking_day.isoformat(),
            "class": schedule_class,
            "amounts": [to_cents(item_amount), to_cents(next_day_amount), to_cents(held_amount)],
            "reason": hold_reason,
        },
    )
    return found
