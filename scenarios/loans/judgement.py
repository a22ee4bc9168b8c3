"""Judgements of the loans expert, one method for each, based on what it has seen of the case so far.

Every method cites the clause that it applies. A lapse overrides one of these methods to skip the judgement or make it
naively (see :mod:`teller_gym.scenarios.loans.lapses`).
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.banking.officer.intake import IntakeJudgement
from teller_gym.scenarios.loans.policy import LoanPolicy, Product

NOTICES = {"counter_offer": "counter_offer", "deny": "denial", "incomplete": "incompleteness"}
"""Type of notice (T6) for each decision that needs one."""


class Ending(NamedTuple):
    """A decision and its principal reason: a row of T5."""

    decision: str
    reason: str


class Judgement(IntakeJudgement):
    """Known facts of a case and the conclusions from them; amounts are in dollars, as tools return them."""

    policy: LoanPolicy

    def __init__(self, policy: LoanPolicy) -> None:
        super().__init__(policy)
        self.reports: dict[str, Seen] = {}
        self.jobs: dict[str, Seen] = {}
        self.exposure: float | None = None
        self.income = 0.0
        self.debts = 0.0
        self.item: Seen = {}
        self.insurance: Seen = {}
        self.quote: Seen = {}
        self.dti = 0.0
        self.granted = 0.0
        self.payment = 0.0

    @property
    def product(self) -> Product:
        """Row of T1 and T2 for the requested product."""
        return self.policy.products[self.case["product"]]

    @property
    def requested(self) -> float:
        amount: float = self.case["requested_amount"]
        return amount

    # -- 5.1 intake ---------------------------------------------------------------------------------------------------

    def earliest_id_expiry(self) -> str:
        """Return the earliest expiry date of all applicants' identity documents (5.1.2)."""
        earliest: str = min(person["document_expiry"] for person in self.people.values())
        return earliest

    def checklist(self) -> str:
        """Return the code of the product's checklist (T2)."""
        return self.product.checklist

    def intake_ending(self, check: Seen) -> Ending | None:
        """Return the ending if the request is out of range or incomplete, otherwise None (5.1.3 and T5)."""
        if check["status"] == "complete":
            return None
        return Ending("deny" if check["status"] == "out_of_range" else "incomplete", check["finding"])

    # -- 5.2 identity -------------------------------------------------------------------------------------------------

    def identity_ending(self) -> Ending | None:
        """Return the ending if an identity was not confirmed, otherwise None (5.2.2 and T5)."""
        return Ending("deny", "identity_not_verified") if self.unverified() else None

    # -- 5.3 watch lists ----------------------------------------------------------------------------------------------

    def match_ending(self) -> Ending | None:
        """Return the ending if an applicant is a true match, otherwise None (5.3.3 and T5, D3)."""
        matched = self.matched()
        return Ending("refer", f"{matched[0]['entry_list']}_match") if matched else None

    # -- 5.4 exposure -------------------------------------------------------------------------------------------------

    def exposed(self) -> list[str]:
        """Return the customers whose loans count towards exposure, which are all applicants (D9)."""
        return self.customers

    def closing_payoff_accounts(self) -> list[str]:
        """Return the accounts that are paid off at closing (D9)."""
        accounts: list[str] = self.case["closing_payoff_accounts"]
        return accounts

    def portfolio(self) -> str:
        """Return the code of the product's portfolio (T1)."""
        return self.product.portfolio

    # -- 5.5 credit report --------------------------------------------------------------------------------------------

    def age_of(self, day: str) -> int:
        """Return the days from a date to the business date (D1)."""
        return (self.today - date.fromisoformat(day)).days

    def is_current(self, on_file: str | None) -> bool:
        """Return True if a report on file is recent enough to be reused (D5)."""
        return on_file is not None and self.age_of(on_file) <= self.policy.report_max_age_days

    def date_on_file(self, person: Seen) -> str | None:
        """Return the date of the report on file, whether or not it is reused (5.5.1)."""
        day: str | None = person["report_on_file_date"]
        return day

    def has_alert(self, report: Seen) -> bool:
        """Return True if a report carries a fraud alert (5.5.2)."""
        return bool(report["alert_type"] != "none")

    def contact_method_of(self, report: Seen) -> str:
        """Return the code of the contact method that the alert requires (T7)."""
        return str(self.code("contact_methods", report["alert_type"]))

    def alert_ending(self, confirmed: list[bool]) -> Ending | None:
        """Return the ending if an applicant with a fraud alert did not confirm, otherwise None (5.5.2 and T5)."""
        return None if all(confirmed) else Ending("deny", "identity_not_verified")

    def weakest_report(self) -> Seen:
        """Return the report with the lowest score; in a tie, the primary applicant's (D6)."""
        return min(self.reports.values(), key=lambda report: int(report["score"]))

    def qualifying_score(self) -> int:
        """Return the lowest score of all applicants (D6)."""
        return int(self.weakest_report()["score"])

    def main_factor(self) -> str:
        """Return the main factor of the report with the qualifying score (T5)."""
        factor: str = self.weakest_report()["main_factor"]
        return factor

    def score_ending(self) -> Ending | None:
        """Return the ending if the score is below the minimum, otherwise None (5.5.3 and T5)."""
        return Ending("deny", self.main_factor()) if self.qualifying_score() < self.policy.min_credit_score else None

    # -- 5.6 employment and income ------------------------------------------------------------------------------------

    def verification_method_of(self, person: Seen) -> str:
        """Return the code of the source that verifies the applicant's employment (T7)."""
        return str(self.code("verification_methods", person["employment_type"]))

    def employment_ending(self) -> Ending | None:
        """Return the ending if an employment was not confirmed, otherwise None (5.6.2 and T5)."""
        if any(job["employment_status"] == "not_confirmed" for job in self.jobs.values()):
            return Ending("deny", "employment_not_verified")
        return None

    def gross_pay(self, job: Seen) -> float:
        """Return the gross pay, which counts instead of the net pay (D14)."""
        pay: float = job["gross_pay"]
        return pay

    def periods_of(self, job: Seen) -> int:
        """Return the number of pay periods a year (D14)."""
        return int(self.code("pay_periods", job["pay_type"]))

    def total_income(self, incomes: dict[str, float]) -> float:
        """Add up the incomes of all applicants (5.6.3)."""
        return usd(sum(map(to_cents, incomes.values())))

    # -- 5.7 debts ----------------------------------------------------------------------------------------------------

    def debt_reports(self) -> list[Seen]:
        """Return the reports whose tradelines count, which are those of all applicants (5.7.1)."""
        return list(self.reports.values())

    def is_paid_off(self, line: Seen) -> bool:
        """Return True if a tradeline is paid off at closing (D8 (a))."""
        return line["tradeline_id"] in self.case["closing_payoff_tradelines"]

    def is_nearly_paid(self, line: Seen) -> bool:
        """Return True if the line is an installment loan with few payments left (D8 (b))."""
        return bool(line["kind"] == "installment" and line["payments_left"] <= self.policy.short_debt_payments)

    def is_anothers(self, line: Seen) -> bool:
        """Return True if the tradeline belongs to another person (D8 (c))."""
        return bool(line["role"] == "authorized_user")

    def is_uncounted(self, line: Seen) -> bool:
        """Return True if a tradeline is excluded from the debts (5.7.1)."""
        return self.is_paid_off(line) or self.is_nearly_paid(line) or self.is_anothers(line)

    def excluded_tradelines(self) -> list[str]:
        """Return the ids of all excluded tradelines on all reports (5.7.1)."""
        return [
            line["tradeline_id"]
            for report in self.reports.values()
            for line in report["tradelines"]
            if self.is_uncounted(line)
        ]

    def housing_replaced(self) -> bool:
        """Return True if the loan replaces the present housing cost (5.7.2)."""
        return bool(self.case["product"] == "home" and self.case["property_use"] == "primary")

    def support_paid(self) -> float:
        """Return the monthly support paid (D8)."""
        paid: float = self.case["monthly_support_paid"]
        return paid

    # -- 5.8 collateral -----------------------------------------------------------------------------------------------

    def collateral_value(self) -> float:
        """Return the lower of price and appraised value (5.8.1 and D10)."""
        lower: float = min(self.case["purchase_price"], self.case["appraised_value"])
        return lower

    def collateral_ending(self) -> Ending | None:
        """Return the ending if the appraisal is out of date or the vehicle too old, otherwise None (5.8.1 and T5)."""
        finding = self.item["collateral_finding"]
        if finding == "none":
            return None
        return Ending("incomplete" if finding == "appraisal_expired" else "deny", finding)

    def required_cover(self) -> str:
        """Return the code of the cover that the collateral requires (T7)."""
        return str(self.code("required_covers", self.item["collateral_type"]))

    def insurance_ending(self) -> Ending | None:
        """Return the ending if the collateral is not insured as required, otherwise None (5.8.2 and T5)."""
        if self.insurance["insurance_status"] == "adequate":
            return None
        return Ending("incomplete", "insurance_insufficient")

    # -- 5.9 price and affordability ----------------------------------------------------------------------------------

    def considered_amount(self) -> float:
        """Return the requested amount or, if lower, the largest loan that the collateral supports (D10)."""
        largest: float = self.item.get("max_loan_amount", self.requested)
        return min(self.requested, largest)

    def is_too_small(self, amount: float) -> bool:
        """Return True if an amount is below the product's minimum (5.9.1 and 5.9.4)."""
        return to_cents(amount) < self.product.min_amount

    def small_ending(self) -> Ending:
        """Return the ending for collateral that supports less than the product's minimum (T5)."""
        return Ending("deny", "collateral_insufficient")

    def mortgage_insurance(self, cost: Seen) -> float:
        """Return the monthly mortgage insurance, which counts in the comparison with the limits (D11)."""
        monthly: float = cost["monthly_mortgage_insurance"]
        return monthly

    def escrow(self) -> float:
        """Return the monthly escrow, 0 if there is none (D11)."""
        monthly: float = self.insurance.get("monthly_escrow", 0.0)
        return monthly

    def is_within_limits(self, first: Seen) -> bool:
        """Return True if the first comparison found the payment within the limits (D11 and D12)."""
        return bool(first["within_limits"])

    def amount_to_offer(self, first: Seen) -> float:
        """Return the largest affordable amount of the first comparison (5.9.4)."""
        amount: float = first["max_affordable_amount"]
        return amount

    def limit_reason(self, first: Seen) -> str:
        """Return the reason for the limit that binds in the first comparison (T5)."""
        return "excessive_obligations" if first["binding_limit"] == "dti" else "payment_to_income_high"

    def refused_ending(self, first: Seen) -> Ending:
        """Return the ending for an affordable amount below the product's minimum (T5)."""
        return Ending("deny", self.limit_reason(first))

    def offered_ending(self, first: Seen) -> Ending:
        """Return the ending for a smaller amount that is offered because of income (T5)."""
        return Ending("counter_offer", self.limit_reason(first))

    def granted_ending(self, amount: float) -> Ending:
        """Return the ending for an amount within the limits: an approval, unless the collateral reduced it (T5)."""
        if amount == self.requested:
            return Ending("approve", "none")
        return Ending("counter_offer", "collateral_insufficient")

    # -- 5.10 decision ------------------------------------------------------------------------------------------------

    def is_escalated(self) -> bool:
        """Return True if the exposure is above the branch's limit (5.10.2)."""
        return to_cents(self.exposure or 0.0) > self.policy.escalation_exposure

    def routing(self, decision: str) -> str:
        """Return the desk that reviews the closed file (5.10.2)."""
        if decision == "refer":
            return "compliance"
        if self.exposure is None:
            return "intake"
        return "senior_credit" if self.is_escalated() else "branch"

    def recorded_amounts(self, decision: str) -> Seen:
        """Return the granted amount and its payment without mortgage insurance (5.10.3)."""
        return {"approved_amount": self.granted, "monthly_payment": self.payment}

    def recorded_figures(self, decision: str) -> Seen:
        """Return the latest debt-to-income ratio and the exposure, 0 if the case ended before them (5.10.3)."""
        return {"dti_percent": self.dti, "total_exposure": self.exposure or 0.0}

    # -- 5.11 letters -------------------------------------------------------------------------------------------------

    def disclosure_of(self, record: Seen) -> str:
        """Return the disclosure that the product requires (T1)."""
        return self.policy.products[record["product"]].disclosure

    def score_in_letter(self) -> int:
        """Return the score for the notice, 0 if no report was obtained (5.11.2, 5.5.1)."""
        return self.qualifying_score() if self.reports else 0

    def delivery(self, record: Seen) -> str:
        """Return the recorded delivery preference (5.11.1 and 5.11.2)."""
        way: str = record["delivery_preference"]
        return way

    def clock_start(self, record: Seen) -> date:
        """Return the day from which the due date is counted (5.11.3)."""
        return date.fromisoformat(record["clock_start"])

    def after_calendar_days(self, start: date, days: int) -> date:
        """Return the date ``days`` calendar days after ``start``, which itself is not counted (T6)."""
        return start + timedelta(days=days)

    def compliance_days(self, reason: str) -> int:
        """Return the business days that compliance has to report (T6)."""
        return self.policy.compliance_business_days[reason]

    def due_date(self, decision: str, reason: str, start: date) -> date:
        """Return the day on which the next action is due (T6)."""
        if decision == "approve":
            return self.after_business_days(start, self.policy.disclosure_business_days)
        if decision == "refer":
            return self.after_business_days(start, self.compliance_days(reason))
        return self.rolled_back(self.after_calendar_days(start, self.policy.notice_days))
