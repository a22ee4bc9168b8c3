"""The expert: works a loan case with the tools, seeing only the request, the policy that the SOP shows, and results."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import date, timedelta
from typing import Any

from teller_gym.base.dates import add_business_days, on_or_before_business_day
from teller_gym.base.money import to_cents, usd
from teller_gym.scenarios.loans.policy import LoanPolicy, Product
from teller_gym.tools.call import Call

Steps = Generator[Call, dict[str, Any], None]
Asking = Generator[Call, dict[str, Any], dict[str, Any]]

_LETTERS = {"counter_offer": "counter_offer", "deny": "denial", "incomplete": "incompleteness"}


class _CaseEndedError(Exception):
    """The case ended before its last step (SOP D4)."""

    def __init__(self, decision: str, reason: str) -> None:
        super().__init__(decision, reason)
        self.decision = decision
        self.reason = reason


def _ask(name: str, **arguments: Any) -> Asking:
    return (yield Call(name, arguments))


def work(request: str, policy: LoanPolicy) -> Steps:
    """Work the case that the request names, to its final review."""
    yield from _Officer(request, policy).work()


class _Officer:
    """What the expert knows of the case so far."""

    def __init__(self, request: str, policy: LoanPolicy) -> None:
        self.policy = policy
        self.application_id = re.findall(r"LA-\d{6}", request)[0]
        self.customers: list[str] = re.findall(r"CU-\d{6}", request)
        self.case: dict[str, Any] = {}
        self.people: dict[str, dict[str, Any]] = {}
        self.reports: dict[str, dict[str, Any]] = {}
        self.exposure: float | None = None
        self.dti = 0.0
        self.granted = 0.0
        self.payment = 0.0

    def work(self) -> Steps:
        """Go through the SOP's steps; an ended case goes on with the decision."""
        try:
            yield from self._intake()
            screenings = yield from self._identify_and_screen()
            yield from self._measure_exposure()
            yield from self._check_credit(screenings)
            income = yield from self._measure_income()
            debts = yield from self._measure_debts()
            value, largest, escrow = yield from self._assess_collateral()
            decision, reason = yield from self._price(income, debts, value, largest, escrow)
        except _CaseEndedError as end:
            decision, reason = end.decision, end.reason
        yield from self._close(decision, reason)

    @property
    def today(self) -> date:
        return date.fromisoformat(self.case["business_date"])

    @property
    def product(self) -> Product:
        return self.policy.products[self.case["product"]]

    def _intake(self) -> Steps:
        self.case = yield from _ask("get_application_data", application_id=self.application_id)
        self.people = {person["customer_id"]: person for person in self.case["applicants"]}
        check = yield from _ask(
            "check_application_completeness",
            application_id=self.application_id,
            product=self.case["product"],
            requested_amount=self.case["requested_amount"],
            term_months=self.case["term_months"],
            received_date=self.case["received_date"],
            earliest_id_expiry=min(person["document_expiry"] for person in self.people.values()),
            documents=self.case["documents"],
            checklist=self.product.checklist,
        )
        if check["status"] != "complete":
            raise _CaseEndedError("deny" if check["status"] == "out_of_range" else "incomplete", check["finding"])

    def _identify_and_screen(self) -> Generator[Call, dict[str, Any], dict[str, str]]:
        checks: dict[str, dict[str, Any]] = {}
        for customer in self.customers:
            person = self.people[customer]
            names = ("full_name", "date_of_birth", "document_type", "document_last4", "document_expiry", "country")
            given = {name: person[name] for name in names}
            registry = self.policy.registries[person["document_type"]]
            checks[customer] = yield from _ask("verify_identity", customer_id=customer, **given, registry=registry)
        if any(check["identity_status"] == "failed" for check in checks.values()):
            raise _CaseEndedError("deny", "identity_not_verified")
        screenings: dict[str, dict[str, Any]] = {}
        for customer, check in checks.items():
            screenings[customer] = yield from _ask(
                "screen_watch_list",
                customer_id=customer,
                verification_id=check["verification_id"],
                verified_name=check["verified_name"],
                date_of_birth=check["date_of_birth"],
                country=check["country"],
                list_scope=self.policy.list_scope_of(check["country"]),
            )
        found = [customer for customer, screening in screenings.items() if screening["list_entry_id"] is not None]
        matched = []
        for customer in found:
            if (yield from self._resolve_match(customer, screenings[customer])) == "true_match":
                matched.append(screenings[customer]["entry_list"])
        if matched:
            raise _CaseEndedError("refer", f"{matched[0]}_match")
        return {customer: screening["screening_id"] for customer, screening in screenings.items()}

    def _resolve_match(self, customer: str, screening: dict[str, Any]) -> Generator[Call, dict[str, Any], str]:
        same_birth = screening["entry_date_of_birth"] == screening["screened_date_of_birth"]
        same_country = screening["entry_country"] == screening["screened_country"]
        disposition = "true_match" if same_birth and same_country else "false_positive"
        yield from _ask(
            "resolve_watch_list_match",
            customer_id=customer,
            screening_id=screening["screening_id"],
            list_entry_id=screening["list_entry_id"],
            date_of_birth_matches=same_birth,
            country_matches=same_country,
            disposition=disposition,
        )
        return disposition

    def _measure_exposure(self) -> Steps:
        result = yield from _ask(
            "calculate_total_exposure",
            application_id=self.application_id,
            customer_ids=self.customers,
            requested_amount=self.case["requested_amount"],
            closing_payoff_accounts=self.case["closing_payoff_accounts"],
            portfolio=self.product.portfolio,
        )
        self.exposure = result["total_exposure"]

    def _check_credit(self, screenings: dict[str, str]) -> Steps:
        for customer, screening_id in screenings.items():
            person = self.people[customer]
            on_file = person["report_on_file_date"]
            age = (self.today - date.fromisoformat(on_file)).days if on_file else None
            current = age is not None and age <= self.policy.report_max_age_days
            self.reports[customer] = yield from _ask(
                "pull_credit_report",
                customer_id=customer,
                screening_id=screening_id,
                request_type="reuse" if current else "new",
                report_on_file_date=on_file,
                consent_date=person["consent_date"],
                permissible_purpose=self.policy.credit_purpose,
            )
        confirmed = []
        for customer, report in self.reports.items():
            if report["alert_type"] != "none":
                answer = yield from _ask(
                    "resolve_fraud_alert",
                    customer_id=customer,
                    report_id=report["report_id"],
                    alert_type=report["alert_type"],
                    contact_phone_last4=report["alert_phone_last4"],
                    contact_method=self.policy.contact_methods[report["alert_type"]],
                )
                confirmed.append(answer["application_confirmed"])
        if not all(confirmed):
            raise _CaseEndedError("deny", "identity_not_verified")
        weakest = min(self.reports.values(), key=lambda report: int(report["score"]))
        if weakest["score"] < self.policy.min_credit_score:
            raise _CaseEndedError("deny", weakest["main_factor"])

    def _measure_income(self) -> Generator[Call, dict[str, Any], float]:
        jobs: dict[str, dict[str, Any]] = {}
        for customer in self.customers:
            person = self.people[customer]
            stated = {name: person[name] for name in ("employer_name", "employment_type", "start_date", "pay_type")}
            jobs[customer] = yield from _ask(
                "verify_employment",
                application_id=self.application_id,
                customer_id=customer,
                **stated,
                verification_method=self.policy.verification_methods[person["employment_type"]],
            )
        if any(job["employment_status"] == "not_confirmed" for job in jobs.values()):
            raise _CaseEndedError("deny", "employment_not_verified")
        total = 0
        for customer, job in jobs.items():
            names = (
                "employment_id",
                "pay_type",
                "gross_pay",
                "hours_per_week",
                "prior_year_profit",
                "latest_year_profit",
            )
            pay = {name: job[name] for name in names}
            periods = self.policy.pay_periods[job["pay_type"]]
            result = yield from _ask(
                "calculate_qualifying_income", customer_id=customer, **pay, periods_per_year=periods
            )
            total += to_cents(result["monthly_income"])
        return usd(total)

    def _measure_debts(self) -> Generator[Call, dict[str, Any], float]:
        lines = [line for report in self.reports.values() for line in report["tradelines"]]
        result = yield from _ask(
            "calculate_monthly_debts",
            application_id=self.application_id,
            report_ids=[report["report_id"] for report in self.reports.values()],
            excluded_tradelines=[line["tradeline_id"] for line in lines if self._is_uncounted(line)],
            monthly_housing_cost=self.case["monthly_housing_cost"],
            housing_replaced=self.case["product"] == "home" and self.case["property_use"] == "primary",
            monthly_support_paid=self.case["monthly_support_paid"],
        )
        debts: float = result["monthly_debts"]
        return debts

    def _is_uncounted(self, line: dict[str, Any]) -> bool:
        nearly_paid = line["kind"] == "installment" and line["payments_left"] <= self.policy.short_debt_payments
        paid_off = line["tradeline_id"] in self.case["closing_payoff_tradelines"]
        return paid_off or nearly_paid or bool(line["role"] == "authorized_user")

    def _assess_collateral(self) -> Generator[Call, dict[str, Any], tuple[float, float, float]]:
        """Return collateral value, largest loan and monthly escrow, in dollars."""
        requested: float = self.case["requested_amount"]
        if self.case["collateral_id"] is None:
            return 0.0, requested, 0.0
        names = ("collateral_id", "collateral_type", "appraisal_date")
        item = yield from _ask(
            "assess_collateral",
            application_id=self.application_id,
            requested_amount=requested,
            collateral_value=min(self.case["purchase_price"], self.case["appraised_value"]),
            **{name: self.case[name] for name in names},
        )
        if item["collateral_finding"] != "none":
            raise _CaseEndedError(
                "incomplete" if item["collateral_finding"] == "appraisal_expired" else "deny",
                item["collateral_finding"],
            )
        figures = (
            "policy_number",
            "coverage_amount",
            "insurance_expiry",
            "annual_premium",
            "annual_property_tax",
            "collateral_value",
        )
        insurance = yield from _ask(
            "verify_insurance",
            application_id=self.application_id,
            **{name: item[name] for name in figures},
            required_cover=self.policy.required_covers[item["collateral_type"]],
        )
        if insurance["insurance_status"] != "adequate":
            raise _CaseEndedError("incomplete", "insurance_insufficient")
        return item["collateral_value"], item["max_loan_amount"], insurance["monthly_escrow"]

    def _price(
        self, income: float, debts: float, value: float, largest: float, escrow: float
    ) -> Generator[Call, dict[str, Any], tuple[str, str]]:
        """Return decision and principal reason."""
        requested: float = self.case["requested_amount"]
        smallest = usd(self.product.min_amount)
        amount = min(requested, largest)
        if amount < smallest:
            raise _CaseEndedError("deny", "collateral_insufficient")
        quote = yield from _ask(
            "price_loan",
            application_id=self.application_id,
            product=self.case["product"],
            term_months=self.case["term_months"],
            loan_amount=amount,
            collateral_value=value,
            qualifying_score=min(int(report["score"]) for report in self.reports.values()),
            autopay=self.case["autopay"],
        )
        first = yield from self._afford(quote, amount, income, debts, escrow)
        if not first["within_limits"]:
            reason = "excessive_obligations" if first["binding_limit"] == "dti" else "payment_to_income_high"
            amount = first["max_affordable_amount"]
            if amount < smallest:
                self.granted = self.payment = 0.0
                raise _CaseEndedError("deny", reason)
            yield from self._afford(quote, amount, income, debts, escrow)
            return "counter_offer", reason
        return ("approve", "none") if amount == requested else ("counter_offer", "collateral_insufficient")

    def _afford(self, quote: dict[str, Any], amount: float, income: float, debts: float, escrow: float) -> Asking:
        names = ("quote_id", "annual_rate", "term_months", "origination_fee_percent", "mortgage_insurance_rate")
        cost = yield from _ask(
            "calculate_payment",
            application_id=self.application_id,
            loan_amount=amount,
            **{name: quote[name] for name in names},
        )
        result = yield from _ask(
            "assess_affordability",
            application_id=self.application_id,
            monthly_income=income,
            monthly_debts=debts,
            monthly_payment=cost["monthly_payment"],
            monthly_mortgage_insurance=cost["monthly_mortgage_insurance"],
            monthly_escrow=escrow,
            payment_per_thousand=cost["payment_per_thousand"],
        )
        self.granted, self.payment, self.dti = amount, cost["monthly_payment"], result["dti_percent"]
        return result

    def _close(self, decision: str, reason: str) -> Steps:
        record = yield from _ask(
            "record_credit_decision",
            application_id=self.application_id,
            decision=decision,
            routing=self._routing(decision),
            principal_reason=reason,
            approved_amount=self.granted,
            monthly_payment=self.payment,
            dti_percent=self.dti,
            total_exposure=self.exposure or 0.0,
        )
        due = self._due_date(decision, reason, date.fromisoformat(record["clock_start"])).isoformat()
        if decision == "approve":
            yield from _ask(
                "issue_loan_disclosure",
                application_id=self.application_id,
                decision_id=record["decision_id"],
                disclosure_type=self.policy.products[record["product"]].disclosure,
                approved_amount=record["approved_amount"],
                monthly_payment=record["monthly_payment"],
                delivery_method=record["delivery_preference"],
                due_date=due,
            )
        elif decision in _LETTERS:
            scores = [int(report["score"]) for report in self.reports.values()]
            yield from _ask(
                "send_adverse_action_notice",
                application_id=self.application_id,
                decision_id=record["decision_id"],
                notice_type=_LETTERS[decision],
                principal_reason=record["principal_reason"],
                credit_score_used=min(scores, default=0),
                offered_amount=record["approved_amount"],
                delivery_method=record["delivery_preference"],
                due_date=due,
            )
        names = ("decision", "routing", "principal_reason", "approved_amount", "monthly_payment")
        fields = {name: record[name] for name in names}
        yield from _ask("submit_final_review", application_id=self.application_id, **fields, action_due_date=due)

    def _routing(self, decision: str) -> str:
        if decision == "refer":
            return "compliance"
        if self.exposure is None:
            return "intake"
        return "senior_credit" if to_cents(self.exposure) > self.policy.escalation_exposure else "branch"

    def _due_date(self, decision: str, reason: str, start: date) -> date:
        policy = self.policy
        if decision == "approve":
            return add_business_days(start, policy.disclosure_business_days, policy.holidays)
        if decision == "refer":
            return add_business_days(start, policy.compliance_business_days[reason], policy.holidays)
        return on_or_before_business_day(start + timedelta(days=policy.notice_days), policy.holidays)
