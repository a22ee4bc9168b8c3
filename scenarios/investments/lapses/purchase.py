"""Lapses of purchases, and of the cash that distributions need, too (5.4 to 5.6 and 5.11)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.lapses.careless import Careless

# -- 5.4 suitability --------------------------------------------------------------------------------------------------


@lapse("5.4.1", "D8", "assess_risk_profile.questionnaire_id")
class OldestQuestionnaireTaken(Careless):
    """Takes the first questionnaire that was signed."""

    def current_questionnaire(self) -> Seen:
        rows = [row for row in self.file["questionnaires"] if self.is_signed(row)]
        return min(rows, key=lambda row: str(row["dated"]))


@lapse("5.4.1", "D8")
class QuestionnaireOfLastDayRefused(Careless):
    """Takes a questionnaire of exactly the highest age for too old."""

    def questionnaire_age(self) -> int:
        return super().questionnaire_age() + 1


@lapse("5.4.2", "T4.1", "T4.2", "assess_risk_profile.horizon_points", "assess_risk_profile.liquidity_points")
class StepsMustBeExceeded(Careless):
    """Gives the points of a step only if it is exceeded."""

    def stepped(self, table: dict[int, int], value: int) -> int:
        return super().stepped(table, max(0, value - 1))


@lapse("5.4.2", "T4.3", "assess_risk_profile.loss_points")
class LossAnswersNumbered(Careless):
    """Numbers the answers about losses from 0 on, instead of giving the points of the table."""

    def loss_points(self) -> int:
        return list(self.policy.loss_points).index(self.questionnaire["loss_answer"])


@lapse("5.4.2", "T4.4", "T4.5", "assess_risk_profile.experience_points", "assess_risk_profile.income_points")
class AnswersCountedFromOne(Careless):
    """Numbers the answers about experience and income from 1 on."""

    def experience_points(self) -> int:
        return super().experience_points() + 1

    def income_points(self) -> int:
        return super().income_points() + 1


@lapse("5.4.3", "D9", "T4.7", "assess_risk_profile.governing_profile")
class ObjectiveIgnored(Careless):
    """Takes the profile of the points, whatever the objective."""

    def rank_by_objective(self) -> int:
        return len(self.policy.profiles) - 1


@lapse("5.4.3", "D9", "T4.6", "assess_risk_profile.governing_profile")
class PointsIgnored(Careless):
    """Takes the profile of the objective, whatever the points."""

    def rank_by_points(self) -> int:
        return len(self.policy.profiles) - 1


@lapse("5.4.3", "D9")
class HorizonIgnored(Careless):
    """Does not mind that the horizon is short."""

    def rank_by_horizon(self) -> int:
        return len(self.policy.profiles) - 1


@lapse("5.4.3", "D9")
class BoldestGoverns(Careless):
    """Lets the boldest of points and objective govern."""

    def governing_rank(self) -> int:
        return max(self.rank_by_points(), self.rank_by_objective())


@lapse("5.4.4", "T5")
class HighestClassRefused(Careless):
    """Refuses products of the highest class that the profile allows."""

    def is_suitable(self) -> bool:
        return (
            super().is_suitable()
            and self.policy.risk_classes[self.profile["product_kind"]] < self.profile["max_risk_class"]
        )


# -- 5.6 concentration ------------------------------------------------------------------------------------------------


@lapse("5.6.1", "D10", "check_concentration.held_value")
class SymbolInsteadOfIssuer(Careless):
    """Counts what is held of the same symbol, not of the same issuer."""

    def is_held(self, row: Seen) -> bool:
        return bool(row["symbol"] == self.profile["ordered_symbol"])


@lapse("5.6.1", "D10", "check_concentration.held_value")
class FundsCountedByIssuer(Careless):
    """Counts the funds of the same house together."""

    def is_held(self, row: Seen) -> bool:
        return bool(row["issuer"] == self.profile["issuer"])


@lapse("5.6.2", "5.11.3", "check_available_cash.amount_needed")
class ConcentrationIgnored(Careless):
    """Asks cash for all shares ordered, whatever is permitted."""

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        if price:
            needed = self.profile["ordered_quantity"] * to_cents(price) + fee
        return (yield from super().check_cash(needed, price, fee))

    def permitted_ending(self, permitted: int) -> Ending | None:
        return None


# -- 5.11 cash --------------------------------------------------------------------------------------------------------


@lapse("5.11.1", "D11", "check_available_cash.counted_credits")
class DepositsCounted(Careless):
    """Counts deposits and dividends that settle in time, like proceeds of sales."""

    def is_credit(self, item: Seen) -> bool:
        return super().is_credit({**item, "kind": "sale_proceeds"}) and not self.is_debit(item)


@lapse("5.11.1", "D11", "check_available_cash.counted_credits")
class ProceedsCountedForPayouts(Careless):
    """Counts proceeds of sales for a distribution, too."""

    def is_credit(self, item: Seen) -> bool:
        return bool(item["kind"] == "sale_proceeds" and self.is_in_time(item) and not self.is_settled_only())


@lapse("5.11.1", "D11", "check_available_cash.reserved_debits")
class OpenOrdersForgotten(Careless):
    """Leaves open buy orders out of what is reserved."""

    def is_debit(self, item: Seen) -> bool:
        return bool(item["kind"] == "pending_withdrawal")


@lapse("5.11.1", "D11", "check_available_cash.reserved_debits")
class DebitsOfTodayAlone(Careless):
    """Reserves only what is paid by the settlement day."""

    def is_debit(self, item: Seen) -> bool:
        return super().is_debit(item) and self.is_in_time(item)


@lapse("5.11.2", "D12", "check_available_cash.cash_reserve")
class OwnCashTakenOffTheReserve(Careless):
    """Takes the cash of the account itself off the cash reserve, too."""

    def other_cash(self) -> int:
        return super().other_cash() + to_cents(self.own_row()["cash_balance"])
