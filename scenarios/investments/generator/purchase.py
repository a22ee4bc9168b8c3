"""Generated purchases: questionnaires, portfolio, cash, and an order that meets its limits as planned."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.banking.generator.words import words_of
from teller_gym.scenarios.investments.generator.accounts import cash_items
from teller_gym.scenarios.investments.generator.case import Making, blank_request
from teller_gym.scenarios.investments.generator.market import hold, price_of, some_holdings, symbols
from teller_gym.scenarios.investments.solver import rank_of
from teller_gym.tools.bank import Record

_CASH = {"purchase_no_cash": (60_000, 900_000), "purchase_cash": (600_000, 3_200_000)}
"""Range of cash, in cents, for endings in which it is short."""


def make_purchase(case: Making) -> Record:
    """Add the records of a purchase; return the instruction."""
    draw = case.draw
    _add_accounts(case)
    answers = _add_questionnaires(case)
    rank = rank_of(case.policy, answers)
    symbol = _product(case, rank)
    item = case.tables["instruments"][symbol]
    issuer_mates = [key for key, other in case.tables["instruments"].items() if other["issuer"] == item["issuer"]]
    counted = [case.account_id, *(key for name, key in case.linked.items() if name in ("self_own", "joint_own"))]
    for key in issuer_mates:
        if draw.chance(0.8):
            full = case.plan.has("purchase_no_room")
            _hold_some(case, draw.choice(counted), key, 150_000, 6_500_000 if full else 1_100_000)
    outside = [key for key in case.linked.values() if key not in counted]
    if outside and draw.chance(0.6):
        _hold_some(case, draw.choice(outside), draw.choice(issuer_mates), 200_000, 900_000)
    if draw.chance(0.6):
        hold(draw, case.tables, draw.choice(counted), "KSMM", draw.steps(1500, 14000, 50))
    return {**blank_request(), "symbol": symbol, "quantity": _quantity(case, symbol, answers, rank, counted)}


def _hold_some(case: Making, account_id: str, symbol: str, low: int, high: int) -> None:
    price = price_of(case.policy, case.plan, case.tables, symbol)
    taken = [(row["account_id"], row["symbol"]) for row in case.tables["positions"].values()]
    if (account_id, symbol) not in taken:
        hold(case.draw, case.tables, account_id, symbol, max(5, case.draw.integer(low, high) // price // 5 * 5))


def _add_accounts(case: Making) -> None:
    draw = case.draw
    for purpose, relation, account_type, status, chance in (
        ("self_own", "self", "traditional_ira", "open", 0.6),
        ("joint_own", "joint", "joint", "open", 0.5),
        ("self_closed", "self", "individual", "closed", 0.45),
        ("spouse_own", "spouse", "roth_ira", "open", 0.5),
        ("custodian_own", "custodian", "custodial", "open", 0.45),
    ):
        if draw.chance(chance):
            key = case.add_linked(relation, account_type, status=status, purpose=purpose)
            some_holdings(draw, case.policy, case.plan, case.tables, key, draw.integer(1, 3))
    some_holdings(draw, case.policy, case.plan, case.tables, case.account_id, draw.integer(3, 5))
    account = case.account
    low, high = _CASH.get(case.plan.ending, (900_000, 4_800_000))
    account["cash_balance"] = draw.integer(low, high)
    account["cash_items"] = cash_items(draw, case.policy, case.plan, case.days_ahead(1, 2, 2, 3))


def _add_questionnaires(case: Making) -> Record:
    """Add a signed questionnaire, often an older one and a draft; return the one that counts."""
    draw, plan, policy = case.draw, case.plan, case.policy
    most = policy.questionnaire_max_age_days
    if plan.has("purchase_expired"):
        age = most + draw.choice((1, 1, 2, 5, 30, 120))
    else:
        age = most if draw.chance(0.25) else draw.integer(5, most)
    rows = [_answers(draw, "signed", plan.today - timedelta(days=age), plan.has("purchase_unsuitable"))]
    current = rows[0]
    if draw.chance(0.6):
        older = age + draw.integer(20, 700)
        rows.append(_answers(draw, "signed", plan.today - timedelta(days=older)))
    if draw.chance(0.6):
        rows.append(_answers(draw, "draft", plan.today - timedelta(days=draw.integer(1, min(age - 1, 60)))))
    for row in rows:
        row["monthly_expenses"] = draw.steps(220_000, 690_000, 5_000)
    case.account["questionnaires"] = sorted(rows, key=lambda row: str(row["questionnaire_id"]))
    return current


def _answers(draw: Draw, state: str, dated: object, careful: bool = False) -> Record:
    """Draw a questionnaire, sometimes with an objective or horizon that is more cautious than the other answers."""
    binding = draw.weighted((("horizon", 1), ("", 1)) if careful else (("objective", 3), ("horizon", 2), ("", 4)))
    bold = bool(binding)
    losses = ("hold", "buy_more") if bold else ("sell_all", "sell_some", "hold", "hold", "buy_more")
    objectives = {
        "objective": ("preservation", "income", "income"),
        "horizon": ("income", "growth", "growth", "speculation"),
        "": ("preservation", "income", "growth", "growth", "speculation"),
    }
    horizons = {"objective": (7, 8, 11, 12, 15, 20), "horizon": (1, 2, 2), "": (1, 2, 3, 4, 6, 7, 8, 11, 12, 15, 20)}
    return {
        "questionnaire_id": draw.identifier("QN"),
        "state": state,
        "dated": str(dated),
        "horizon_years": draw.choice(horizons[binding]),
        "loss_answer": draw.choice(losses),
        "experience": draw.choice(("shares", "options") if bold else ("none", "funds", "shares", "options")),
        "income_outlook": draw.choice(("steady", "rising") if bold else ("uncertain", "steady", "rising")),
        "liquid_share_percent": draw.choice((19, 20, 35, 49, 50, 60) if bold else (8, 15, 19, 20, 25, 35, 49, 50, 80)),
        "objective": draw.choice(objectives[binding]),
        "monthly_expenses": 0,
        "remark": draw.choice(words_of(__package__)["questionnaire_remarks"]) if draw.chance(0.4) else None,
    }


def _product(case: Making, rank: int) -> str:
    """Draw the security to order, as risky as the profile allows, or riskier if planned."""
    classes, highest = case.policy.risk_classes, case.policy.profiles[rank].max_risk_class
    unsuitable = case.plan.has("purchase_unsuitable")
    kinds = [kind for kind, number in classes.items() if (number > highest) == unsuitable and kind != "money_market"]
    if not unsuitable and case.draw.chance(0.6):
        kinds = [kind for kind in kinds if classes[kind] == highest] or kinds
    if unsuitable and case.draw.chance(0.7):
        nearest = min(classes[kind] for kind in kinds)
        kinds = [kind for kind in kinds if classes[kind] == nearest]
    return _of_large_issuers(case, symbols(case.tables, *kinds))


def _of_large_issuers(case: Making, choice: list[str]) -> str:
    """Draw a security, preferring issuers with several securities if the issuer's limit applies."""
    items, limits = case.tables["instruments"], case.policy.limit_kinds
    issuers = [item["issuer"] for item in items.values()]
    large = [
        key for key in choice if limits[items[key]["kind"]] == "issuer" and issuers.count(items[key]["issuer"]) > 1
    ]
    return case.draw.choice(large if large and case.draw.chance(0.75) else choice)


