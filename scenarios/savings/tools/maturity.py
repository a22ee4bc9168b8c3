"""Tools for the withdrawal and renewal of time deposits."""

from __future__ import annotations

from calendar import monthrange
from datetime import date

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.savings.tools.interest import interest_of
from teller_gym.scenarios.savings.tools.lookup import deposit, require_term, savings_request, worked_out_interest
from teller_gym.scenarios.savings.tools.types import AnchorDay, ChargeDays, InterestId, RequestId, Term, Waiver
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Act, Money, Percent, Result, tool


class WithdrawalAssessed(Result):
    """The charge on a withdrawal and the amount paid out."""

    charge: Money
    payout: Money


@tool(act=Act.REVISABLE)
def assess_withdrawal(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    interest_id: InterestId,
    withdrawn_amount: Money,
    accrued_interest: Money,
    annual_rate: Percent,
    charge_days: ChargeDays,
    waiver: Waiver,
) -> WithdrawalAssessed:
    """Work out the charge on a withdrawal from a time deposit, simple interest over 365 days, and what is paid out. It
    pays nothing out, and judges no waiver.

    Args:
        request_id: The request.
        account_id: The time deposit.
        interest_id: The interest that was worked out on the withdrawn amount.
        withdrawn_amount: The withdrawn amount in dollars; at most the principal.
        accrued_interest: Its interest in dollars.
        annual_rate: The deposit's rate in percent a year.
        charge_days: Days of interest that the charge table has for the deposit.
        waiver: Why nothing is charged; none if it is.
    """
    savings_request(bank, request_id)
    item = deposit(bank, account_id)
    require_term(item, account_id)
    worked_out_interest(bank, request_id, account_id, interest_id)
    amount = to_cents(withdrawn_amount)
    if not 0 < amount <= item["balance"]:
        raise invalid(
            "withdrawn_amount", f"expected more than 0 and at most {usd(item['balance'])}, got {withdrawn_amount}"
        )
    charge = interest_of(amount, annual_rate, charge_days, "simple", "actual_365") if waiver == "none" else 0
    payout = amount + to_cents(accrued_interest) - charge
    if payout < 0:
        raise invalid("charge_days", f"the charge would be more than the deposit, {charge_days} days")
    key = bank.reference("WA", request_id, account_id)
    bank.put(
        "withdrawals",
        key,
        {"owner": request_id, "account": account_id, "charge": charge, "payout": payout, "kind": waiver},
    )
    return WithdrawalAssessed(charge=usd(charge), payout=usd(payout))


def maturity_of(start: date, months: int, anchor_day: int) -> date:
    """Return the end of a term: the anchor day, or the last day of a shorter month."""
    year, month = divmod(12 * start.year + start.month - 1 + months, 12)
    return date(year, month + 1, min(anchor_day, monthrange(year, month + 1)[1]))


class MaturityScheduled(Result):
    """Principal and end of the new term."""

    new_principal: Money
    maturity_date: date


@tool(act=Act.REVISABLE)
def schedule_maturity(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    interest_id: InterestId,
    new_principal: Money,
    start_date: date,
    term_months: Term,
    anchor_day: AnchorDay,
    annual_rate: Percent,
) -> MaturityScheduled:
    """Set the new term of a time deposit and work out when it ends: on the anchor day, or on the last day of a month
    that has none.

    Args:
        request_id: The request.
        account_id: The time deposit.
        interest_id: The interest of the term that ends.
        new_principal: Principal of the new term in dollars.
        start_date: First day of the new term.
        term_months: How long it lasts.
        anchor_day: Day of the month on which the deposit's terms end.
        annual_rate: Rate of the new term in percent a year.
    """
    savings_request(bank, request_id)
    require_term(deposit(bank, account_id), account_id)
    worked_out_interest(bank, request_id, account_id, interest_id)
    if new_principal == 0:
        raise invalid("new_principal", "expected an amount above 0")
    matures = maturity_of(start_date, term_months, anchor_day)
    terms = {
        "principal": to_cents(new_principal),
        "start": start_date.isoformat(),
        "months": term_months,
        "matures": matures.isoformat(),
        "rate": annual_rate,
    }
    bank.put(
        "terms", bank.reference("TM", request_id, account_id), {"owner": request_id, "account": account_id, **terms}
    )
    return MaturityScheduled(new_principal=new_principal, maturity_date=matures)
