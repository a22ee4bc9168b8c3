"""Closed-form solver of the investments scenario: applies the SOP directly to a case's records.

It shares only money, dates and policy with the tools and the expert. Amounts are integer cents, and ratios are compared
as integers. A step returns the case's ending, or None if the case goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple

from teller_gym.base.dates import add_business_days, is_business_day
from teller_gym.base.money import usd
from teller_gym.procedure.scenario import Solution
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import Ledger, matches, registered
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.tools.bank import Record


class End(NamedTuple):
    """Ending of a case, with the amount in cents."""

    decision: str
    reason: str
    amount: int = 0


class Case(Ledger):
    """A task's records, the outcome of each decision point so far, and the rules applied."""

    def __init__(self, task: Task, policy: InvestmentPolicy) -> None:
        super().__init__()
        self.task = task
        self.policy = policy
        self.request: Record = task.tables["requests"][task.case_id]
        self.account: Record = task.tables["brokerage_accounts"][self.request["account_id"]]

    @property
    def kind(self) -> str:
        """Type of the request."""
        kind: str = self.request["request_type"]
        return kind

    @property
    def trade_date(self) -> date:
        """Trade date; the instruction's time is compared as text, which sorts by date and time (D2)."""
        today = self.task.today
        on_time = self.request["instructed_at"] < f"{today.isoformat()} {self.policy.order_cutoff}"
        return today if on_time else self.later(today, 1)

    @property
    def price_day(self) -> str:
        """Last business day before the trade date (D2)."""
        day = self.trade_date - timedelta(days=1)
        while not is_business_day(day, self.policy.holidays):
            day -= timedelta(days=1)
        return day.isoformat()

    def later(self, day: date, count: int) -> date:
        """Return the date ``count`` business days after a day (D1)."""
        return add_business_days(day, count, self.policy.holidays)

    def price(self, symbol: str) -> int:
        """Return the ask price for a purchase, the bid price for a sale, otherwise the last price (D2 and T10)."""
        side = {"purchase": "ask", "sale": "bid"}.get(self.kind, "last")
        cents: int = self.task.tables["instruments"][symbol]["prices"][self.price_day][side]
        return cents

    def linked(self, relations: set[str]) -> list[str]:
        """Return the open linked accounts with the given relations (D7)."""
        accounts = self.task.tables["brokerage_accounts"]
        return [
            row["account_id"]
            for row in self.account["linked"]
            if row["relation"] in relations and accounts[row["account_id"]]["status"] == "open"
        ]

    def positions(self, account_ids: list[str]) -> list[Record]:
        """Return the positions of some accounts, with price and value."""
        found = []
        for row in self.task.tables["positions"].values():
            if row["account_id"] in account_ids:
                item = self.task.tables["instruments"][row["symbol"]]
                price = self.price(row["symbol"])
                found.append(
                    {
                        **row,
                        "issuer": item["issuer"],
                        "kind": item["kind"],
                        "price": price,
                        "value": price * row["quantity"],
                    }
                )
        return found


def solve(task: Task, policy: InvestmentPolicy) -> Solution:
    """Solve a task: derive its outputs, the outcome of every decision point and the rules applied."""
    case = Case(task, policy)
    case.cite("5.1.1", "D1", "D20", "D21")
    if case.request.get("note"):
        case.cite("D19")
    case.settle("request", case.kind)
    case.settle("signers", "joint" if len(case.request["signers"]) > 1 else "single")
    end = next(filter(None, (step(case) for step in (_identity, _lists, _file, _KINDS[case.kind]))))
    for point in ("identity", "watch_list", "account_file", "cutoff", "finding"):
        case.branches.setdefault(point, "not_reached")
    case.settle("ending", end.reason if end.decision != "proceed" else "proceed")
    case.cite("5.12.1", "5.12.2", "5.12.3", "5.13.1", "5.13.2", "5.14.1", "T8", "T10")
    amount = end.amount
    if end.decision in ("refuse", "refer") and end.reason != "margin_deficiency":
        amount = case.request["stated_value"]
    outputs = {"decision": end.decision, "amount": usd(amount), "effective_date": _effective(case, end).isoformat()}
    return Solution(outputs, case.branches, tuple(case.rules))


def _identity(case: Case) -> End | None:
    """Check the signers' identities (5.1)."""
    case.cite("5.1.2", "5.1.3", "D3", "T1")
    failed = any(registered(case.task.tables, signer) == "failed" for signer in case.request["signers"])
    if case.settle("identity", "failed" if failed else "verified") == "failed":
        case.cite("D4")
        return End("refuse", "identity_not_verified")
    return None


