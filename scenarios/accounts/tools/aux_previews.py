"""Previews of what the procedure works out in earnest: availability, deadlines, liability, closing balance."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.dates import add_business_days, is_business_day
from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.accounts.tools.availability import parts_of
from teller_gym.scenarios.accounts.tools.deadlines import check_start, moved
from teller_gym.scenarios.accounts.tools.lookup import policy_of
from teller_gym.scenarios.accounts.tools.types import Direction, HoldReason, Length, Roll, Unit
from teller_gym.scenarios.banking.ranges import check_order
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Result, tool


class HoldEstimate(Result):
    """Parts of an amount that would be there on the morning of a day, and that would not."""

    available_amount: Money
    unavailable_amount: Money


ItemClass = Literal[
    "cash_in_person", "cash_otherwise", "electronic", "treasury_check", "on_us_check", "official_in_person",
    "official_otherwise", "other_check",
]  # fmt: skip


@tool(category=Category.AUXILIARY)
def estimate_hold(
    bank: Bank,
    deposit_amount: Money,
    banking_day: date,
    schedule_class: ItemClass,
    morning_of: date,
    next_day_amount: Money = 0,
    held_amount: Money = 0,
    hold_reason: HoldReason = "none",
) -> HoldEstimate:
    """Estimate for a caller what of a deposit would be available on a morning. Nothing is recorded, and it is about no
    deposit of the bank in particular.

    Args:
        deposit_amount: Amount in dollars.
        banking_day: The day on which the deposit would count as received; the next business day if it is none.
        schedule_class: The row of the availability schedule, in words.
        morning_of: The day that is asked about.
        next_day_amount: What of it would be there the next business day in any case, in dollars.
        held_amount: What of it would be held longer, in dollars, as far as it is not there the next day.
        hold_reason: Why; with none, nothing is held.
    """
    policy = policy_of(bank)
    check_start(banking_day, "banking_day")
    is_open = is_business_day(banking_day, policy.holidays)
    start = banking_day if is_open else add_business_days(banking_day, 1, policy.holidays)
    early = min(deposit_amount, next_day_amount)
    held = 0.0 if hold_reason == "none" else usd(min(to_cents(held_amount), to_cents(deposit_amount) - to_cents(early)))
    reason = hold_reason if held else "none"
    found = parts_of(policy, start, policy.schedule[schedule_class].code, (deposit_amount, early, held), reason)
    parts = (
        (found.next_day_on, found.next_day_amount),
        (found.regular_on, found.regular_amount),
        (found.held_until, found.held_amount),
    )
    there = sum(to_cents(amount) for day, amount in parts if day is not None and day <= morning_of)
    return HoldEstimate(available_amount=usd(there), unavailable_amount=usd(to_cents(deposit_amount) - there))


class DeadlinePreview(Result):
    """The days in their order."""

    days: list[date]


@tool(category=Category.AUXILIARY)
def preview_deadline(
    bank: Bank,
    start_date: date,
    direction: Direction,
    length: Length,
    unit: Unit,
    roll: Roll,
    repeats: Annotated[int, Meta(ge=0, le=11)] = 0,
    count_start: bool = False,
) -> DeadlinePreview:
    """Preview a deadline, and those that follow it at the same distance. Nothing is recorded, and no clock of a case is
    set.

    Args:
        start_date: The day from which to count.
        direction: Whether the deadline lies after it or before it.
        length: How long.
        unit: In what it is counted.
        roll: Whether a day that is no business day moves to the business day before it.
        repeats: How many more deadlines follow, each counted from the one before.
        count_start: Whether the starting day itself counts as the first one, unlike in the bank's own clocks.
    """
    policy = policy_of(bank)
    days, step = [], max(0, length - 1) if count_start else length
    for _ in range(repeats + 1):
        check_start(start_date, "start_date")
        start_date = moved(policy, start_date, direction, step, unit, roll)
        days.append(start_date)
    return DeadlinePreview(days=days)


class LiabilityEstimate(Result):
    """Amount that a customer would bear."""

    told_in_time: bool
    liability: Money


@tool(category=Category.AUXILIARY)
def estimate_liability(
    bank: Bank,
    missed_on: date,
    told_on: date,
    last_day_in_time: date,
    amount_up_to_that_day: Money,
    amount_after_that_day: Money,
    already_borne: Money = 0,
    cap_in_time: Money | None = None,
    cap_in_all: Money | None = None,
) -> LiabilityEstimate:
    """Estimate for a caller what a customer would bear of transfers with a lost card. It judges no claim, looks at no
    transfer, and nothing is recorded.

    Args:
        missed_on: When the card was missed.
        told_on: When the bank was told; not before.
        last_day_in_time: Last day on which telling the bank keeps the low cap; not before the card was missed.
        amount_up_to_that_day: Sum of the transfers up to that day, in dollars.
        amount_after_that_day: Sum of the later ones, in dollars.
        already_borne: What the customer has borne for the same card before, in dollars; it is taken off.
        cap_in_time: Another low cap than the policy's, in dollars.
        cap_in_all: Another high cap than the policy's, in dollars.
    """
    check_order(missed_on, told_on, "missed_on", "told_on")
    check_order(missed_on, last_day_in_time, "missed_on", "last_day_in_time")
    policy = policy_of(bank)
    low = policy.liability_low if cap_in_time is None else to_cents(cap_in_time)
    high = policy.liability_high if cap_in_all is None else to_cents(cap_in_all)
    if high < low:
        raise invalid("cap_in_all", f"expected {usd(low)} or more, got {usd(high)}")
    early, later = to_cents(amount_up_to_that_day), to_cents(amount_after_that_day)
    in_time = told_on <= last_day_in_time
    borne = min(low, early + later) if in_time else min(high, min(low, early) + later)
    return LiabilityEstimate(told_in_time=in_time, liability=usd(max(0, borne - to_cents(already_borne))))


class ClosingPreview(Result):
    """Amount that would be paid out, or would be lacking."""

    payout: Money
    lacking: Money


@tool(category=Category.AUXILIARY)
def preview_closing_balance(
    bank: Bank,
    ledger_amount: Money,
    interest_amount: Money,
    fees_amount: Money,
    opened_on: date,
    closing_on: date,
    outstanding_checks: Money = 0,
    waive_early_fee: bool = False,
) -> ClosingPreview:
    """Preview for a caller what would be left on closing an account on a day. It reads no account and closes none.

    Args:
        ledger_amount: Balance in dollars.
        interest_amount: Interest accrued, in dollars.
        fees_amount: Fees due, in dollars.
        opened_on: When the account was opened.
        closing_on: When it would be closed; not before.
        outstanding_checks: Checks that are still on their way, in dollars; they are taken off.
        waive_early_fee: Whether to leave out the fee for accounts closed early.
    """
    check_order(opened_on, closing_on, "opened_on", "closing_on")
    policy = policy_of(bank)
    early = (closing_on - opened_on).days <= policy.early_closing_days and not waive_early_fee
    plus = to_cents(ledger_amount) + to_cents(interest_amount)
    minus = to_cents(fees_amount) + to_cents(outstanding_checks) + (policy.early_closing_fee if early else 0)
    return ClosingPreview(payout=usd(max(0, plus - minus)), lacking=usd(max(0, minus - plus)))
