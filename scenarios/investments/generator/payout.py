"""Generated withdrawals from margin accounts and distributions from retirement accounts."""

from __future__ import annotations

from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.investments.generator.accounts import cash_items
from teller_gym.scenarios.investments.generator.case import Making, blank_request
from teller_gym.scenarios.investments.generator.market import add_year_end, hold, price_of, some_holdings, symbols
from teller_gym.scenarios.investments.solver import margin_class
from teller_gym.tools.bank import Record

_METHODS = ("wire", "ach", "ach", "check")


def make_withdrawal(case: Making) -> Record:
    """Add the records of a withdrawal; return the instruction."""
    draw, account = case.draw, case.account
    _margin_positions(case)
    if draw.chance(0.5):
        other = case.add_linked("self", "individual", purpose="self_own")
        some_holdings(draw, case.policy, case.plan, case.tables, other, 2)
    market, required = _requirement(case)
    initial = (market * case.policy.initial_rate + 5_000) // 10_000
    asked = draw.steps(100_000, 1_500_000, 25_000)
    binding, least = max(required, initial), case.policy.min_payment
    match case.plan.carried:
        case "withdrawal_adjust":
            free = draw.integer(max(least + 2_000, asked // 3), asked - 3_000)
        case "withdrawal_nothing":
            if required >= initial - 60_000:
                raise NoCaseError
            free = draw.choice((-draw.integer(2_000, initial - required - 30_000), draw.integer(500, least - 200)))
        case "withdrawal_call":
            free = required - binding - draw.integer(20_000, max(40_000, market // 12))
        case _:
            free = asked + draw.integer(1_000, 900_000)
    debit = market - binding - free
    account["cash_balance"] = 0
    account["cash_items"] = cash_items(draw, case.policy, case.plan, case.days_ahead(1, 1, 2))
    pending = sum(item["amount"] for item in account["cash_items"] if item["kind"] == "pending_withdrawal")
    interest = draw.integer(900, 19_000) if draw.chance(0.75) else 0
    if debit - pending - interest < 100_000:
        raise NoCaseError
    account["accrued_interest"], account["margin_debit"] = interest, debit - pending - interest
    return {**blank_request(), "amount": asked, "payment_method": draw.choice(_METHODS)}


def _margin_positions(case: Making) -> None:
    draw, tables = case.draw, case.tables
    pool = symbols(tables, "stock", "index_fund", "sector_fund", "bond_fund")
    low = [key for key in ("UPML", "VLTR") if draw.chance(0.65)]
    chosen = low + (["ALVX"] if draw.chance(0.6) else [])
    others = [key for key in pool if key not in ("UPML", "VLTR")]
    for _ in range(draw.integer(2, 4)):
        chosen.append(others.pop(draw.integer(0, len(others) - 1)))
    big = draw.choice(chosen) if draw.chance(0.75) else ""
    for symbol in chosen:
        price = price_of(case.policy, case.plan, tables, symbol)
        value = draw.integer(4_200_000, 7_500_000) if symbol == big else draw.integer(500_000, 2_200_000)
        step = 100 if price < 1000 else 5
        hold(draw, tables, case.account_id, symbol, max(step, value // price // step * step))


def _requirement(case: Making) -> tuple[int, int]:
    """Calculate the market value and the maintenance requirement of the account's positions."""
    policy, tables = case.policy, case.tables
    rows = []
    for row in tables["positions"].values():
        if row["account_id"] == case.account_id:
            price = price_of(policy, case.plan, tables, row["symbol"])
            kind = tables["instruments"][row["symbol"]]["kind"]
            rows.append({"price": price, "kind": kind, "value": row["quantity"] * price})
    market = sum(row["value"] for row in rows)
    weighted = sum(row["value"] * policy.margin_rates[margin_class(policy, row, market)] for row in rows)
    return market, (2 * weighted + 10_000) // 20_000


def make_distribution(case: Making) -> Record:
    """Add the records of a distribution; return the instruction."""
    draw, account = case.draw, case.account
    birth = case.owners[0].born
    for purpose, relation, account_type, status, chance in (
        ("self_sep", "self", "sep_ira", "open", 0.6),
        ("self_second", "self", "traditional_ira", "open", 0.5),
        ("self_roth", "self", "roth_ira", "open", 0.5),
        ("self_inherited", "self", "inherited_ira", "open", 0.45),
        ("spouse_ira", "spouse", "traditional_ira", "open", 0.5),
        ("self_closed", "self", "traditional_ira", "closed", 0.4),
    ):
        if draw.chance(chance):
            key = case.add_linked(relation, account_type, status=status, purpose=purpose)
            if status == "open":
                some_holdings(draw, case.policy, case.plan, case.tables, key, draw.integer(1, 2))
    some_holdings(draw, case.policy, case.plan, case.tables, case.account_id, draw.integer(2, 4))
    account["cash_items"] = cash_items(draw, case.policy, case.plan, case.days_ahead(1, 1, 2, 3))
    for key in (case.account_id, *case.linked.values()):
        add_year_end(draw, case.policy, case.plan, case.tables, key)
    age = case.plan.today.year - birth.year
    counted = [account, *(case.record(key) for name, key in case.linked.items() if name in ("self_sep", "self_second"))]
    remaining = 0
    if age >= case.policy.distribution_age:
        balance = sum(row["prior_year_end_value"] + row["rollover_in_transit"] for row in counted)
        divisor = case.policy.divisors[age]
        remaining = (200 * balance + divisor) // (2 * divisor) - sum(row["distributions_this_year"] for row in counted)
    asked = _asked(case, remaining)
    needed, least = max(asked, remaining), case.policy.min_payment
    match case.plan.carried:
        case "distribution_short":
            free = draw.integer(max(2 * least, needed // 4), needed - 2_000)
        case "distribution_nothing":
            free = draw.choice((draw.integer(-60_000, 0), draw.integer(500, least - 100)))
        case _:
            free = needed + draw.integer(1_000, 700_000)
    debits = sum(
        item["amount"] for item in account["cash_items"] if item["kind"] in ("open_buy_order", "pending_withdrawal")
    )
    if free + debits < 0:
        raise NoCaseError
    account["cash_balance"] = free + debits
    return {**blank_request(), "amount": asked, "payment_method": draw.choice(_METHODS)}


def _asked(case: Making, remaining: int) -> int:
    """Draw the requested amount: below the required distribution if it is to be raised, otherwise usually above."""
    draw = case.draw
    if case.plan.carried == "distribution_raised" or (case.plan.carried != "distribution_proceed" and draw.chance(0.5)):
        if remaining < 200_000:
            if case.plan.carried == "distribution_raised":
                raise NoCaseError
            return draw.steps(100_000, 900_000, 25_000)
        return max(50_000, draw.steps(remaining // 6, remaining - 60_000, 5_000))
    if remaining > 0:
        return -(-int(remaining * draw.real(1.0, 1.5)) // 50_000) * 50_000
    return draw.steps(100_000, 1_200_000, 25_000)
