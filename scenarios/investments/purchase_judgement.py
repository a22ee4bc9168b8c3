"""Judgements of the investments expert on purchases: suitability, concentration, liquidity and cash."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.investments.judgement import Ending, Judgement, total


class PurchaseJudgement(Judgement):
    """Judgements on purchases (5.4 to 5.6, and 5.11)."""

    questionnaire: Seen
    profile: Seen
    value: Seen

    # -- 5.4 suitability ----------------------------------------------------------------------------------------------

    def is_signed(self, row: Seen) -> bool:
        """Return True if a questionnaire is signed (D8)."""
        return bool(row["state"] == "signed")

    def current_questionnaire(self) -> Seen:
        """Return the latest signed questionnaire (D8)."""
        return max(
            (row for row in self.file["questionnaires"] if self.is_signed(row)), key=lambda row: str(row["dated"])
        )

    def questionnaire_age(self) -> int:
        """Return the calendar days since the questionnaire was signed (D8)."""
        return (self.today - date.fromisoformat(self.questionnaire["dated"])).days

    def questionnaire_ending(self) -> Ending | None:
        """Return the ending if the questionnaire has expired, otherwise None (5.4.1)."""
        if self.questionnaire_age() > self.policy.questionnaire_max_age_days:
            return Ending("refuse", "questionnaire_expired")
        return None

    def stepped(self, table: dict[int, int], value: int) -> int:
        """Return the points of the highest step that a value reaches (T4)."""
        return table[max(step for step in table if step <= value)]

    def horizon_points(self) -> int:
        """Return the points for the investment horizon (T4)."""
        return self.stepped(self.policy.horizon_points, self.questionnaire["horizon_years"])

    def liquidity_points(self) -> int:
        """Return the points for the liquid share of the net worth (T4)."""
        return self.stepped(self.policy.liquidity_points, self.questionnaire["liquid_share_percent"])

    def loss_points(self) -> int:
        """Return the points for the answer about losses (T4)."""
        return self.policy.loss_points[self.questionnaire["loss_answer"]]

    def experience_points(self) -> int:
        """Return the points for the client's experience (T4)."""
        return self.policy.experience_points[self.questionnaire["experience"]]

    def income_points(self) -> int:
        """Return the points for the income outlook (T4)."""
        return self.policy.income_points[self.questionnaire["income_outlook"]]

    def points(self) -> dict[str, int]:
        """Return the points for each answer, by argument name (5.4.2)."""
        return {
            "horizon_points": self.horizon_points(),
            "loss_points": self.loss_points(),
            "experience_points": self.experience_points(),
            "income_points": self.income_points(),
            "liquidity_points": self.liquidity_points(),
        }

    def rank_by_points(self) -> int:
        """Return the index of the profile for the total points (T4)."""
        reached = [item.min_points <= sum(self.points().values()) for item in self.policy.profiles]
        return reached.count(True) - 1

    def rank_by_objective(self) -> int:
        """Return the index of the profile for the objective (T4)."""
        names = [item.name for item in self.policy.profiles]
        return names.index(self.policy.objectives[self.questionnaire["objective"]])

    def rank_by_horizon(self) -> int:
        """Return the index of the highest profile that the horizon allows (D9)."""
        return (
            0
            if self.questionnaire["horizon_years"] < self.policy.short_horizon_years
            else len(self.policy.profiles) - 1
        )

    def governing_rank(self) -> int:
        """Return the index of the most conservative of the three profiles (D9)."""
        return min(self.rank_by_points(), self.rank_by_objective(), self.rank_by_horizon())

    def governing_profile(self) -> str:
        """Return the name of the governing profile (5.4.3)."""
        return self.policy.profiles[self.governing_rank()].name

    def is_suitable(self) -> bool:
        """Return True if the product's risk class is at most the profile's maximum (5.4.4)."""
        return bool(self.policy.risk_classes[self.profile["product_kind"]] <= self.profile["max_risk_class"])

    def suitability_ending(self) -> Ending | None:
        """Return the ending if the product is unsuitable, otherwise None (5.4.4)."""
        return None if self.is_suitable() else Ending("refuse", "unsuitable_product")

    # -- 5.6 concentration --------------------------------------------------------------------------------------------

    def limit_kind(self) -> str:
        """Return the kind of concentration limit for the product, by issuer or by fund (T5)."""
        return self.policy.limit_kinds[self.profile["product_kind"]]

    def is_held(self, row: Seen) -> bool:
        """Return True if a position counts towards the concentration limit (D10)."""
        if self.limit_kind() == "issuer":
            return bool(row["issuer"] == self.profile["issuer"])
        return bool(row["symbol"] == self.profile["ordered_symbol"])

    def held_value(self) -> int:
        """Add up the positions that count towards the concentration limit (5.6.1)."""
        return total([row for row in self.value["positions"] if self.is_held(row)], "value")

    def portfolio_value(self) -> int:
        """Add up positions and cash balances (5.6.1)."""
        return total(self.value["positions"], "value") + self.portfolio_cash()

    def portfolio_cash(self) -> int:
        """Add up the cash balances (D10)."""
        return total(self.value["accounts"], "cash_balance")

    def limit_percent(self) -> float:
        """Return the concentration limit in percent (5.6.2)."""
        limit: float = self.profile[f"{self.limit_kind()}_limit_percent"]
        return limit

    def permitted_ending(self, permitted: int) -> Ending | None:
        """Return the ending if the concentration limit permits no shares, otherwise None (5.6.2)."""
        return Ending("refuse", "concentration_limit") if permitted == 0 else None

    # -- 5.11 cash ----------------------------------------------------------------------------------------------------

    def own_row(self) -> Seen:
        """Return the request's own account in the valuation."""
        return next(row for row in self.value["accounts"] if row["account_id"] == self.account_id)

    def settlement_day(self) -> date:
        """Return the day by which sale proceeds must settle to pay for the purchase (T8)."""
        return self.after_business_days(self.trade_date(self.file["instructed_at"]), self.policy.settlement_days)

    def is_settled_only(self) -> bool:
        """Return True if only settled cash counts (D11 and T3)."""
        return "settled_cash_only" in self.restrictions()

    def is_credit(self, item: Seen) -> bool:
        """Return True if a cash item counts as a credit (D11)."""
        if self.request_type == "distribution" or self.is_settled_only():
            return False
        return bool(item["kind"] == "sale_proceeds" and self.is_in_time(item))

    def is_in_time(self, item: Seen) -> bool:
        """Return True if an item settles by the settlement day (D11)."""
        return date.fromisoformat(item["settles_on"]) <= self.settlement_day()

    def is_debit(self, item: Seen) -> bool:
        """Return True if a cash item reserves cash (D11)."""
        return item["kind"] in ("open_buy_order", "pending_withdrawal")

    def counted_credits(self) -> int:
        """Add up the cash items that count as credits (5.11.1)."""
        return total([item for item in self.own_row()["cash_items"] if self.is_credit(item)], "amount")

    def reserved_debits(self) -> int:
        """Add up the cash items that reserve cash (5.11.1)."""
        return total([item for item in self.own_row()["cash_items"] if self.is_debit(item)], "amount")

    def other_cash(self) -> int:
        """Add up the cash balances of the other valued accounts (D12)."""
        return total([row for row in self.value["accounts"] if row["account_id"] != self.account_id], "cash_balance")

    def money_market(self) -> int:
        """Add up the positions in money market funds (D12)."""
        return total([row for row in self.value["positions"] if row["product_kind"] == "money_market"], "value")

    def reserve_needed(self) -> int:
        """Return the monthly expenses times the profile's reserve months (D12)."""
        return int(to_cents(self.questionnaire["monthly_expenses"]) * self.profile["reserve_months"])

    def cash_reserve(self) -> int:
        """Return the reserve that the account itself must keep (5.11.2)."""
        if self.request_type == "distribution":
            return 0
        return max(0, self.reserve_needed() - self.other_cash() - self.money_market())

    def order_fee(self) -> int:
        """Return the order fee, in cents (5.11.3)."""
        return self.policy.order_fee

    def purchase_ending(self, permitted: int, cash: Seen) -> Ending:
        """Return the ending of a purchase (T8)."""
        ordered, covered = self.profile["ordered_quantity"], cash["covered_quantity"]
        if covered == ordered:
            return Ending("proceed", "none", covered, to_cents(cash["covered_amount"]))
        reason = self.binding(permitted, covered)
        if covered == 0:
            return Ending("refuse", reason)
        return Ending("adjust", reason, covered, to_cents(cash["covered_amount"]))

    def binding(self, permitted: int, covered: int) -> str:
        """Return the reason for buying fewer shares than ordered (T8)."""
        return "insufficient_cash" if covered < permitted else "concentration_limit"
