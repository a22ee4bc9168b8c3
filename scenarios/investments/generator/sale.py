"""Generated sales: lots of the account, and of the linked accounts."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import is_business_day
from teller_gym.scenarios.banking.generator.drafting import NoCaseError
from teller_gym.scenarios.investments.generator.case import Making, blank_request
from teller_gym.scenarios.investments.generator.market import hold, price_of, symbols
from teller_gym.tools.bank import Record

_YEAR, _RECENT = 365, 31
_PLEDGED = {"sale_proceed": 0.3, "sale_adjust": 0.45, "sale_refuse": 1.0}
"""Probability that a lot is pledged, except for lots bought in the last month."""
FIXED_HOLIDAYS = ((1, 1), (6, 19), (7, 4), (12, 25))
"""Month and day of holidays in years before the policy's list starts."""


def make_sale(case: Making) -> Record:
    """Add the records of a sale; return the instruction."""
    draw = case.draw
    symbol = draw.choice(symbols(case.tables, "stock", "index_fund", "sector_fund", "bond_fund"))
    price = price_of(case.policy, case.plan, case.tables, symbol)
    lots = _own_lots(case, symbol, price)
    hold(draw, case.tables, case.account_id, symbol, sum(lot["quantity"] for lot in lots.values()))
    _lots_around(case, symbol, price)
    usable = {key: lot for key, lot in lots.items() if not lot["pledged"]}
    free = sum(lot["quantity"] for lot in usable.values())
    every = sum(lot["quantity"] for lot in lots.values())
    match case.plan.carried:
        case "sale_adjust":
            if not 0 < free < every:
                raise NoCaseError
            asked = every if draw.chance(0.4) else draw.integer(free + 1, every)
        case "sale_refuse":
            asked = max(5, int(every * draw.real(0.3, 1.0)) // 5 * 5)
        case _:
            asked = free if draw.chance(0.15) else max(5, int(free * draw.real(0.3, 0.8)) // 5 * 5)
    specific = draw.chance(0.75)
    named = _named(case, lots, usable, asked) if specific else []
    return {
        **blank_request(), "symbol": symbol, "quantity": asked, "lot_method": "specific" if specific else "standing",
        "named_lots": named,
    }  # fmt: skip


def _own_lots(case: Making, symbol: str, price: int) -> dict[str, Record]:
    draw, plan = case.draw, case.plan
    trade = plan.trade_date
    same_day = _anniversary(trade)
    ages = [draw.choice((same_day, same_day, same_day, same_day + 1, same_day - 1)), draw.integer(400, 2600)]
    ages += [draw.integer(60, 340) for _ in range(draw.integer(1, 2))]
    if draw.chance(0.85):
        ages.append(draw.choice((1, 5, 9, 14, 21, 29, 30, 31)))
    if draw.chance(0.4):
        ages.append(ages[1])
    found = {}
    refuse = plan.has("sale_refuse")
    for place, age in enumerate(ages):
        key = draw.identifier("LT")
        acquired = _bought(case, age)
        source = (
            draw.weighted((("purchase", 6), ("reinvestment", 2), ("gift", 1.5), ("transfer", 1)))
            if place
            else "purchase"
        )
        started = acquired
        if place and (source in ("gift", "transfer") or draw.chance(0.12)):
            started = _trading_day(case, acquired - timedelta(days=draw.integer(100, 900)))
        high, most = draw.chance(0.6), _swing(age)
        cost = round(price * (draw.real(1.01, 1 + most) if high else draw.real(1 - most, 0.99)))
        found[key] = {
            "account_id": case.account_id, "symbol": symbol, "acquired": acquired.isoformat(),
            "holding_from": started.isoformat(), "quantity": _shares(case, source, 160), "cost": cost,
            "pledged": refuse or draw.chance(_PLEDGED[plan.carried] if age > _RECENT else 0.1), "source": source,
        }  # fmt: skip
    if draw.chance(0.1):
        draw.choice(list(found.values()))["cost"] = price
    if len(set(ages)) < len(ages) and draw.chance(0.5):
        # A single order that was filled in two lots.
        lot = found[list(found)[1]]
        found[list(found)[-1]].update(lot | {"quantity": _shares(case, str(lot["source"]), 160)})
    case.tables["lots"].update(found)
    if not refuse and not any(not lot["pledged"] for lot in found.values()):
        raise NoCaseError
    return found


def _swing(age: int) -> float:
    """Return the largest plausible price change since a lot's purchase, as a share."""
    return 0.12 if age < 45 else 0.3 if age < 340 else 0.45


def _shares(case: Making, source: str, most: int) -> int:
    """Draw the whole shares of a lot; a reinvested dividend buys few."""
    return case.draw.integer(2, 14) if source == "reinvestment" else case.draw.steps(10, most, 5)


def _anniversary(trade: date) -> int:
    """Return the days since the same calendar day of the previous year."""
    return (trade - trade.replace(year=trade.year - 1)).days if (trade.month, trade.day) != (2, 29) else _YEAR + 1


def _bought(case: Making, age: int) -> date:
    """Return a trading day about ``age`` days before the trade date, at most the business date."""
    return _trading_day(case, min(case.plan.trade_date - timedelta(days=age), case.plan.today))


def _trading_day(case: Making, day: date) -> date:
    """Return the day, or the last one before it that is neither a weekend nor a holiday."""
    while not is_business_day(day, case.policy.holidays) or (day.month, day.day) in FIXED_HOLIDAYS:
        day -= timedelta(days=1)
    return day


def _lots_around(case: Making, symbol: str, price: int) -> None:
    """Add linked accounts, relevant for wash sales or not, with lots in and around the window."""
    draw, edge = case.draw, case.policy.wash_window_days
    wealthy = draw.chance(0.25)
    for purpose, relation, account_type, status, chance, often in (
        ("self_ira", "self", "traditional_ira", "open", 0.55, 0.9),
        ("self_roth", "self", "roth_ira", "open", 0.15, 0.8),
        ("self_second", "self", "individual", "open", 0.15, 0.8),
        ("spouse_own", "spouse", "individual", "open", 0.55, 0.9),
        ("spouse_ira", "spouse", "traditional_ira", "open", 0.15, 0.8),
        ("spouse_roth", "spouse", "roth_ira", "open", 0.1, 0.7),
        ("joint_own", "joint", "joint", "open", 0.35, 0.8),
        ("custodian_own", "custodian", "custodial", "open", 0.5, 0.6),
        ("self_closed", "self", "individual", "closed", 0.35, 0.4),
    ):
        if not draw.chance(often if wealthy else chance):
            continue
        key = case.add_linked(relation, account_type, status=status, purpose=purpose)
        total = 0
        for _ in range(draw.integer(1, 2)):
            age = draw.choice((0, 3, 11, 22, 29, 30, 31, 45))
            if _bought(case, edge) == case.plan.trade_date - timedelta(days=edge) and draw.chance(0.4):
                age = edge
            acquired = _bought(case, age).isoformat()
            source = draw.weighted((("purchase", 5), ("reinvestment", 3), ("gift", 1.5), ("transfer", 1.5)))
            lot: Record = {
                "account_id": key, "symbol": symbol, "acquired": acquired, "holding_from": acquired,
                "quantity": _shares(case, source, 60), "cost": round(price * draw.real(0.93, 1.07)),
                "pledged": draw.chance(0.15), "source": source,
            }  # fmt: skip
            case.tables["lots"][draw.identifier("LT")] = lot
            total += lot["quantity"]
        hold(draw, case.tables, key, symbol, total)


def _reluctance(case: Making, lot: Record) -> int:
    """Return the rank of a lot for naming, lowest for lots that the standing method would sell last."""
    method, bought = case.account["standing_method"], date.fromisoformat(lot["acquired"]).toordinal()
    return -bought if method == "fifo" else bought if method == "lifo" else int(lot["cost"])


def _named(case: Making, lots: dict[str, Record], usable: dict[str, Record], asked: int) -> list[str]:
    """Draw the named lots: valid in about half of the cases, otherwise invalid in one of several ways."""
    draw = case.draw
    keys = list(usable)
    keys.sort(key=lambda key: draw.integer(0, 999_999))
    if draw.chance(0.6):
        keys.sort(key=lambda key: _reluctance(case, lots[key]))
    named: dict[str, int] = {}
    for key in keys:
        left = asked - sum(named.values())
        if left > 0:
            named[key] = min(left, lots[key]["quantity"])
    if draw.chance(0.55) or not named:
        if not named:
            first = next(iter(lots))
            named[first] = min(asked, lots[first]["quantity"])
        return [f"{key}:{count}" for key, count in named.items()]
    pledged = [key for key in lots if key not in usable]
    last = list(named)[-1]
    if pledged and draw.chance(0.6):
        named[pledged[0]] = named.pop(last)
    elif draw.chance(0.5):
        named[last] += 5
    else:
        named[last] = max(1, named[last] - 5)
    return [f"{key}:{count}" for key, count in named.items()]
