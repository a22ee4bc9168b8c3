"""The expert: works a loan case with the tools, seeing only the request, the policy that the SOP shows, and results."""

from __future__ import annotations

import re
from collections.abc import Generator

from teller_gym.procedure import officer
from teller_gym.procedure.officer import Asking, CaseEndedError, Seen, Steps, of
from teller_gym.scenarios.loans.judgement import NOTICES, Ending, Judgement
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.call import Call


def work(request: str, policy: LoanPolicy) -> Steps:
    """Work the case that the request names, to its final review."""
    yield from Officer(request, policy).work()


class Officer(Judgement, officer.Officer):
    """Makes the calls of the SOP's steps; what to call them with, and when to stop, is for the judgements."""

    case_argument = "application_id"

    def __init__(self, request: str, policy: LoanPolicy) -> None:
        super().__init__(policy)
        self.case_id = re.findall(r"LA-\d{6}", request)[0]
        self.customers = re.findall(r"CU-\d{6}", request)

    def work(self) -> Steps:
        """Go through the SOP's steps; an ended case goes on with the decision."""
        try:
            yield from self.take_in()
            yield from self.identify()
            yield from self.screen()
            yield from self.measure_exposure()
            yield from self.check_credit()
            yield from self.verify_employment()
            yield from self.measure_income()
            yield from self.measure_debts()
            yield from self.check_collateral()
            ending = yield from self.price()
        except CaseEndedError as end:
            ending = end.ending
        yield from self.close(ending)

    # -- 5.1 to 5.4 ---------------------------------------------------------------------------------------------------

    def take_in(self) -> Steps:
        """5.1."""
        self.case = yield from self.about_case("get_application_data")
        self.people = {person["customer_id"]: person for person in self.case["applicants"]}
        check = yield from self.about_case(
            "check_application_completeness",
            **of(self.case, "product", "requested_amount", "term_months", "received_date"),
            earliest_id_expiry=self.earliest_id_expiry(),
            documents=self.case["documents"],
            checklist=self.checklist(),
        )
        yield from self.end(self.intake_ending(check))

    def identify(self) -> Steps:
        """5.2."""
        for customer in self.customers:
            yield from self.verify_identity(customer)
        yield from self.end(self.identity_ending())

    def verify_identity(self, customer: str) -> Steps:
        """5.2.1 for an applicant."""
        person = self.people[customer]
        names = ("full_name", "date_of_birth", "document_type", "document_last4", "document_expiry", "country")
        self.checks[customer] = yield from self.ask(
            "verify_identity", customer_id=customer, **of(person, *names), registry=self.registry_of(person)
        )

    def screen(self) -> Steps:
        """5.3."""
        for customer in self.checks:
            yield from self.screen_applicant(customer)
        matched = []
        for customer, screening in self.screenings.items():
            if screening["list_entry_id"] is not None and (yield from self.resolve_match(customer)):
                matched.append(screening)
        yield from self.end(self.match_ending(matched))

    def screen_applicant(self, customer: str) -> Steps:
        """5.3.1 for an applicant."""
        check = self.checks[customer]
        self.screenings[customer] = yield from self.ask(
            "screen_watch_list",
            customer_id=customer,
            verification_id=check["verification_id"],
            verified_name=self.screened_name(customer),
            date_of_birth=check["date_of_birth"],
            country=check["country"],
            list_scope=self.list_scope_of(customer),
        )

    def resolve_match(self, customer: str) -> Generator[Call, Seen, bool]:
        """5.3.2: record how a possible match is decided; return whether it is a true one."""
        screening = self.screenings[customer]
        same_birth, same_country = self.same_birth(screening), self.same_country(screening)
        is_true = self.is_true_match(same_birth, same_country)
        yield from self.ask(
            "resolve_watch_list_match",
            customer_id=customer,
            **of(screening, "screening_id", "list_entry_id"),
            date_of_birth_matches=same_birth,
            country_matches=same_country,
            disposition="true_match" if is_true else "false_positive",
        )
        return is_true

    def measure_exposure(self) -> Steps:
        """5.4."""
        result = yield from self.about_case(
            "calculate_total_exposure",
            customer_ids=self.exposed(),
            requested_amount=self.requested,
            closing_payoff_accounts=self.closing_payoff_accounts(),
            portfolio=self.portfolio(),
        )
        self.exposure = result["total_exposure"]

    # -- 5.5 to 5.7 ---------------------------------------------------------------------------------------------------

    def check_credit(self) -> Steps:
        """5.5."""
        for customer in self.screenings:
            yield from self.pull_report(customer)
        confirmed = []
        for customer, report in self.reports.items():
            if self.has_alert(report):
                confirmed.append((yield from self.resolve_alert(customer)))
        yield from self.end(self.alert_ending(confirmed))
        yield from self.end(self.score_ending())

    def pull_report(self, customer: str) -> Steps:
        """5.5.1 for an applicant."""
        person = self.people[customer]
        self.reports[customer] = yield from self.ask(
            "pull_credit_report",
            customer_id=customer,
            screening_id=self.screenings[customer]["screening_id"],
            request_type="reuse" if self.is_current(person["report_on_file_date"]) else "new",
            report_on_file_date=self.date_on_file(person),
            consent_date=person["consent_date"],
            permissible_purpose=self.policy.credit_purpose,
        )

    def resolve_alert(self, customer: str) -> Generator[Call, Seen, bool]:
        """5.5.2: contact an applicant; return whether the application was confirmed."""
        report = self.reports[customer]
        answer = yield from self.ask(
            "resolve_fraud_alert",
            customer_id=customer,
            **of(report, "report_id", "alert_type"),
            contact_phone_last4=report["alert_phone_last4"],
            contact_method=self.contact_method_of(report),
        )
        return bool(answer["application_confirmed"])

    def verify_employment(self) -> Steps:
        """5.6.1 and 5.6.2."""
        for customer in self.customers:
            yield from self.verify_job(customer)
        yield from self.end(self.employment_ending())

    def verify_job(self, customer: str) -> Steps:
        """5.6.1 for an applicant."""
        person = self.people[customer]
        self.jobs[customer] = yield from self.about_case(
            "verify_employment",
            customer_id=customer,
            **of(person, "employer_name", "employment_type", "start_date", "pay_type"),
            verification_method=self.verification_method_of(person),
        )

    def measure_income(self) -> Steps:
        """5.6.3."""
        incomes: dict[str, float] = {}
        for customer, job in self.jobs.items():
            result = yield from self.ask(
                "calculate_qualifying_income",
                customer_id=customer,
                **of(job, "employment_id", "pay_type"),
                gross_pay=self.gross_pay(job),
                **of(job, "hours_per_week", "prior_year_profit", "latest_year_profit"),
                periods_per_year=self.periods_of(job),
            )
            incomes[customer] = result["monthly_income"]
        self.income = self.total_income(incomes)

    def measure_debts(self) -> Steps:
        """5.7."""
        result = yield from self.about_case(
            "calculate_monthly_debts",
            report_ids=[report["report_id"] for report in self.debt_reports()],
            excluded_tradelines=self.excluded(),
            monthly_housing_cost=self.case["monthly_housing_cost"],
            housing_replaced=self.is_housing_replaced(),
            monthly_support_paid=self.support_paid(),
        )
        self.debts = result["monthly_debts"]

    # -- 5.8 and 5.9 --------------------------------------------------------------------------------------------------

    def check_collateral(self) -> Steps:
        """5.8, of secured loans."""
        if self.case["collateral_id"] is None:
            return
        yield from self.assess_collateral()
        yield from self.end(self.collateral_ending())
        yield from self.verify_insurance()
        yield from self.end(self.insurance_ending())

    def assess_collateral(self) -> Steps:
        """5.8.1."""
        self.item = yield from self.about_case(
            "assess_collateral",
            requested_amount=self.requested,
            collateral_value=self.collateral_value(),
            **of(self.case, "collateral_id", "collateral_type", "appraisal_date"),
        )

    def verify_insurance(self) -> Steps:
        """5.8.2."""
        figures = ("coverage_amount", "insurance_expiry", "annual_premium", "annual_property_tax", "collateral_value")
        self.insurance = yield from self.about_case(
            "verify_insurance", **of(self.item, "policy_number", *figures), required_cover=self.required_cover()
        )

    def price(self) -> Generator[Call, Seen, Ending]:
        """5.9: return how the case ends."""
        amount = self.considered_amount()
        if self.is_too_small(amount):
            yield from self.end(self.small_ending())
        yield from self.quote_price(amount)
        first = yield from self.compare(amount)
        if self.is_within_limits(first):
            return self.granted_ending(amount)
        offered = self.amount_to_offer(first)
        if self.is_too_small(offered):
            self.granted = self.payment = 0.0
            return self.refused_ending(first)
        yield from self.compare_again(offered)
        return self.offered_ending(first)

    def quote_price(self, amount: float) -> Steps:
        """5.9.1."""
        self.quote = yield from self.about_case(
            "price_loan",
            **of(self.case, "product", "term_months"),
            loan_amount=amount,
            collateral_value=self.item.get("collateral_value", 0.0),
            qualifying_score=self.qualifying_score(),
            autopay=self.case["autopay"],
        )

    def compare(self, amount: float) -> Asking:
        """5.9.2 and 5.9.3 for an amount."""
        cost = yield from self.work_out_payment(amount)
        return (yield from self.assess(cost))

    def compare_again(self, amount: float) -> Steps:
        """5.9.4: under the same quote."""
        yield from self.compare(amount)

    def work_out_payment(self, amount: float) -> Asking:
        """5.9.2 for an amount."""
        names = ("quote_id", "annual_rate", "term_months", "origination_fee_percent", "mortgage_insurance_rate")
        cost = yield from self.about_case("calculate_payment", loan_amount=amount, **of(self.quote, *names))
        self.granted, self.payment = amount, cost["monthly_payment"]
        return cost

    def assess(self, cost: Seen) -> Asking:
        """5.9.3 for a payment."""
        result = yield from self.about_case(
            "assess_affordability",
            monthly_income=self.income,
            monthly_debts=self.debts,
            monthly_payment=cost["monthly_payment"],
            monthly_mortgage_insurance=self.mortgage_insurance(cost),
            monthly_escrow=self.escrow(),
            payment_per_thousand=cost["payment_per_thousand"],
        )
        self.dti = result["dti_percent"]
        return result

    # -- 5.10 to 5.12 -------------------------------------------------------------------------------------------------

    def close(self, ending: Ending) -> Steps:
        """Record the decision, send its letter, and file the review."""
        record = yield from self.record(ending)
        decision: str = record["decision"]
        due = self.due_date(decision, record["principal_reason"], self.clock_start(record)).isoformat()
        if decision == "approve":
            yield from self.disclose(record, due)
        elif decision in NOTICES:
            yield from self.notify(record, due)
        names = ("decision", "routing", "principal_reason", "approved_amount", "monthly_payment")
        yield from self.about_case("submit_final_review", **of(record, *names), action_due_date=due)

    def record(self, ending: Ending) -> Asking:
        """5.10."""
        return (
            yield from self.about_case(
                "record_credit_decision",
                decision=ending.decision,
                routing=self.routing(ending.decision),
                principal_reason=ending.reason,
                **self.recorded_amounts(ending.decision),
                **self.recorded_figures(ending.decision),
            )
        )

    def disclose(self, record: Seen, due: str) -> Steps:
        """5.11.1."""
        yield from self.about_case(
            "issue_loan_disclosure",
            decision_id=record["decision_id"],
            disclosure_type=self.disclosure_of(record),
            **of(record, "approved_amount", "monthly_payment"),
            delivery_method=self.delivery(record),
            due_date=due,
        )

    def notify(self, record: Seen, due: str) -> Steps:
        """5.11.2."""
        yield from self.about_case(
            "send_adverse_action_notice",
            decision_id=record["decision_id"],
            notice_type=NOTICES[record["decision"]],
            principal_reason=record["principal_reason"],
            credit_score_used=self.score_in_letter(),
            offered_amount=record["approved_amount"],
            delivery_method=self.delivery(record),
            due_date=due,
        )
