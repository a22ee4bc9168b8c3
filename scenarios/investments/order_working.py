"""Notes of the investments expert on purchases and sales, with its questions to the calendar and valuation tools."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.investments.expert import Found
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.sale_judgement import Sold
from teller_gym.scenarios.investments.worksheet import Worksheet

ANSWERS = {
    "horizon_years": "horizon_points",
    "loss_answer": "loss_points",
    "experience": "experience_points",
    "income_outlook": "income_points",
    "liquid_share_percent": "liquidity_points",
}
"""Argument with the points for each answer of a questionnaire (T4)."""


class OrderWorking(Worksheet):
    """Notes on purchases (5.4, 5.6, 5.11) and sales (5.7)."""

    plain_notes: ClassVar[Mapping[str, str]] = {
        "check_concentration": "profile.product_kind held_value portfolio_value limit_percent",
    }

    settles_on = window_from = ""
    days_old = 0
    held = portfolio = 0

    # -- purchase: 5.4 to 5.6 -----------------------------------------------------------------------------------------

    def buy(self) -> Found:
        """Ask for the age of the questionnaire, then process the purchase (5.4.1)."""
        current = self.current_questionnaire()
        rows = [of(row, "questionnaire_id", "state", "dated") for row in self.file["questionnaires"]]
        self.jot(questionnaires=rows, **of(current, "questionnaire_id"))
        span = yield from self.span(current["dated"], self.case["business_date"])
        self.days_old = span["days"]
        ending = yield from super().buy()
        self.jot(**of(self.profile, "ordered_quantity"), all_ordered=ending.decision == "proceed")
        return ending

    def questionnaire_age(self) -> int:
        """Return the age that the calendar reported (D8)."""
        return self.days_old

    def questionnaire_ending(self) -> Ending | None:
        """Note the age, then return the ending (5.4.1)."""
        ending = super().questionnaire_ending()
        self.jot(days=self.days_old, current=ending is None)
        return ending

    def note_assess_risk_profile(self, arguments: Seen) -> Note:
        """Note the points, and the profiles that each of the three bounds allows (5.4.2, 5.4.3)."""
        answers: Seen = {}
        for answer, points in ANSWERS.items():
            answers |= {**of(self.questionnaire, answer), **of(arguments, points)}
        profiles = {
            item.name: {
                "points": self.rank_by_points() >= rank,
                "objective": self.rank_by_objective() >= rank,
                "horizon": self.rank_by_horizon() >= rank,
            }
            for rank, item in enumerate(self.policy.profiles)
            if rank
        }
        return {
            **of(arguments, "questionnaire_id"),
            **answers,
            **of(self.questionnaire, "objective"),
            **profiles,
            **of(arguments, "governing_profile"),
        }

    def suitability_ending(self) -> Ending | None:
        """Note the product's and the profile's risk class, then return the ending (5.4.4)."""
        self.jot(**of(self.profile, "product_kind", "max_risk_class"), suitable=self.is_suitable())
        return super().suitability_ending()

    def value_accounts(self) -> Steps:
        """Value the accounts; for a purchase, also ask for the held value and the portfolio value (5.6.1)."""
        yield from super().value_accounts()
        if self.request_type == "purchase":
            yield from self.ask_held()
            yield from self.ask_portfolio()

    def ask_held(self) -> Steps:
        """Note for each position whether it counts as held, and ask for the sum of those that do (D10)."""
        name = "issuer" if self.limit_kind() == "issuer" else "symbol"
        rows = self.value["positions"]
        self.jot(
            **of(self.profile, "product_kind", "ordered_symbol", "issuer"),
            by_issuer=name == "issuer",
            positions=[{**of(row, name), "held": self.is_held(row)} for row in rows],
        )
        found = yield from self.ask_value([row for row in rows if self.is_held(row)])
        self.held = to_cents(found["estimated_value"])

    def ask_portfolio(self) -> Steps:
        """Ask for the sum of all positions and cash balances (D10)."""
        cash = usd(self.portfolio_cash())
        self.jot(cash_balance=[row["cash_balance"] for row in self.value["accounts"]], cash_on_hand=cash)
        found = yield from self.ask_value(self.value["positions"], cash)
        self.portfolio = to_cents(found["estimated_value"])

    def held_value(self) -> int:
        """Return the held value that the tool reported (5.6.1)."""
        return self.held

    def portfolio_value(self) -> int:
        """Return the portfolio value that the tool reported (5.6.1)."""
        return self.portfolio

    def permitted_ending(self, permitted: int) -> Ending | None:
        """Keep the permitted quantity, then return the ending (5.6.2)."""
        self.permitted = permitted
        return super().permitted_ending(permitted)

    # -- 5.11 ---------------------------------------------------------------------------------------------------------

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        """Ask for the settlement day if sale proceeds depend on it, then check the cash (5.11.1)."""
        proceeds = any(item["kind"] == "sale_proceeds" for item in self.own_row()["cash_items"])
        if self.request_type == "purchase" and proceeds and not self.is_settled_only():
            start = self.trade_date(self.file["instructed_at"])
            self.settles_on = (yield from self.moved(start, self.policy.settlement_days))["result_date"]
        return (yield from super().check_cash(needed, price, fee))

    def settlement_day(self) -> date:
        """Return the settlement day that the calendar reported (T8)."""
        return date.fromisoformat(self.settles_on)

    def cash_item(self, item: Seen) -> Note:
        """Note how a cash item counts (D11)."""
        if self.is_debit(item):
            return {**of(item, "kind", "amount"), "debit": True}
        day = of(item, "settles_on") if item["kind"] == "sale_proceeds" else {}
        return {**of(item, "kind", "amount"), **day, "credit": self.is_credit(item)}

    def note_check_available_cash(self, arguments: Seen) -> Note:
        """Note each cash item, the reserve, and the amount needed (5.11)."""
        day = {"settlement_day": self.settles_on} if self.settles_on else {}
        return {
            **({"settled_cash_only": True} if self.is_settled_only() else day),
            "cash_items": [self.cash_item(item) for item in self.own_row()["cash_items"]],
            **of(arguments, "counted_credits", "reserved_debits"),
            **self.reserve(arguments),
            **of(arguments, "amount_needed"),
        }

    def reserve(self, arguments: Seen) -> Note:
        """Note the cash reserve and the cost of a purchase (D12)."""
        if self.request_type != "purchase":
            return {}
        others = [row for row in self.value["accounts"] if row["account_id"] != self.account_id]
        money = [row for row in self.value["positions"] if row["product_kind"] == "money_market"]
        return {
            **of(self.questionnaire, "monthly_expenses"),
            **of(self.profile, "reserve_months"),
            "other_cash": [row["cash_balance"] for row in others],
            "money_market": [row["value"] for row in money],
            **of(arguments, "cash_reserve"),
            "permitted_quantity": self.permitted,
            **of(arguments, "unit_price", "order_fee"),
        }

    # -- sale: 5.7 ----------------------------------------------------------------------------------------------------

    def sell(self) -> Found:
        """Ask for the price date, then process the sale (5.7.1)."""
        yield from self.ask_price_date()
        ending = yield from super().sell()
        if ending.decision != "refuse":
            self.jot(**of(self.file, "asked_quantity"), all_asked=ending.decision == "proceed")
        return ending

    def note_list_tax_lots(self, arguments: Seen) -> Note:
        """Note the dates of the listing; for another account, only its id and the first day (5.7.1)."""
        if arguments["acquired_from"] is not None:
            return of(arguments, "lot_account_id", "acquired_from")
        dates = of(arguments, "lot_account_id", "acquired_to", "price_date")
        return {**dates, **of(self.case, "request_type"), **of(arguments, "price_basis")}

    def lots_ending(self, sold: list[Sold]) -> Ending | None:
        """Note the pledged lots, and whether any lot is usable (5.7.2)."""
        self.jot(pledged=[lot["lot_id"] for lot in self.listed[self.account_id] if not self.is_usable(lot)])
        self.jot(usable=bool(self.usable()), **of(self.file, "lot_method"))
        return super().lots_ending(sold)

    def note_calculate_realized_gain(self, arguments: Seen) -> Note:
        """Note the usable lots in selling order, and the holding period of each sold one (5.7.2, 5.7.4)."""
        named = self.are_named_lots_good()
        lots = {lot["lot_id"]: lot for lot in self.usable()}
        sold = [entry.split(":")[0] for entry in arguments["lot_sales"]]
        chosen: Seen = {}
        if self.file["lot_method"] == "specific":
            chosen = {**of(self.file, "named_lots"), "named_hold": named}
        if not named:
            name = "cost_per_share" if self.method() == "highest_cost" else "acquired"
            rows = [of(lot, "lot_id", name, "quantity") for lot in self.ordered_lots(self.method())]
            chosen |= {**of(self.file, "standing_method"), "lots": rows, **of(self.file, "asked_quantity")}
        return {
            **chosen,
            **of(arguments, "lot_sales", "sold_on"),
            "sold": [
                {**of(lots[key], "lot_id", "holding_from"), "long_term": self.is_long_term(lots[key])} for key in sold
            ],
        }

    def work_out_gain(self, sold: list[Sold]) -> Asking:
        """Calculate the gain, note the lots sold at a loss, and ask for the first day of the window (5.7.5)."""
        gain = yield from super().work_out_gain(sold)
        losses = [
            {**of(one.lot, "lot_id", "cost_per_share"), "sale_price": usd(self.price), "loss": self.is_loss(one.lot)}
            for one in sold
        ]
        self.jot(sold=losses)
        window = yield from self.moved(self.sold_on(), -self.policy.wash_window_days, "calendar")
        self.window_from = window["result_date"]
        if self.loss_lots(sold):
            self.jot(accounts=self.linked("sale"))
        return gain

    def window_start(self) -> date:
        """Return the first day of the window that the calendar reported (D15)."""
        return date.fromisoformat(self.window_from)

    def note_check_wash_sale(self, arguments: Seen) -> Note:
        """Note each listed lot, the shares sold of it, and whether it is a replacement (5.7.6)."""
        args = of(arguments, "window_start", "loss_lot_ids")
        replaced = of(arguments, "replacement_lot_ids", "replacement_quantity")
        if not arguments["loss_lot_ids"]:
            return {**args, **replaced}
        shares = {one.lot["lot_id"]: one.shares for one in self.sold()}
        rows = [
            {
                **of(lot, "lot_id", "source", "acquired", "quantity"),
                **({"sold": shares[lot["lot_id"]]} if lot["lot_id"] in shares else {}),
                "replaces": lot["lot_id"] in replaced["replacement_lot_ids"],
            }
            for lots in self.listed.values()
            for lot in lots
        ]
        return {**args, "lots": rows, **replaced}