def _lists(case: Case) -> End | None:
    """Check the signers against the watch lists (5.2)."""
    case.cite("5.2.1", "5.2.3")
    outcome = "clear"
    for match in (match for signer in case.request["signers"] for match in matches(case.task.tables, signer)):
        case.cite("5.2.2", "D5")
        if match.is_true:
            case.settle("watch_list", "true_match")
            case.cite("D4")
            return End("refer", f"{match.list}_match")
        outcome = "false_positive"
    case.settle("watch_list", outcome)
    return None


def _file(case: Case) -> End | None:
    """Check restrictions and authority (5.3)."""
    case.cite("5.3.1", "5.3.2", "5.3.3", "D6", "T2", "T3")
    today = case.task.today.isoformat()
    for row in case.account["restrictions"]:
        if (row["until"] or today) >= today and case.kind in case.policy.restrictions[row["kind"]]:
            case.settle("account_file", "restricted")
            case.cite("D4")
            return End("refer", "account_restricted")
    signers = [signer["customer_id"] for signer in case.request["signers"]]
    missing = set(case.account["owner_ids"]) - set(signers)
    for signer in signers:
        row = case.account["authorities"].get(signer)
        if row is None or (row["until"] or today) < today:
            continue
        if case.kind not in case.policy.authority.get(row["authority"], ()):
            continue
        if row["authority"] == "joint_owner" and case.kind == "withdrawal" and missing:
            continue
        case.settle("account_file", row["authority"])
        case.settle("cutoff", "today" if case.trade_date == case.task.today else "next_day")
        case.cite("D2")
        return None
    case.settle("account_file", "no_authority")
    case.cite("D4")
    return End("refuse", "no_authority")


