"""Facts that the closed-form solver derives from a case's records, such as exposure, income and price.

Every function implements the definition or clause that it cites, see :mod:`teller_gym.scenarios.loans.solver`. Amounts
are integer cents, policy values have the units of ``policy.yaml``; ratios are integers or exact fractions.
"""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.money import level_payment, payment_per_thousand, round_half_up
from teller_gym.procedure.task import Task
from teller_gym.scenarios.banking.solving.intake import Ledger
from teller_gym.scenarios.loans.policy import LoanPolicy, Product
from teller_gym.tools.bank import Record

POINTS = (
    "request", "documents", "identity", "watch_list", "report", "fraud_alert", "score", "employment", "collateral",
    "insurance", "affordability", "exposure", "applicants", "product",
)  # fmt: skip
"""Decision points; those that a case does not reach have the outcome ``not_reached``."""

_WHOLE = 10_000  # 100 % in hundredths of a percent


class Case(Ledger):
    """A case's records, with a ledger of the rules applied and the outcomes found."""

    def __init__(self, task: Task, policy: LoanPolicy) -> None:
        super().__init__(POINTS)
        self.task = task
        self.policy = policy

    @property
    def application(self) -> Record:
        return self.task.tables["applications"][self.task.case_id]

    @property
    def applicants(self) -> list[Record]:
        """Applicants, the primary one first (D3)."""
        applicants = self.application["applicants"]
        if len(applicants) > 1:
            self.cite("D3")
        return sorted(applicants, key=lambda applicant: bool(applicant["role"] != "primary"))

    @property
    def product(self) -> Product:
        """The policy's row for the requested product (T1)."""
        return self.policy.products[self.application["product"]]

    @property
    def asked(self) -> int:
        """Requested amount in cents."""
        return int(self.application["requested_amount"])

    def record(self, table: str, key: str) -> Record:
        """Return a record, or an empty one if it does not exist."""
        return self.task.tables.get(table, {}).get(key, {})

    def age(self, day: str) -> int:
        """Return the calendar days from ``day`` to the business date (D1)."""
        self.cite("D1")
        return (self.task.today - date.fromisoformat(day)).days


def total_exposure(case: Case) -> int:
    """Add up the requested amount and the applicants' loans, except those paid off at closing (D9)."""
    case.cite("D9")
    owners = {applicant["customer_id"] for applicant in case.applicants}
    paid_off = case.application["closing_payoff_accounts"]
    loans = (
        account["balance"]
        for key, account in case.task.tables.get("accounts", {}).items()
        if account["kind"] == "loan" and account["customer_id"] in owners and key not in paid_off
    )
    return case.asked + int(sum(loans))


def is_current(case: Case, applicant: Record) -> bool:
    """Return True if the report on file is recent enough to be reused (5.5.1, D5)."""
    case.cite("5.5.1", "D5")
    day = applicant["report_on_file_date"]
    return day is not None and case.age(day) <= case.policy.report_max_age_days


def report_of(case: Case, applicant: Record) -> Record:
    """Return the report on file if it is current, otherwise a new one (5.5.1)."""
    file = case.record("bureau_files", applicant["customer_id"])
    report: Record = file["on_file" if is_current(case, applicant) else "current"]
    return report


def reports(case: Case) -> list[Record]:
    """Return the reports of all applicants, the primary's first (5.5.1)."""
    return [report_of(case, applicant) for applicant in case.applicants]


def monthly_income(case: Case) -> int:
    """Add up the income of all applicants (5.6.3)."""
    case.cite("5.6.3", "D14", "D16")
    jobs = (case.record("employment", applicant["customer_id"]) for applicant in case.applicants)
    return sum(qualifying_income(job, case.policy) for job in jobs)


def qualifying_income(job: Record, policy: LoanPolicy) -> int:
    """Return the gross monthly income, rounded half up to the cent (D14)."""
    if job["employment_type"] == "self_employed":
        before, latest = job["prior_year_profit"], job["latest_year_profit"]
        pay = Fraction(latest) if latest < before else Fraction(before + latest, 2)
    elif job["pay_type"] == "hourly":
        pay = job["gross_pay"] * Fraction(str(job["hours_per_week"]))
    else:
        pay = Fraction(job["gross_pay"])
    return round_half_up(pay * policy.pay_periods[job["pay_type"]] / 12)


def monthly_debts(case: Case) -> int:
    """Add up tradelines (once each, even if on two reports), housing unless replaced, and support (5.7)."""
    case.cite("5.7.1", "D8", "5.7.2")
    application = case.application
    lines = [line for report in reports(case) for line in report["tradelines"]]
    counted = {line["tradeline_id"]: tradeline_payment(line, case.policy) for line in lines if _counts(case, line)}
    housing = 0 if _replaces_housing(application) else application["monthly_housing_cost"]
    return sum(counted.values()) + int(housing) + int(application["monthly_support_paid"])