def _quantity(case: Making, symbol: str, answers: Record, rank: int, counted: list[str]) -> int:
    """Draw the number of shares for which cash or concentration binds as planned.

    Raises:
        NoCaseError: no number of shares gives the planned ending.
    """
    draw, price = case.draw, price_of(case.policy, case.plan, case.tables, symbol)
    profile, item = case.policy.profiles[rank], case.tables["instruments"][symbol]
    rows = [row for row in case.tables["positions"].values() if row["account_id"] in counted]
    value = dict.fromkeys(counted, 0)
    held = market = 0
    by_issuer = case.policy.limit_kinds[item["kind"]] == "issuer"
    for row in rows:
        other = case.tables["instruments"][row["symbol"]]
        worth = row["quantity"] * price_of(case.policy, case.plan, case.tables, row["symbol"])
        value[row["account_id"]] += worth
        same = other["issuer"] == item["issuer"] if by_issuer else row["symbol"] == symbol
        held += worth if same else 0
        market += worth if other["kind"] == "money_market" else 0
    cash = {key: case.record(key)["cash_balance"] for key in counted}
    portfolio = sum(value.values()) + sum(cash.values())
    limit: int = profile.issuer_limit if by_issuer else profile.fund_limit
    room: int = (limit * portfolio // 10_000 - held) // price
    reserve = max(
        0, answers["monthly_expenses"] * profile.reserve_months - market - sum(cash.values()) + cash[case.account_id]
    )
    free: int = (_available(case) - reserve - case.policy.order_fee) // price
    step = 100 if price < 1_000 else 5 if price < 10_000 else 1
    match case.plan.carried:
        case "purchase_concentration":
            if not (10 <= room <= free):
                raise NoCaseError
            return int(room * draw.real(1.06, 1.9)) // step * step + step
        case "purchase_cash":
            if not (10 <= free < room):
                raise NoCaseError
            top = room if draw.chance(0.5) else int(room * 1.5)
            return max(free + step, int(free + (top - free) * draw.real(0.1, 1.0)) // step * step)
        case "purchase_no_room":
            if room > 0 or free < 10:
                raise NoCaseError
            return max(step, draw.integer(200_000, 1_500_000) // price // step * step)
        case "purchase_no_cash":
            if free > 0 or room < 10:
                raise NoCaseError
            return max(step, draw.integer(200_000, 1_500_000) // price // step * step)
        case "purchase_proceed":
            if min(room, free) < 10:
                raise NoCaseError
            return max(step, int(min(room, free) * draw.real(0.6, 1.0)) // step * step)
        case _:
            return max(step, draw.integer(200_000, 1_500_000) // price // step * step)


def _available(case: Making) -> int:
    """Calculate the available cash before the reserve."""
    amount: int = case.account["cash_balance"]
    until = case.days_ahead(1)[0] if case.plan.trade_date == case.plan.today else case.days_ahead(2)[0]
    settled_only = any(
        row["kind"] == "settled_cash_only" and (row["until"] or "9") >= case.plan.today.isoformat()
        for row in case.account["restrictions"]
    )
    for item in case.account["cash_items"]:
        if item["kind"] in ("open_buy_order", "pending_withdrawal"):
            amount -= item["amount"]
        elif item["kind"] == "sale_proceeds" and item["settles_on"] <= until.isoformat() and not settled_only:
            amount += item["amount"]
    return amount
