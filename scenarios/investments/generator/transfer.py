"""Generated transfers: the other firm's statement, compared with the bank's registration."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.scenarios.banking.generator.words import bank_words, words_of
from teller_gym.scenarios.investments.generator.case import Making, blank_request
from teller_gym.tools.bank import Record

_UNITS = {"house_fund": 2_500, "sweep_fund": 100, "limited_partnership": 25_000, "annuity": 0}
"""Unit value, in cents, of assets that the bank does not trade; 0 for a contract, which has a single unit."""


def make_transfer(case: Making) -> Record:
    """Add linked accounts for a transfer; return the instruction. The caller adds the statement under the case's id."""
    draw = case.draw
    for purpose, relation, chance in (("self_own", "self", 0.4), ("spouse_own", "spouse", 0.3)):
        if draw.chance(chance):
            case.add_linked(relation, "individual", purpose=purpose)
    if draw.chance(0.3):
        case.account["cash_items"] = []
    return blank_request()


def statement_of(case: Making) -> Record:
    """Draw the other firm's statement, which differs from the registration if the transfer is to be refused."""
    draw, policy, account = case.draw, case.policy, case.account
    refuse = case.plan.has("transfer_refuse")
    wrong = draw.choice(("title", "type", "tax_id")) if refuse else ""
    words = [word for word, kind in policy.type_words.items() if (kind != account["account_type"]) == (wrong == "type")]
    return {
        "firm": draw.choice(list(policy.clearing_numbers)),
        "title": _title(case, wrong == "title"),
        "account_word": draw.choice(words),
        "tax_id_last4": _other_digits(case) if wrong == "tax_id" else account["tax_id_last4"],
        "statement_date": (case.plan.today.replace(day=1) - timedelta(days=1)).isoformat(),
        "cash": draw.integer(1_000, 1_800_000) if draw.chance(0.7) else 0,
        "remark": draw.choice(words_of(__package__)["statement_remarks"]),
        "assets": _assets(case),
    }


def _other_digits(case: Making) -> str:
    """Return wrong tax id digits, with two of them swapped or different ones."""
    right: str = case.account["tax_id_last4"]
    swapped = right[:2] + right[3] + right[2]
    return (
        swapped
        if swapped != right and case.draw.chance(0.5)
        else f"{(int(right) + case.draw.integer(1, 9998)) % 10_000:04d}"
    )


def _title(case: Making, wrong: bool) -> str:
    draw = case.draw
    names: list[str] = case.account["title"].split(" and ")
    if wrong:
        first, last = names[0].split()
        others = [name for group in bank_words()["first_names"] if first in group for name in group if name != first]
        names = names[:-1] if len(names) > 1 and draw.chance(0.5) else [f"{draw.choice(others)} {last}", *names[1:]]
    names = names[::-1] if draw.chance(0.5) else names
    title = draw.choice((" and ", " & ", " and ")).join(names)
    return draw.choice((title, title.upper(), title))


def _assets(case: Making) -> list[Record]:
    draw, rules = case.draw, case.policy.asset_rules
    pool = words_of(__package__)["outside_assets"]
    inside = [row for row in pool if rules[row[1]] == "in_kind"]
    outside = [row for row in pool if rules[row[1]] != "in_kind"]
    proceed = case.plan.carried == "transfer_proceed" and case.plan.ending == "transfer_proceed"
    count = draw.integer(4, 6)
    others = 0 if proceed else draw.integer(1, min(3, count - 2))
    chosen = [inside.pop(draw.integer(0, len(inside) - 1)) for _ in range(count - others)]
    chosen += [outside.pop(draw.integer(0, len(outside) - 1)) for _ in range(others)]
    rows = [_asset(case, *row) for row in chosen]
    return sorted(rows, key=lambda _: draw.integer(0, 999_999))


def _asset(case: Making, key: str, kind: str, low: int, high: int) -> Record:
    """Draw an asset of the statement; if the bank trades it, too, its value is near the current price."""
    draw, value = case.draw, case.draw.integer(low, high)
    known = case.tables["instruments"].get(key)
    if known is None:
        price = _UNITS[kind] or value
        value = value // price * price
        return {"asset_id": key, "asset_kind": kind, "quantity": value // price, "value": value}
    price = round(min(known["prices"][case.plan.price_day].values()) * draw.real(0.94, 1.06))
    quantity = max(5, value // price // 5 * 5)
    return {"asset_id": key, "asset_kind": kind, "quantity": quantity, "value": quantity * price}
