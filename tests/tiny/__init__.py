"""The small scenario Delays: compensation for a deposit that was credited late, with three tools and one decision."""

from datetime import date, timedelta
from typing import Any

from teller_gym import register_scenario
from teller_gym.base.money import divide_half_up, exact, round_half_up, to_cents, usd
from teller_gym.procedure.authoring import Bank, Scenario, Solution, Steps, Task, add_business_days, call, find, invalid
from teller_gym.tools.tool import Act, Money, Percent, Result, tool


class Loss(Result):
    """Interest, and the days for which it is paid."""

    interest: Money
    days: int


@tool(act=Act.FINAL)
def calculate_loss(
    bank: Bank, claim_id: str, amount: Money, since: date, until: date, rate: Percent, least: Money, most: Money
) -> Loss:
    """Calculate what a customer lost by a delay, as simple interest; a year has 365 days.

    Args:
        claim_id: The claim.
        amount: On how much, in dollars.
        since: First day that bears interest.
        until: Last day that bears interest.
        rate: Yearly rate in percent.
        least: Smallest interest that is paid, in dollars.
        most: Largest interest that is paid, in dollars.
    """
    find(bank, "claims", claim_id)
    if until < since:
        raise invalid("until", f"expected {since} or later, got {until}")
    days = (until - since).days + 1
    accrued = round_half_up(to_cents(amount) * exact(rate) * days / 36_500)
    interest = min(to_cents(most), max(to_cents(least), accrued))
    bank.update("claims", claim_id, accrued=interest)
    return Loss(interest=usd(interest), days=days)


def work(request: str, policy: Any) -> Steps:
    """Work the case by the SOP, from the tools' results."""
    claim_id = request.split()[-1].rstrip(".")
    claim = yield call("get_claim", claim_id=claim_id)
    days = {"since": claim["due_on"], "until": date.fromisoformat(claim["credited_on"]) - timedelta(days=1)}
    terms = {"amount": claim["deposit"], "rate": policy.rates[claim["account"]] / 100}
    limits = {"least": usd(policy.least_interest), "most": usd(policy.most_interest)}
    accrued = yield call("calculate_loss", claim_id=claim_id, **days, **terms, **limits)
    interest, late = to_cents(accrued["interest"]), accrued["days"] > policy.patience_days
    decision = "escalate" if interest > policy.escalate_above else "goodwill" if late else "pay"
    goodwill = divide_half_up(interest * policy.goodwill_percent[decision], 100)
    amounts = {"interest": usd(interest), "goodwill": usd(goodwill), "total": usd(interest + goodwill)}
    pay_on = add_business_days(date.fromisoformat(claim["asked_on"]), policy.business_days[decision], ())
    until = pay_on + timedelta(days=accrued["days"])
    yield call("submit_claim", claim_id=claim_id, decision=decision, **amounts, pay_on=pay_on, appeal_until=until)


def solve(task: Task, policy: Any) -> Solution:
    """Compute the outputs in closed form from the record."""
    claim = task.tables["claims"][task.case_id]
    due, credited, asked = (date.fromisoformat(claim[name]) for name in ("due_on", "credited_on", "asked_on"))
    yearly = claim["deposit"] * policy.rates[claim["account"]]  # in ten-thousandths of a cent
    accrued = divide_half_up(yearly * (credited - due).days, 365 * 10_000)
    interest = max(policy.least_interest, min(accrued, policy.most_interest))
    large, short = interest > policy.escalate_above, (credited - due).days <= policy.patience_days
    decision = "escalate" if large else "pay" if short else "goodwill"
    goodwill = divide_half_up(interest * policy.goodwill_percent[decision], 100)
    pay_on = add_business_days(asked, policy.business_days[decision], ())
    amounts = {"interest": usd(interest), "goodwill": usd(goodwill), "total": usd(interest + goodwill)}
    days = {"pay_on": pay_on.isoformat(), "appeal_until": (pay_on + (credited - due)).isoformat()}
    delay = "not_reached" if large else "short" if short else "long"
    branches = {"size": "large" if large else "small", "delay": delay, "account": claim["account"]}
    return Solution({"decision": decision, **amounts, **days}, branches)


def load() -> Scenario:
    """Build and check the scenario."""
    return Scenario(
        "delays", __name__, tools=[calculate_loss], read="get_claim", submit="submit_claim", expert=work, solver=solve
    )


register_scenario("delays", __name__)
