"""Lapses of exposure, credit, income and debts (5.4 to 5.7)."""

from __future__ import annotations

from datetime import date

from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.loans.judgement import Ending
from teller_gym.scenarios.loans.lapses.careless import Careless

# -- 5.4 exposure -----------------------------------------------------------------------------------------------------


@lapse("5.4.1", "D9")
class ExposureOfPrimaryAlone(Careless):
    """Counts the loans of the primary applicant alone."""

    def exposed(self) -> list[str]:
        return self.customers[:1]

    def closing_payoff_accounts(self) -> list[str]:
        return [] if len(self.customers) > 1 else super().closing_payoff_accounts()


# -- 5.5 credit report ------------------------------------------------------------------------------------------------


@lapse("5.5.1", "D5", "pull_credit_report.request_type")
class StaleReportReused(Careless):
    """Reuses whatever report is on file."""

    def is_current(self, on_file: str | None) -> bool:
        return on_file is not None


@lapse("5.5.1", "D5")
class ReportOfLastDayRefused(Careless):
    """Takes a report of exactly the highest age for too old."""

    def is_current(self, on_file: str | None) -> bool:
        return super().is_current(on_file) and self.age_of(str(on_file)) < self.policy.report_max_age_days


@lapse("D1")
class AgeUpToReceipt(Careless):
    """Counts a report's age up to the day on which the application was received."""

    @property
    def today(self) -> date:
        return date.fromisoformat(self.case["received_date"])


@lapse("5.5.1")
class StaleDateLeftOut(Careless):
    """Leaves out the date of a report on file that is not used."""

    def date_on_file(self, person: Seen) -> str | None:
        day = super().date_on_file(person)
        return day if self.is_current(day) else None


@lapse("5.5.3", "D6", "price_loan.qualifying_score", "send_adverse_action_notice.credit_score_used")
class HighestScore(Careless):
    """Takes the highest score instead of the lowest."""

    def weakest_report(self) -> Seen:
        return max(self.reports.values(), key=lambda report: int(report["score"]))


@lapse("5.5.3", "D6", "price_loan.qualifying_score")
class ScoreOfPrimary(Careless):
    """Takes the primary applicant's score."""

    def weakest_report(self) -> Seen:
        return self.reports[self.customers[0]]


@lapse("5.5.3", "D6")
class MeanScore(Careless):
    """Takes the mean of the applicants' scores, rounded down."""

    def qualifying_score(self) -> int:
        scores = [int(report["score"]) for report in self.reports.values()]
        return sum(scores) // len(scores)


@lapse("5.5.3", "D6")
class MinimumScoreFails(Careless):
    """Denies a score of exactly the minimum."""

    def score_ending(self) -> Ending | None:
        fails = self.qualifying_score() <= self.policy.min_credit_score
        return Ending("deny", self.main_factor()) if fails else None


@lapse("T5.6", "record_credit_decision.principal_reason")
class FactorOfPrimary(Careless):
    """Gives the main factor of the primary applicant's report as the reason."""

    def main_factor(self) -> str:
        factor: str = self.reports[self.customers[0]]["main_factor"]
        return factor


# -- 5.6 employment and income ----------------------------------------------------------------------------------------


@lapse("5.6.3", "D11", "assess_affordability.monthly_income")
class IncomeOfPrimary(Careless):
    """Takes the primary applicant's income for that of all applicants."""

    def total_income(self, incomes: dict[str, float]) -> float:
        return incomes[self.customers[0]]


@lapse("D14")
class FallingProfitAveraged(Careless):
    """Takes the mean of two years' profit though the latest is the lower one."""

    def total_income(self, incomes: dict[str, float]) -> float:
        return super().total_income({customer: self._mean(customer, income) for customer, income in incomes.items()})

    def _mean(self, customer: str, income: float) -> float:
        job = self.jobs[customer]
        if job["pay_type"] != "self_employed":
            return income
        return usd(divide_half_up(to_cents(job["prior_year_profit"]) + to_cents(job["latest_year_profit"]), 24))


# -- 5.7 debts --------------------------------------------------------------------------------------------------------


@lapse("5.7.1", "D8")
class DebtsOfPrimary(Careless):
    """Adds up the tradelines on the primary applicant's report alone."""

    def debt_reports(self) -> list[Seen]:
        return super().debt_reports()[:1]

    def excluded_tradelines(self) -> list[str]:
        lines = self.debt_reports()[0]["tradelines"]
        return [line["tradeline_id"] for line in lines if self.is_uncounted(line)]


@lapse("5.7.1")
class ExclusionsOfPrimary(Careless):
    """Looks for tradelines to exclude on the primary applicant's report alone."""

    def excluded_tradelines(self) -> list[str]:
        lines = self.reports[self.customers[0]]["tradelines"]
        return [line["tradeline_id"] for line in lines if self.is_uncounted(line)]


@lapse("5.7.1", "D8")
class LastPaymentsCounted(Careless):
    """Counts installment loans with exactly as many payments left as do not count."""

    def is_nearly_paid(self, line: Seen) -> bool:
        return super().is_nearly_paid(line) and line["payments_left"] != self.policy.short_debt_payments


@lapse("D8")
class ShortLeasesExcluded(Careless):
    """Excludes leases with few payments left, as if they were installment loans."""

    def is_nearly_paid(self, line: Seen) -> bool:
        return super().is_nearly_paid({**line, "kind": "installment"} if line["kind"] == "lease" else line)


@lapse("D8")
class JointAccountsExcluded(Careless):
    """Excludes accounts that the applicant shares, as if they were another's."""

    def is_anothers(self, line: Seen) -> bool:
        return super().is_anothers(line) or line["role"] == "joint"


@lapse("D8")
class ZeroPaymentExcluded(Careless):
    """Excludes revolving accounts that report no payment."""

    def is_uncounted(self, line: Seen) -> bool:
        unpaid = line["kind"] == "revolving" and line["monthly_payment"] == 0
        return unpaid or super().is_uncounted(line)


@lapse("5.7.2", "D8", "calculate_monthly_debts.housing_replaced")
class SecondHomeReplacesHousing(Careless):
    """Takes the present housing cost for replaced by a second home, too."""

    def housing_replaced(self) -> bool:
        return bool(self.case["product"] == "home")
