"""Tool for the insurance coverage of a depositor."""

from __future__ import annotations

from typing import Annotated

from teller_gym.base.errors import invalid
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId, CustomerId
from teller_gym.scenarios.banking.lookup import customer
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.scenarios.savings.tools.lookup import deposit, policy_of, savings_request
from teller_gym.scenarios.savings.tools.types import Count, RequestId
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool


class Coverage(Result):
    """Insured and uninsured parts of a depositor's money."""

    insured_amount: Money
    uninsured_amount: Money


def insured(policy: SavingsPolicy, totals: tuple[int, int, int], trust: int, beneficiaries: int) -> int:
    """Return the insured amount in cents.

    Each total is insured up to one limit, the trust total up to one limit for each beneficiary.
    """
    limit = policy.insured_amount
    return sum(min(total, limit) for total in totals) + min(
        trust, limit * min(beneficiaries, policy.most_beneficiaries)
    )


@tool(act=Act.REVISABLE)
def calculate_coverage(
    bank: Bank,
    request_id: RequestId,
    customer_id: CustomerId,
    accounts_counted: Annotated[list[AccountId], ONCE],
    single_total: Money,
    joint_total: Money,
    retirement_total: Money,
    trust_total: Money,
    trust_beneficiaries: Count,
) -> Coverage:
    """Work out what of a depositor's money is insured, by category of ownership. Into which category a balance belongs
    is for the caller to judge.

    Args:
        request_id: The request.
        customer_id: The depositor.
        accounts_counted: The accounts whose balances are in the totals.
        single_total: Balances in single ownership, in dollars.
        joint_total: The depositor's shares of joint accounts, in dollars.
        retirement_total: Retirement accounts, in dollars.
        trust_total: Trust accounts, in dollars.
        trust_beneficiaries: Their different living beneficiaries; 0 if there is no trust account.
    """
    savings_request(bank, request_id)
    customer(bank, customer_id)
    for account_id in accounts_counted:
        deposit(bank, account_id)
    if (trust_total > 0) != (trust_beneficiaries > 0):
        raise invalid("trust_beneficiaries", "expected beneficiaries if and only if there is a trust balance")
    totals = (to_cents(single_total), to_cents(joint_total), to_cents(retirement_total))
    trust = to_cents(trust_total)
    covered = insured(policy_of(bank), totals, trust, trust_beneficiaries)
    found = {
        "customer": customer_id,
        "accounts": sorted(accounts_counted),
        "totals": [*totals, trust],
        "beneficiaries": trust_beneficiaries,
        "insured": covered,
    }
    bank.put("coverages", bank.reference("CV", request_id, customer_id), {"owner": request_id, **found})
    return Coverage(insured_amount=usd(covered), uninsured_amount=usd(sum(totals) + trust - covered))
