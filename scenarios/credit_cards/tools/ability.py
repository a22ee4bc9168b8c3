"""Tool for the ability to pay: compares the monthly cost of a fully used limit with income and obligations."""

from __future__ import annotations

from bisect import bisect
from fractions import Fraction
from typing import Annotated

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, exact, percent, to_cents, usd
from teller_gym.scenarios.banking.lookup import created, too_early
from teller_gym.scenarios.banking.parties import parties
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.scenarios.credit_cards.tools.lookup import REPORT, policy_of, request
from teller_gym.scenarios.credit_cards.tools.types import ReportId, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Percent, Result, tool

_DAYS = 30


class Ability(Result):
    """Result of the comparison. ``largest_limit`` is the largest affordable limit up to the proposed one, or 0."""

    assumed_payment: Money
    dti_percent: Percent
    within_limit: bool
    largest_limit: Money


@tool(act=Act.REVISABLE)
def assess_ability_to_pay(
    bank: Bank,
    request_id: RequestId,
    report_ids: Annotated[list[ReportId], ONCE],
    monthly_income: Money,
    monthly_housing_cost: Money,
    monthly_obligations: Money,
    proposed_limit: Money,
    product_rate: Percent,
) -> Ability:
    """Compare the debt-to-income ratio under the assumed payment of a credit limit with the bank's limit.

    Args:
        request_id: The request.
        report_ids: The reports of all applicants or holders.
        monthly_income: Counted income a month, in dollars.
        monthly_housing_cost: Rent or mortgage a month, in dollars.
        monthly_obligations: Counted monthly obligations from the reports, in dollars.
        proposed_limit: The limit to be judged, in dollars.
        product_rate: Yearly rate of purchases of the product, in percent.
    """
    case = request(bank, request_id)
    for customer_id in parties(case):
        key = bank.reference(REPORT.prefix, customer_id)
        if bank.get(REPORT.table, key) is None:
            raise too_early(f"there is no report of {customer_id} yet; pull_credit_report comes first")
        if key not in report_ids:
            raise invalid("report_ids", f"the report of {customer_id} is missing")
    income, housing, obligations, limit = map(
        to_cents, (monthly_income, monthly_housing_cost, monthly_obligations, proposed_limit)
    )
    if income <= 0:
        raise invalid("monthly_income", "expected more than 0, there is nothing to compare with")
    policy, rate = policy_of(bank), exact(product_rate)

    def burden(amount: int) -> int:
        return housing + obligations + assumed_payment(policy, amount, rate)

    def carried(amount: int) -> bool:
        return burden(amount) * 10_000 <= policy.max_dti * income

    within = carried(limit)
    largest = limit
    if not within:
        # A larger limit never has a lower payment, so the limits can be bisected.
        steps = range(0, limit + 1, policy.limit_step)
        largest = steps[max(0, bisect(steps, False, key=lambda amount: not carried(amount)) - 1)]
    created(
        bank, "assessments", "AB", request_id,
        reports=sorted(report_ids), income=income, housing=housing, obligations=obligations, limit=limit,
        rate=product_rate,
    )  # fmt: skip
    return Ability(
        assumed_payment=usd(assumed_payment(policy, limit, rate)),
        dti_percent=min(percent(burden(limit), income), 1000.0),
        within_limit=within,
        largest_limit=usd(largest),
    )


def assumed_payment(policy: CardPolicy, limit: int, rate: Fraction) -> int:
    """Return the minimum payment on a fully used limit after a month of 30 days, in cents.

    Args:
        policy: The bank's policy.
        limit: The limit in cents.
        rate: The yearly rate in percent.
    """
    interest = divide_half_up(limit * rate.numerator * _DAYS, rate.denominator * 36_500)
    share = divide_half_up(limit * policy.minimum_share, 10_000)
    return min(limit + interest, max(policy.minimum_floor, share + interest)) if limit else 0
