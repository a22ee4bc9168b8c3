"""Credit report, fraud alert, monthly debts and exposure."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.scenarios.banking.ids import AccountId, Code, CustomerId, LastFour, ScreeningId
from teller_gym.scenarios.banking.lookup import (
    SCREENING,
    check_code,
    created,
    customer,
    day,
    existing,
    obtained,
    record,
    too_early,
    wrong_id,
)
from teller_gym.scenarios.loans.tools.lookup import REPORT, application, policy_of
from teller_gym.scenarios.loans.tools.types import (
    AlertType,
    ApplicationId,
    Portfolio,
    Reason,
    ReportId,
    Score,
    TradelineId,
)
from teller_gym.tools.bank import Bank, Record
from teller_gym.tools.tool import ONCE, Act, Money, Result, tool


class Tradeline(Result):
    """A debt on a credit report."""

    tradeline_id: TradelineId
    creditor: str
    kind: Literal["installment", "lease", "revolving"]
    role: Literal["owner", "joint", "authorized_user"]
    balance: Money
    monthly_payment: Money
    payments_left: int | None
    """Remaining payments; None for a revolving account."""


class CreditReport(Result):
    """A credit report of the bureau."""

    report_id: ReportId
    report_date: date
    score: Score
    main_factor: Reason
    alert_type: AlertType
    alert_phone_last4: LastFour | None
    consumer_statement: str | None
    tradelines: list[Tradeline]


@tool(act=Act.FINAL)
def pull_credit_report(
    bank: Bank,
    customer_id: CustomerId,
    screening_id: ScreeningId,
    request_type: Literal["reuse", "new"],
    report_on_file_date: date | None,
    consent_date: date,
    permissible_purpose: Literal["credit_application", "account_review", "collection"],
) -> CreditReport:
    """Get an applicant's credit report: reuse the one on file or order a new one from the bureau.

    Args:
        customer_id: The applicant.
        screening_id: The applicant's watch-list screening.
        request_type: Whether to reuse the report on file or order a new one.
        report_on_file_date: Date of the report on file as the application has it; null if there is none.
        consent_date: When the applicant consented to the pull; not after the business date.
        permissible_purpose: The purpose for which the report is asked.
    """
    bureau = record(bank, "bureau_files", customer_id, "customer_id")
    _require_cleared(bank, customer_id, screening_id)
    if consent_date > bank.today:
        raise invalid("consent_date", f"expected a day up to the business date {bank.today}, got {consent_date}")
    on_file = bureau["on_file"]
    if request_type == "reuse" and (on_file is None or report_on_file_date != day(on_file["report_date"])):
        raise invalid(
            "report_on_file_date", f"there is no report of {report_on_file_date} on file to reuse; order a new one"
        )
    report = on_file if request_type == "reuse" else bureau["current"]
    report_date = day(report["report_date"]) if request_type == "reuse" else bank.today
    report_id = created(
        bank,
        "reports",
        "CR",
        customer_id,
        purpose=permissible_purpose,
        alert_type=report["alert_type"],
        tradelines=report["tradelines"],
    )
    return CreditReport(
        report_id=report_id,
        report_date=report_date,
        score=report["score"],
        main_factor=report["main_factor"],
        alert_type=report["alert_type"],
        alert_phone_last4=report["alert_phone_last4"],
        consumer_statement=report.get("consumer_statement"),
        tradelines=[_shown(line) for line in report["tradelines"]],
    )


def _shown(line: Record) -> Tradeline:
    return Tradeline(
        tradeline_id=line["tradeline_id"],
        creditor=line["creditor"],
        kind=line["kind"],
        role=line["role"],
        balance=usd(line["balance"]),
        monthly_payment=usd(line["monthly_payment"]),
        payments_left=line["payments_left"],
    )


def _require_cleared(bank: Bank, customer_id: str, screening_id: str) -> None:
    screening = obtained(bank, SCREENING, customer_id, "screening_id", screening_id)
    if screening["result"] == "possible_match":
        resolution = existing(bank, "match_resolutions", "MR", customer_id)
        if resolution is None or resolution["disposition"] != "false_positive":
            raise too_early(f"the possible match of {customer_id} is not cleared; resolve_watch_list_match comes first")


class AlertResolution(Result):
    """Answer of the applicant when asked to confirm the application."""

    application_confirmed: bool
    contact_note: str


@tool(act=Act.FINAL)
def resolve_fraud_alert(
    bank: Bank,
    customer_id: CustomerId,
    report_id: ReportId,
    alert_type: Literal["initial", "extended", "active_duty"],
    contact_phone_last4: LastFour,
    contact_method: Code,
) -> AlertResolution:
    """Contact an applicant whose bureau file carries a fraud alert, in the way the alert asks for, and record the
    answer.

    Args:
        customer_id: The applicant.
        report_id: The report that shows the alert.
        alert_type: The alert's type.
        contact_phone_last4: Last four digits of the phone number in the alert.
        contact_method: Code of the way in which the applicant is contacted.
    """
    customer(bank, customer_id)
    report = obtained(bank, REPORT, customer_id, "report_id", report_id)
    if report["alert_type"] != alert_type:
        raise invalid("alert_type", f"expected the alert on the report, {report['alert_type']}, got {alert_type}")
    check_code("contact_method", contact_method, policy_of(bank).contact_methods.values())
    contact = record(bank, "alert_contacts", customer_id, "customer_id")
    reached = contact["phone_last4"] == contact_phone_last4 and contact["method"] == contact_method
    confirmed = reached and contact["confirms"]
    created(bank, "alert_resolutions", "AR", customer_id, confirmed=confirmed)
    note = "applicant reached" if reached else "nobody could be reached this way"
    return AlertResolution(application_confirmed=confirmed, contact_note=note)


class MonthlyDebts(Result):
    """Counted monthly obligations in dollars."""

    monthly_debts: Money
    counted_tradelines: list[TradelineId]


@tool(act=Act.REVISABLE)
def calculate_monthly_debts(
    bank: Bank,
    application_id: ApplicationId,
    report_ids: Annotated[list[ReportId], Meta(min_length=1, max_length=2), ONCE],
    excluded_tradelines: Annotated[list[TradelineId], ONCE],
    monthly_housing_cost: Money,
    housing_replaced: bool,
    monthly_support_paid: Money,
) -> MonthlyDebts:
    """Add up monthly obligations: the payments of all tradelines on the reports but the excluded ones, housing,
    support. A tradeline that stands on both applicants' reports counts once; a revolving one with a payment of 0
    counts the policy's share of its balance.

    Args:
        application_id: The application.
        report_ids: Credit reports of all applicants.
        excluded_tradelines: Tradelines that the policy does not count; an empty list if there are none.
        monthly_housing_cost: Present housing cost a month as the application has it, replaced or not, in dollars.
        housing_replaced: Whether the new loan replaces the present housing cost, which then is not added.
        monthly_support_paid: Alimony and child support paid a month, in dollars.
    """
    case = application(bank, application_id)
    lines = _tradelines(bank, case, report_ids)
    for tradeline_id in excluded_tradelines:
        if tradeline_id not in lines:
            raise invalid(
                "excluded_tradelines", f"{tradeline_id} stands on none of the reports {', '.join(report_ids)}"
            )
    counted = {key: line for key, line in lines.items() if key not in excluded_tradelines}
    share = policy_of(bank).zero_payment_share
    total = sum(_obligation(line, share) for line in counted.values()) + to_cents(monthly_support_paid)
    if not housing_replaced:
        total += to_cents(monthly_housing_cost)
    bank.update("applications", application_id, monthly_debts=total)
    return MonthlyDebts(monthly_debts=usd(total), counted_tradelines=list(counted))


def _tradelines(bank: Bank, case: Record, report_ids: list[str]) -> dict[str, Record]:
    """Return the tradelines on the reports, by id."""
    lines: dict[str, Record] = {}
    for report_id in report_ids:
        report = bank.get("reports", report_id)
        if report is None:
            for person in case["applicants"]:
                owner = person["customer_id"]
                if existing(bank, "reports", "CR", owner) is None:
                    raise too_early(f"there is no report of {owner} yet; pull_credit_report comes first")
            raise wrong_id("report_ids", report_id, "pull_credit_report")
        for line in report["tradelines"]:
            lines.setdefault(line["tradeline_id"], line)
    return lines


def _obligation(line: Record, zero_payment_share: int) -> int:
    """Return a tradeline's monthly cents; a revolving one that reports no payment counts a share of its balance."""
    payment: int = line["monthly_payment"]
    if payment == 0 and line["kind"] == "revolving":
        return divide_half_up(line["balance"] * zero_payment_share, 10_000)
    return payment