def _purchase(case: Case) -> End:
    """Return the ending of a purchase (5.4 to 5.6 and 5.11)."""
    policy = case.policy
    case.cite("5.4.1", "D8")
    answers = max(
        (row for row in case.account["questionnaires"] if row["state"] == "signed"), key=lambda row: row["dated"]
    )
    if date.fromisoformat(answers["dated"]) < case.task.today - timedelta(days=policy.questionnaire_max_age_days):
        case.settle("finding", "questionnaire_expired")
        return End("refuse", "questionnaire_expired")
    case.cite("5.4.2", "5.4.3", "5.4.4", "D9", "T4", "T5")
    profile = policy.profiles[rank_of(policy, answers)]
    symbol, ordered = case.request["symbol"], case.request["quantity"]
    item = case.task.tables["instruments"][symbol]
    if policy.risk_classes[item["kind"]] > profile.max_risk_class:
        case.settle("finding", "unsuitable")
        return End("refuse", "unsuitable_product")
    case.cite("5.5.1", "5.5.2", "5.6.1", "5.6.2", "D7", "D10")
    ids = case.linked({"self", "joint"})
    rows, price = case.positions(ids), case.price(symbol)
    cash = {key: case.task.tables["brokerage_accounts"][key]["cash_balance"] for key in ids}
    if policy.limit_kinds[item["kind"]] == "issuer":
        held, limit = sum(row["value"] for row in rows if row["issuer"] == item["issuer"]), profile.issuer_limit
    else:
        held, limit = sum(row["value"] for row in rows if row["symbol"] == symbol), profile.fund_limit
    portfolio = sum(row["value"] for row in rows) + sum(cash.values())
    permitted = max(0, min(ordered, (limit * portfolio // 10_000 - held) // price))
    if permitted == 0:
        case.settle("finding", "concentration")
        return End("refuse", "concentration_limit")
    case.cite("5.11.1", "5.11.2", "5.11.3", "D11", "D12")
    own = case.request["account_id"]
    elsewhere = sum(cash.values()) - cash[own] + sum(row["value"] for row in rows if row["kind"] == "money_market")
    reserve = max(0, answers["monthly_expenses"] * profile.reserve_months - elsewhere)
    covered = min(
        permitted,
        max(
            0,
            _free_cash(case, credits_until=case.later(case.trade_date, policy.settlement_days))
            - reserve
            - policy.order_fee,
        )
        // price,
    )
    if covered == ordered:
        case.settle("finding", "none")
        return End("proceed", "none", covered * price + policy.order_fee)
    reason = "insufficient_cash" if covered < permitted else "concentration_limit"
    case.settle("finding", "cash" if covered < permitted else "concentration")
    return End("adjust", reason, covered * price + policy.order_fee) if covered else End("refuse", reason)


def rank_of(policy: InvestmentPolicy, answers: Record) -> int:
    """Return the index of the governing profile (D9, T4)."""
    points = policy.loss_points[answers["loss_answer"]] + policy.experience_points[answers["experience"]]
    points += policy.income_points[answers["income_outlook"]]
    for table, value in (("horizon_points", "horizon_years"), ("liquidity_points", "liquid_share_percent")):
        steps: dict[int, int] = getattr(policy, table)
        points += [steps[step] for step in sorted(steps) if step <= answers[value]][-1]
    names = [profile.name for profile in policy.profiles]
    ranks = [max(rank for rank, profile in enumerate(policy.profiles) if profile.min_points <= points)]
    ranks.append(names.index(policy.objectives[answers["objective"]]))
    if answers["horizon_years"] < policy.short_horizon_years:
        ranks.append(0)
    return min(ranks)


def _free_cash(case: Case, credits_until: date | None) -> int:
    """Calculate the available cash before the reserve (D11)."""
    today = case.task.today.isoformat()
    settled = any(
        row["kind"] == "settled_cash_only" and (row["until"] or today) >= today for row in case.account["restrictions"]
    )
    amount: int = case.account["cash_balance"]
    for item in case.account["cash_items"]:
        if item["kind"] in ("open_buy_order", "pending_withdrawal"):
            amount -= item["amount"]
        elif item["kind"] == "sale_proceeds" and credits_until is not None and not settled:
            amount += item["amount"] if item["settles_on"] <= credits_until.isoformat() else 0
    return amount


def _sale(case: Case) -> End:
    """Return the ending of a sale (5.7)."""
    case.cite("5.7.1", "5.7.2", "5.7.3", "5.7.4", "5.7.6", "D13", "D14", "D15")
    asked, own, symbol = case.request["quantity"], case.request["account_id"], case.request["symbol"]
    every = {
        key: lot
        for key, lot in case.task.tables["lots"].items()
        if lot["symbol"] == symbol and lot["acquired"] <= case.trade_date.isoformat()
    }
    usable = {key: lot for key, lot in every.items() if lot["account_id"] == own and not lot["pledged"]}
    sold = _sold(case, usable, asked)
    if not sold:
        case.settle("finding", "no_lot")
        return End("refuse", "lots_unavailable")
    price = case.price(symbol)
    result = sum(count * (price - usable[key]["cost"]) for key, count in sold.items())
    losses = [
        key for key in sorted(sold, key=lambda key: (usable[key]["acquired"], key)) if usable[key]["cost"] > price
    ]
    replaced = 0
    if losses:
        case.cite("5.7.5", "D7")
        first = (case.trade_date - timedelta(days=case.policy.wash_window_days)).isoformat()
        counted = case.linked({"self", "joint", "spouse"})
        for key, lot in every.items():
            if (
                lot["account_id"] in counted
                and lot["acquired"] >= first
                and lot["source"] in ("purchase", "reinvestment")
            ):
                replaced += lot["quantity"] - sold.get(key, 0)
    case.settle("finding", "wash_sale" if replaced else "loss" if losses else "gain")
    for key in losses:
        matched = min(replaced, sold[key])
        result += matched * (usable[key]["cost"] - price)
        replaced -= matched
    count = sum(sold.values())
    return End("proceed", "none", result) if count == asked else End("adjust", "lots_unavailable", result)


def _sold(case: Case, usable: dict[str, Record], asked: int) -> dict[str, int]:
    """Return the shares sold, by lot (D13)."""
    named = {entry[:9]: int(entry[10:]) for entry in case.request["named_lots"]}
    fits = all(key in usable and usable[key]["quantity"] >= count for key, count in named.items())
    if case.request["lot_method"] == "specific" and fits and sum(named.values()) == asked:
        case.settle("lots", "named")
        return named
    method = case.settle("lots", case.account["standing_method"])
    keys = sorted(usable, key=lambda key: (usable[key]["acquired"], key))
    if method == "lifo":
        keys.sort(key=lambda key: date.fromisoformat(usable[key]["acquired"]).toordinal() * -1)
    elif method == "highest_cost":
        keys.sort(key=lambda key: -usable[key]["cost"])
    found: dict[str, int] = {}
    for key in keys:
        if asked - sum(found.values()) > 0:
            found[key] = min(usable[key]["quantity"], asked - sum(found.values()))
    return found


def _withdrawal(case: Case) -> End:
    """Return the ending of a withdrawal (5.8)."""
    policy, account = case.policy, case.account
    case.cite("5.5.1", "5.5.2", "5.8.1", "5.8.2", "5.8.3", "D7", "D16", "D18", "T6")
    rows = case.positions([case.request["account_id"]])
    market = sum(row["value"] for row in rows)
    weighted = sum(row["value"] * policy.margin_rates[margin_class(policy, row, market)] for row in rows)
    required, initial = (2 * weighted + 10_000) // 20_000, (2 * market * policy.initial_rate + 10_000) // 20_000
    debit = account["margin_debit"] + account["accrued_interest"]
    debit += sum(item["amount"] for item in account["cash_items"] if item["kind"] == "pending_withdrawal")
    equity = market - debit
    if equity < required:
        case.settle("finding", "deficient")
        return End("refuse", "margin_deficiency", (required - equity + 99) // 100 * 100)
    free = max(0, equity - max(required, initial))
    asked = case.request["amount"]
    payable = min(asked, free - free % 100)
    if payable < policy.min_payment:
        case.settle("finding", "nothing_free")
        return End("refuse", "margin_limit")
    case.settle("finding", "none" if payable == asked else "limited")
    return End("proceed", "none", payable) if payable == asked else End("adjust", "margin_limit", payable)


def margin_class(policy: InvestmentPolicy, row: Record, market: int) -> str:
    """Return the margin class of a position (T6)."""
    if row["price"] < policy.low_price:
        return "full"
    if row["kind"] == "leveraged_fund":
        return "leveraged"
    return "concentrated" if 10_000 * row["value"] > policy.concentrated_share * market else "standard"


def _transfer(case: Case) -> End:
    """Return the ending of a transfer (5.9)."""
    case.cite("5.9.1", "5.9.2", "T7")
    statement, account = case.task.tables["statements"][case.task.case_id], case.account
    same_title = persons_of(statement["title"]) == persons_of(account["title"])
    same_type = case.policy.type_words[statement["account_word"]] == account["account_type"]
    if not (same_title and same_type and statement["tax_id_last4"] == account["tax_id_last4"]):
        case.settle("finding", "mismatch")
        return End("refuse", "registration_mismatch")
    moved = [row for row in statement["assets"] if case.policy.asset_rules[row["asset_kind"]] == "in_kind"]
    amount = sum(row["value"] for row in moved) + statement["cash"]
    if len(moved) == len(statement["assets"]):
        case.settle("finding", "none")
        return End("proceed", "none", amount)
    case.settle("finding", "liquidated" if _liquidates(case) else "left_behind")
    return End("adjust", "assets_not_transferable", amount)


def persons_of(title: str) -> frozenset[str]:
    """Return the names in an account title, in lower case (5.9.1)."""
    return frozenset(name.strip() for name in title.lower().replace("&", " and ").split(" and "))


def _liquidates(case: Case) -> bool:
    rows = case.task.tables["statements"][case.task.case_id]["assets"]
    return any(case.policy.asset_rules[row["asset_kind"]] == "liquidated" for row in rows)


def _distribution(case: Case) -> End:
    """Return the ending of a distribution (5.10 and 5.11)."""
    case.cite("5.5.1", "5.5.2", "5.10.1", "5.11.1", "5.11.2", "5.11.3", "D7", "D11", "D17", "D18")
    accounts = case.task.tables["brokerage_accounts"]
    rows = [
        accounts[key]
        for key in case.linked({"self"})
        if accounts[key]["account_type"] in ("traditional_ira", "sep_ira")
    ]
    asked, needed = case.request["amount"], case.request["amount"]
    age = case.task.today.year - date.fromisoformat(case.account["owner_birth_date"]).year
    if case.settle("age", "required" if age >= case.policy.distribution_age else "voluntary") == "required":
        case.cite("5.10.2", "5.10.3", "T9")
        balance = sum(row["prior_year_end_value"] + row["rollover_in_transit"] for row in rows)
        divisor = case.policy.divisors[age]
        required = (2 * 100 * balance + divisor) // (2 * divisor)
        needed = max(asked, required - sum(row["distributions_this_year"] for row in rows))
    payable = min(needed, max(0, _free_cash(case, None)))
    if payable < case.policy.min_payment:
        case.settle("finding", "no_cash")
        return End("refuse", "insufficient_cash")
    if payable < needed:
        case.settle("finding", "short_of_cash")
        return End("adjust", "insufficient_cash", payable)
    case.settle("finding", "raised" if needed > asked else "none")
    return End("adjust", "required_minimum", payable) if needed > asked else End("proceed", "none", payable)


_KINDS: dict[str, Callable[[Case], End]] = {
    "purchase": _purchase,
    "sale": _sale,
    "withdrawal": _withdrawal,
    "transfer": _transfer,
    "distribution": _distribution,
}


def _effective(case: Case, end: End) -> date:
    """Return the date on which an ending takes effect (T8)."""
    policy, today = case.policy, case.task.today
    if end.decision == "refer":
        return case.later(today, policy.referral_days[end.reason])
    if end.decision == "refuse":
        return case.later(today, policy.call_days if end.reason == "margin_deficiency" else policy.notice_days)
    days: Any = policy.settlement_days
    if case.kind == "transfer":
        days = policy.validation_days + policy.transfer_days
        days += policy.liquidation_days if _liquidates(case) else 0
    elif case.kind in ("withdrawal", "distribution"):
        days = policy.payment_days[case.request["payment_method"]]
    return case.later(case.trade_date, days)
