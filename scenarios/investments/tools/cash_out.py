"""Margin requirements, transfers in, and required distributions."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId
from teller_gym.scenarios.banking.lookup import check_code, created
from teller_gym.scenarios.investments.tools.lookup import opened_request, own_account, policy_of, require_linked
from teller_gym.scenarios.investments.tools.types import ClearingNumber, RequestId, Symbol, TaxYear
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool

Age = Annotated[int, Meta(ge=1, le=130)]
Divisor = Annotated[float, Meta(ge=1, le=60, extra={"unit": "percent"})]
_WHOLE = 10_000


class MarginRequirement(Result):
    """Equity, the requirement for the positions, any deficiency, and the amount that may be withdrawn."""

    equity: Annotated[float, Meta(extra={"unit": "usd"})]
    maintenance_requirement: Money
    margin_deficiency: Money
    withdrawable_amount: Money


@tool(act=Act.REVISABLE)
def calculate_margin_requirement(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    debit_balance: Money,
    full_value: Money,
    leveraged_value: Money,
    concentrated_value: Money,
    standard_value: Money,
) -> MarginRequirement:
    """Work out what the positions of a margin account require, and what may be withdrawn, at the policy's rates.

    Args:
        request_id: The request.
        account_id: The margin account.
        debit_balance: The debit, in dollars.
        full_value: Value of the positions of class full, in dollars.
        leveraged_value: Value of those of class leveraged.
        concentrated_value: Value of those of class concentrated.
        standard_value: Value of all others.
    """
    case = opened_request(bank, request_id)
    account = own_account(bank, case, account_id)
    if account["account_type"] != "margin":
        raise invalid("account_id", f"{account_id} is no margin account")
    policy = policy_of(bank)
    values = {
        "full": to_cents(full_value), "leveraged": to_cents(leveraged_value),
        "concentrated": to_cents(concentrated_value), "standard": to_cents(standard_value),
    }  # fmt: skip
    debit, market = to_cents(debit_balance), sum(values.values())
    required = divide_half_up(sum(value * policy.margin_rates[name] for name, value in values.items()), _WHOLE)
    equity = market - debit
    initial = divide_half_up(market * policy.initial_rate, _WHOLE)
    deficiency = max(0, required - equity)
    free = max(0, equity - max(required, initial))
    created(bank, "margins", "MA", request_id, debit=debit, **values)
    bank.update("requests", request_id, margin_deficiency=deficiency, withdrawable_amount=free)
    return MarginRequirement(
        equity=usd(equity),
        maintenance_requirement=usd(required),
        margin_deficiency=usd(deficiency),
        withdrawable_amount=usd(free),
    )


class TransferCheck(Result):
    """Verdict on a transfer, and the total of its cash and in-kind assets, 0 if it is rejected."""

    transfer_status: Literal["accepted", "rejected"]
    transfer_value: Money


@tool(act=Act.REVISABLE)
def validate_transfer(
    bank: Bank,
    request_id: RequestId,
    account_id: AccountId,
    clearing_number: ClearingNumber,
    title_matches: bool,
    type_matches: bool,
    tax_id_matches: bool,
    in_kind_assets: Annotated[list[Symbol], ONCE],
    liquidated_assets: Annotated[list[Symbol], ONCE],
    left_assets: Annotated[list[Symbol], ONCE],
) -> TransferCheck:
    """Put down how another firm's statement compares with our registration, and what becomes of each asset. The
    value that it shows is that of the assets in kind and the cash. It asks for no transfer yet.

    Args:
        request_id: The request.
        account_id: The account that receives.
        clearing_number: Clearing number of the other firm.
        title_matches: Whether both titles name the same persons.
        type_matches: Whether both accounts are of the same type.
        tax_id_matches: Whether the last four of the tax numbers are equal.
        in_kind_assets: Ids of the assets that move as they are.
        liquidated_assets: Ids of the assets that are sold at the other firm.
        left_assets: Ids of the assets that stay there.
    """
    case = opened_request(bank, request_id)
    own_account(bank, case, account_id)
    statement = bank.get("statements", request_id)
    if statement is None:
        raise invalid("request_id", f"{request_id} has no statement of another firm")
    check_code("clearing_number", clearing_number, policy_of(bank).clearing_numbers.values())
    assets = {row["asset_id"]: row["value"] for row in statement["assets"]}
    if sorted([*in_kind_assets, *liquidated_assets, *left_assets]) != sorted(assets):
        raise invalid("in_kind_assets", "expected each asset of the statement in one of the three lists")
    accepted = title_matches and type_matches and tax_id_matches
    value = sum(assets[key] for key in in_kind_assets) + statement["cash"] if accepted else 0
    lists = {"in_kind": sorted(in_kind_assets), "liquidated": sorted(liquidated_assets), "left": sorted(left_assets)}
    same = {"title": title_matches, "type": type_matches, "tax_id": tax_id_matches}
    status: Literal["accepted", "rejected"] = "accepted" if accepted else "rejected"
    created(bank, "transfers", "TR", request_id, status=status, firm=clearing_number, **lists, **same)
    bank.update("requests", request_id, transfer_value=value)
    return TransferCheck(transfer_status=status, transfer_value=usd(value))


class RequiredDistribution(Result):
    """The year's required minimum distribution for all accounts together, and the part not yet taken."""

    required_distribution: Money
    remaining_distribution: Money


@tool(act=Act.REVISABLE)
def calculate_required_distribution(
    bank: Bank,
    request_id: RequestId,
    tax_year: TaxYear,
    account_ids: Annotated[list[AccountId], ONCE],
    age_reached: Age,
    divisor: Divisor,
    year_end_balance: Money,
    taken_this_year: Money,
) -> RequiredDistribution:
    """Work out the year's required minimum distribution and what is left of it.

    Args:
        request_id: The request.
        tax_year: The year for which it is required.
        account_ids: The accounts that are taken together.
        age_reached: Age that the owner reaches in that year.
        divisor: Divisor for that age.
        year_end_balance: Balance of these accounts at the end of the year before, in dollars.
        taken_this_year: What was distributed from them in that year already, in dollars.
    """
    case = opened_request(bank, request_id)
    require_linked(bank, case, account_ids, "account_ids")
    taken = to_cents(taken_this_year)
    required = divide_half_up(to_cents(year_end_balance) * 100, round(divisor * 100))
    remaining = max(0, required - taken)
    figures = {"year": tax_year, "age": age_reached, "divisor": divisor, "required": required, "taken": taken}
    created(bank, "required", "RD", request_id, accounts=sorted(account_ids), **figures)
    bank.update("requests", request_id, remaining_distribution=remaining)
    return RequiredDistribution(required_distribution=usd(required), remaining_distribution=usd(remaining))