class Exposure(Result):
    """Total exposure in dollars and the loan accounts counted in it."""

    total_exposure: Money
    counted_accounts: list[AccountId]


@tool(act=Act.REVISABLE)
def calculate_total_exposure(
    bank: Bank,
    application_id: ApplicationId,
    customer_ids: Annotated[list[CustomerId], Meta(min_length=1, max_length=2), ONCE],
    requested_amount: Money,
    closing_payoff_accounts: Annotated[list[AccountId], ONCE],
    portfolio: Portfolio,
) -> Exposure:
    """Add the amount asked for to the applicants' outstanding loan balances with this bank, payoffs at closing left
    out.

    Args:
        application_id: The application.
        customer_ids: All applicants.
        requested_amount: The amount asked for, in dollars.
        closing_payoff_accounts: Loan accounts with this bank that are paid off at closing; an empty list if none.
        portfolio: Code of the portfolio that the new loan would belong to.
    """
    application(bank, application_id)
    if portfolio not in [product.portfolio for product in policy_of(bank).products.values()]:
        raise invalid("portfolio", f"there is no portfolio {portfolio}; the SOP lists them")
    for customer_id in customer_ids:
        record(bank, "customers", customer_id, "customer_ids")
    loans = {k: a for k, a in bank.rows("accounts") if a["kind"] == "loan" and a["customer_id"] in customer_ids}
    for account in closing_payoff_accounts:
        if account not in loans:
            raise invalid("closing_payoff_accounts", f"{account} is no loan of {', '.join(customer_ids)}")
    counted = {key: loan for key, loan in loans.items() if key not in closing_payoff_accounts}
    total = to_cents(requested_amount) + sum(loan["balance"] for loan in counted.values())
    bank.update("applications", application_id, total_exposure=total)
    created(bank, "exposures", "EX", application_id, portfolio=portfolio, total=total)
    return Exposure(total_exposure=usd(total), counted_accounts=list(counted))
