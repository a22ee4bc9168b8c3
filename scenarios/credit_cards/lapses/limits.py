"""Lapses about the account's standing, papers, reports and the ability to pay (5.4 to 5.6)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.5.3", "T6.8")
class EveryAlertStops(Careless):
    """Refers every request with an alert, even one made in the branch."""

    def stops(self, alert: str) -> bool:
        return alert != "none"


# -- income -----------------------------------------------------------------------------------------------------------


@lapse("5.6.1", "D6", "D3", "assess_ability_to_pay.monthly_income")
class IncomeOfPrimaryAlone(Careless):
    """Counts the income of the primary person alone."""

    def yearly_income(self, customer: str | None = None) -> int:
        return super().yearly_income(self.customers[0] if customer is None else customer)


# -- score and debts --------------------------------------------------------------------------------------------------


@lapse("5.6.2", "D7")
class LowestScoreTaken(Careless):
    """Takes the lowest score of all."""

    def deciding_person(self) -> str:
        return min(self.reports, key=lambda customer: int(self.reports[customer]["score"]))


@lapse("5.6.3", "D8", "assess_ability_to_pay.monthly_obligations")
class JointLinesCountedTwice(Careless):
    """Counts a joint tradeline on each report."""

    def counted_lines(self) -> list[Seen]:
        return [line for report in self.reports.values() for line in report["tradelines"]]


# -- the limit --------------------------------------------------------------------------------------------------------


@lapse("5.6.5", "assess_ability_to_pay.product_rate", "T1")
class RateOfClassicCards(Careless):
    """Compares with the rate of classic cards, whatever the product."""

    def product_rate(self) -> float:
        return self.policy.products["classic"].purchase_rate / 100
