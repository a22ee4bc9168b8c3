"""Rough estimates for a first conversation: near what the procedure works out, and no part of a file."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, percent, to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.investments.tools.lookup import account_of
from teller_gym.scenarios.investments.tools.types import AccountType, Points, Shares, SignedMoney
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Money, Percent, Result, tool

Rate = Annotated[float, Meta(ge=0, le=100, extra={"unit": "percent"})]
_WHOLE = 100_000


class ValueEstimate(Result):
    """Value at prices typed in, and what a fall of the market would leave."""

    estimated_value: Money
    value_after_fall: Money


@tool(category=Category.AUXILIARY)
def estimate_portfolio_value(
    bank: Bank,
    account_id: AccountId,
    share_prices: Annotated[list[Money], Meta(min_length=1, max_length=12)],
    share_counts: Annotated[list[Shares], Meta(min_length=1, max_length=12)],
    cash_on_hand: Money,
    assumed_fall_percent: Rate,
    rounding: Literal["cents", "dollars"] = "cents",
    include_cash: bool = True,
) -> ValueEstimate:
    """Estimate what a portfolio is worth at prices that you give, and after a fall. It looks up no position and no
    price, and is no part of a file.

    Args:
        account_id: The account that is talked about.
        share_prices: Prices, in dollars.
        share_counts: Shares at each price, in the same order.
        cash_on_hand: Cash, in dollars.
        assumed_fall_percent: How far prices are assumed to fall.
        rounding: To cents or to whole dollars.
        include_cash: Whether cash is counted.
    """
    account_of(bank, account_id)
    if len(share_prices) != len(share_counts):
        raise invalid("share_counts", f"expected {len(share_prices)} counts, got {len(share_counts)}")
    shares = sum(to_cents(price) * count for price, count in zip(share_prices, share_counts, strict=True))
    cash = to_cents(cash_on_hand) if include_cash else 0
    left = divide_half_up(shares * (_WHOLE - round(assumed_fall_percent * 1000)), _WHOLE)
    unit = 100 if rounding == "dollars" else 1
    found = [divide_half_up(value + cash, unit) * unit for value in (shares, left)]
    return ValueEstimate(estimated_value=usd(found[0]), value_after_fall=usd(found[1]))


class SalePreview(Result):
    """Estimated proceeds of a sale before and after tax at an average cost."""

    estimated_result: SignedMoney
    estimated_tax: Money
    proceeds: Money


@tool(category=Category.AUXILIARY)
def preview_sale_result(
    bank: Bank,
    shares: Shares,
    assumed_price: Money,
    average_cost: Money,
    assumed_tax_percent: Rate,
    held_over_a_year: bool = False,
    other_gains: SignedMoney = 0.0,
    order_fee: Money = 0.0,
) -> SalePreview:
    """Preview what a sale might bring at an average cost. It chooses no lots, knows no holding period and no wash sale,
    and is no part of a file.

    Args:
        shares: Shares that might be sold.
        assumed_price: Price of a share, in dollars.
        average_cost: Average cost of a share, in dollars.
        assumed_tax_percent: Assumed tax on a gain.
        held_over_a_year: Whether only half of that tax is assumed.
        other_gains: Gains, or losses below 0, of the year so far.
        order_fee: Fee that is taken off the proceeds.
    """
    price, cost, fee = to_cents(assumed_price), to_cents(average_cost), to_cents(order_fee)
    result = shares * (price - cost) - fee
    taxed = max(0, result + to_cents(other_gains)) - max(0, to_cents(other_gains))
    tax = divide_half_up(max(0, taxed) * round(assumed_tax_percent * 1000), _WHOLE * (2 if held_over_a_year else 1))
    proceeds = max(0, shares * price - fee)
    return SalePreview(estimated_result=usd(result), estimated_tax=usd(tax), proceeds=usd(proceeds))


class MarginEstimate(Result):
    """Equity in percent of the value, and how far the value may fall until it meets the rate assumed."""

    equity_percent: Percent
    fall_until_call_percent: Percent


@tool(category=Category.AUXILIARY)
def estimate_margin_room(
    bank: Bank,
    account_id: AccountId,
    market_value: Money,
    loan_balance: Money,
    flat_rate_percent: Rate,
    planned_purchase: Money = 0.0,
    planned_withdrawal: Money = 0.0,
    minimum_equity: Money = 0.0,
) -> MarginEstimate:
    """Estimate the room of a margin account at one flat rate for all positions. It knows no margin classes, no interest
    and no pending items, makes no call, and is no part of a file.

    Args:
        account_id: The account that is talked about.
        market_value: Value of all positions, in dollars.
        loan_balance: What is borrowed, in dollars.
        flat_rate_percent: Rate assumed for all positions.
        planned_purchase: A purchase on credit that is thought of.
        planned_withdrawal: A withdrawal that is thought of.
        minimum_equity: Equity that must stay whatever the rate.
    """
    account_of(bank, account_id)
    value = to_cents(market_value) + to_cents(planned_purchase)
    debt = to_cents(loan_balance) + to_cents(planned_purchase) + to_cents(planned_withdrawal)
    if value == 0 or debt > value:
        raise invalid("market_value", "expected a value above 0 that is not less than what is borrowed")
    rate = round(flat_rate_percent * 1000)
    if rate >= _WHOLE:
        raise invalid("flat_rate_percent", "expected less than 100")
    lowest = max(-(-debt * _WHOLE // (_WHOLE - rate)), debt + to_cents(minimum_equity))
    return MarginEstimate(
        equity_percent=percent(value - debt, value), fall_until_call_percent=percent(max(0, value - lowest), value)
    )


class PayoutPlan(Result):
    """A payout spread over periods, and the balance that would be left."""

    payout_each: Money
    balance_left: SignedMoney


@tool(category=Category.AUXILIARY)
def plan_retirement_payouts(
    bank: Bank,
    account_type: AccountType,
    balance: Money,
    payout_years: Annotated[int, Meta(ge=1, le=50)],
    payouts_a_year: Literal[1, 2, 4, 12],
    assumed_growth_percent: Rate,
    first_payout: date,
    years_shown: Annotated[int, Meta(ge=1, le=50)],
) -> PayoutPlan:
    """Plan even payouts from a balance for a first conversation. It uses no divisor table and no age, does not say what
    is required, and is no part of a file.

    Args:
        account_type: Kind of account that is talked about; custodial accounts have no such plan.
        balance: Balance to begin with, in dollars.
        payout_years: Over how many years it is paid out.
        payouts_a_year: Payouts a year.
        assumed_growth_percent: Growth a year of what is left, added at the end of each year.
        first_payout: Day of the first one; not before the business date.
        years_shown: After how many years the balance is shown; not more than payout_years.
    """
    if account_type == "custodial":
        raise invalid("account_type", "a custodial account has no payout plan")
    if first_payout < bank.today:
        raise invalid("first_payout", f"expected the business date {bank.today} or later, got {first_payout}")
    if years_shown > payout_years:
        raise invalid("years_shown", f"expected at most {payout_years}, got {years_shown}")
    each = to_cents(balance) // (payout_years * payouts_a_year)
    left = to_cents(balance)
    for _ in range(years_shown):
        left -= each * payouts_a_year
        left += divide_half_up(max(0, left) * round(assumed_growth_percent * 1000), _WHOLE)
    return PayoutPlan(payout_each=usd(each), balance_left=usd(left))


class QuizResult(Result):
    """A word for an attitude to risk, and the share of the answers that are bold."""

    attitude: Literal["careful", "even", "bold"]
    bold_share_percent: Percent


@tool(category=Category.AUXILIARY)
def score_risk_quiz(
    bank: Bank,
    sleep_answer: Points,
    surprise_answer: Points,
    news_answer: Points,
    patience_answer: Points,
    spending_answer: Points,
    goal_answer: Points,
    language: Literal["english", "spanish"] = "english",
) -> QuizResult:
    """Score the risk quiz of the client magazine: six answers from 0 to 20. It is no questionnaire, sets no risk
    profile, and is no part of a file.

    Args:
        sleep_answer: How well one sleeps after a bad week.
        surprise_answer: How one takes surprises.
        news_answer: How little the news matters.
        patience_answer: How long one can wait.
        spending_answer: How freely one spends.
        goal_answer: How far the goal is.
        language: Language of the quiz sheet; in the Spanish one the patience answer runs the other way.
    """
    patience = 20 - patience_answer if language == "spanish" else patience_answer
    answers = (sleep_answer, surprise_answer, news_answer, patience, spending_answer, goal_answer)
    share = percent(sum(answers), 20 * len(answers))
    attitude: Literal["careful", "even", "bold"] = "careful" if share < 35 else "bold" if share > 65 else "even"
    return QuizResult(attitude=attitude, bold_share_percent=share)
