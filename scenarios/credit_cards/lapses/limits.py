"""Lapses about the account's standing, papers, reports and the ability to pay (5.4 to 5.6)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.lapses.careless import Careless


@lapse("5.5.1", "T6.7")
class PapersNotChecked(Careless):
    """Does not look whether all papers are on file."""

    def paper_ending(self) -> Ending | None:
        return None


@lapse("5.5.2", "T1", "pull_credit_report.bureau")
class OneBureauForAll(Careless):
    """Asks the bureau of classic cards about everybody."""

    def bureau(self) -> str:
        return self.policy.products["classic"].bureau


@lapse("5.5.2", "T3.2", "pull_credit_report.inquiry_type")
class HardInquiryForAll(Careless):
    """Makes the inquiry of new cards, whatever is asked."""

    def inquiry(self) -> str:
        return self.policy.inquiries["new_card"]


@lapse("5.5.3", "T6.8")
class AlertsIgnored(Careless):
    """Goes on whatever alert a report carries."""

    def stops(self, alert: str) -> bool:
        return False


@lapse("5.5.3", "T6.8")
class EveryAlertStops(Careless):
    """Refers every request with an alert, even one made in the branch."""

    def stops(self, alert: str) -> bool:
        return alert != "none"


# -- income -----------------------------------------------------------------------------------------------------------


@lapse("5.6.1", "D6", "assess_ability_to_pay.monthly_income")
class NetPayTaken(Careless):
    """Takes net pay for income."""

    def pay(self, income: Seen) -> float:
        amount: float = income["net_pay"]
        return amount


@lapse("5.6.1", "D6", "assess_ability_to_pay.monthly_income")
class HouseholdIncomeLeftOut(Careless):
    """Counts nothing of what others in the household earn."""

    def is_reachable(self, income: Seen) -> bool:
        return False


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


@lapse("5.6.2", "T6.9")
class LowScoreIgnored(Careless):
    """Goes on with any score."""

    def score_ending(self) -> Ending | None:
        return None


@lapse("5.6.3", "D8", "assess_ability_to_pay.monthly_obligations")
class AuthorizedUserLinesCounted(Careless):
    """Counts tradelines on which a person is an authorized user."""

    def is_anothers(self, line: Seen) -> bool:
        return False


@lapse("5.6.3", "D8", "assess_ability_to_pay.monthly_obligations")
class OwnAccountCounted(Careless):
    """Counts the very account whose limit is to be raised."""

    def is_this_account(self, line: Seen) -> bool:
        return False


@lapse("5.6.3", "D8", "assess_ability_to_pay.monthly_obligations")
class DeferredLoansLeftOut(Careless):
    """Counts deferred loans with the payment that is reported."""

    def monthly_cost(self, line: Seen) -> int:
        return to_cents(line["monthly_payment"])


@lapse("5.6.3", "D8", "assess_ability_to_pay.monthly_obligations")
class JointLinesCountedTwice(Careless):
    """Counts a joint tradeline on each report."""

    def counted_lines(self) -> list[Seen]:
        return [line for report in self.reports.values() for line in report["tradelines"]]


# -- the limit --------------------------------------------------------------------------------------------------------


@lapse("5.6.4", "D9", "T1", "T2", "assess_ability_to_pay.proposed_limit")
class CapsIgnored(Careless):
    """Proposes the limit without regard to the caps of band and product."""

    def caps(self) -> list[int]:
        return []


@lapse("5.6.5", "D10", "T6.12", "issue_card_decision.amount")
class BrokenRatioGranted(Careless):
    """Grants the proposed limit though the ratio is broken."""

    def affordable_limit(self, found: Seen) -> int:
        return self.proposed_limit()


@lapse("5.6.5", "D10", "T6.11")
class BrokenRatioDenied(Careless):
    """Denies when the ratio is broken, though a lower limit could be granted."""

    def affordable_limit(self, found: Seen) -> int:
        return 0


@lapse("5.6.5", "assess_ability_to_pay.product_rate", "T1")
class RateOfClassicCards(Careless):
    """Compares with the rate of classic cards, whatever the product."""

    def product_rate(self) -> float:
        return self.policy.products["classic"].purchase_rate / 100


@lapse("5.4.2", "T6.3", "T6.4", "T6.5", "T6.6")
class StandingIgnored(Careless):
    """Raises a limit however young the account is and whatever its statements show."""

    def account_ending(self) -> Ending | None:
        return None


@lapse("5.6.1", "D6", "assess_ability_to_pay.monthly_income")
class OwnIncomeNotQuestioned(Careless):
    """Counts income that no paper shows, and income that ends within the year."""

    def is_documented(self, income: Seen) -> bool:
        return True

    def lasts(self, income: Seen) -> bool:
        return True


@lapse("5.6.1", "D6", "D1", "assess_ability_to_pay.monthly_income")
class HouseholdIncomeNotQuestioned(Careless):
    """Counts all income of the household, for applicants of any age and into any account."""

    def is_old_enough(self, income: Seen) -> bool:
        return True

    def is_reachable(self, income: Seen) -> bool:
        return True


@lapse("5.6.4", "D9", "D23", "T2", "T6.10", "assess_ability_to_pay.proposed_limit")
class LimitAskedForProposed(Careless):
    """Proposes the limit that was asked for."""

    def proposed_limit(self) -> int:
        return to_cents(self.case["requested_limit"])


@lapse("5.4.2")
class EveryFeeAndStatementCounted(Careless):
    """Counts late fees that were taken back, and statements older than those that count."""

    def is_taken_back(self, fee: float) -> bool:
        return False

    def recent_statements(self) -> list[Seen]:
        return list(self.account["statements"])