def _counts(case: Case, line: Record) -> bool:
    """Return True unless a tradeline is paid off at closing, a short installment loan or another person's (D8)."""
    paid_off = line["tradeline_id"] in case.application["closing_payoff_tradelines"]
    left = line["payments_left"]
    short = line["kind"] == "installment" and left is not None and left <= case.policy.short_debt_payments
    return not (paid_off or short or line["role"] == "authorized_user")


def tradeline_payment(line: Record, policy: LoanPolicy) -> int:
    """Return the reported payment or, for a revolving account that reports none, a share of its balance (D8)."""
    if line["kind"] == "revolving" and not line["monthly_payment"]:
        return round_half_up(Fraction(line["balance"] * policy.zero_payment_share, _WHOLE))
    return int(line["monthly_payment"])


def _replaces_housing(application: Record) -> bool:
    """Return True if a home loan for a primary residence replaces the present housing cost (5.7.2)."""
    return bool(application["product"] == "home" and application["property_use"] == "primary")


def collateral_record(case: Case) -> Record:
    """Return the bank's record of the case's collateral, empty for an unsecured loan."""
    return case.record("collateral", case.application["collateral_id"])


def collateral_value(case: Case) -> int:
    """Return the lower of price and appraised value (D10)."""
    return int(min(case.application["purchase_price"], case.application["appraised_value"]))


def considered_amount(case: Case) -> int:
    """Return the requested amount or, if lower, the largest loan that the collateral supports (D10)."""
    if not case.product.secured:
        return case.asked
    case.cite("D10")
    step = case.policy.amount_step
    return min(case.asked, collateral_value(case) * case.product.max_ltv // _WHOLE // step * step)


class Quote(NamedTuple):
    """Yearly rates of the loan and of its mortgage insurance, in thousandths of a percent, and the term in months."""

    rate: int
    mortgage_insurance: int
    months: int


def price(case: Case, amount: int) -> Quote:
    """Return the rates for the amount's loan-to-value ratio and the qualifying score's grade (5.9.1, T3 and T4)."""
    case.cite("T3", "T4")
    application, policy, product = case.application, case.policy, case.product
    value = collateral_value(case) if product.secured else 0
    score = min(int(report["score"]) for report in reports(case))
    rate = product.rates[application["term_months"]] + policy.grade_of(score).surcharge
    rate -= policy.autopay_discount if application["autopay"] else 0
    insurance = 0
    if product.secured and amount * _WHOLE > value * product.ltv_surcharge_above:
        rate += product.ltv_surcharge
    if application["product"] == "home":
        above = [band for band in policy.mortgage_insurance if amount * _WHOLE > value * band.above_ltv]
        insurance = max(above, key=lambda band: band.above_ltv).rate if above else 0
    return Quote(rate, insurance, application["term_months"])


def installments(quote: Quote, amount: int) -> tuple[int, int]:
    """Return the monthly level payment and mortgage insurance, each rounded half up to the cent (D16)."""
    insurance = round_half_up(Fraction(amount * quote.mortgage_insurance, 12 * 100_000))
    return level_payment(amount, quote.rate / 1000, quote.months), insurance


def room_by_limit(case: Case) -> dict[str, Fraction]:
    """Return the room that each limit leaves for payment and mortgage insurance, unrounded (D11, D12)."""
    case.cite("D11")
    income = monthly_income(case)
    room = {"dti": Fraction(income * case.policy.max_dti, _WHOLE) - monthly_debts(case) - escrow(case)}
    if case.application["product"] == "auto":
        case.cite("D12")
        room["pti"] = Fraction(income * case.policy.max_pti, _WHOLE)
    return room


def escrow(case: Case) -> int:
    """Return a twelfth of a home's yearly insurance premium and property tax, or 0 for another product (D11)."""
    if case.application["product"] != "home":
        return 0
    item = collateral_record(case)
    return round_half_up(Fraction(item["annual_premium"] + item["annual_property_tax"], 12))


def largest_affordable(room: Fraction, quote: Quote, step: int) -> int:
    """Return the amount whose payment and mortgage insurance stay a cent below the room, in whole steps (D13)."""
    per_thousand = payment_per_thousand(quote.rate / 1000, quote.months, quote.mortgage_insurance / 1000)
    return int((room - 1) * 1000 / Fraction(str(per_thousand)) // step) * step
