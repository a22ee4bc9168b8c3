"""The loans expert: works a case with the tools, from the request, the SOP's policy and tool results only."""

from __future__ import annotations

import re
from collections.abc import Generator

from teller_gym.procedure.officer import Asking, CaseEndedError, Seen, Steps, nodes_of, of
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.scenarios.loans.judgement import NOTICES, Ending, Judgement
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.call import Call


def work(request: str, policy: LoanPolicy) -> Steps:
    """Work the case that the request names, up to its final review."""
    yield from Officer(request, policy).work()


class Officer(Judgement, Intake):
    """Makes the calls of the SOP's steps; the inherited judgements choose the arguments and end the case early."""

    case_argument = "application_id"
    nodes = nodes_of(__package__)

    def __init__(self, request: str, policy: LoanPolicy) -> None:
        super().__init__(policy)
        self.case_id = re.findall(r"LA-\d{6}", request)[0]
        self.customers = re.findall(r"CU-\d{6}", request)

    def work(self) -> Steps:
        """Run the SOP's steps in order; a case that ends early continues with the decision."""
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
        """Read the application and check that it is complete (5.1)."""
        self.case = yield from self.about_case("get_application_data")
        self.people = {person["customer_id"]: person for person in self.case["applicants"]}
        check = yield from self.fill_in("check_application_completeness")
        yield from self.end(self.intake_ending(check))

    def screen(self) -> Steps:
        """Screen every verified applicant, and end the case on a true match (5.3)."""
        for customer in self.checks:
            yield from self.screen_person(customer)
        yield from self.resolve_matches()
        yield from self.end(self.match_ending())

    def resolve_matches(self) -> Steps:
        for customer, screening in self.screenings.items():
            if screening["list_entry_id"] is not None:
                yield from self.resolve_match(customer)

    def resolve_match(self, customer: str) -> Steps:
        """Record whether a possible match is the applicant (5.3.2)."""
        screening = self.screenings[customer]
        yield from self.fill_in(
            "resolve_watch_list_match",
            customer_id=customer,
            date_of_birth_matches=self.same_birth(screening),
            country_matches=self.same_country(screening),
            disposition="true_match" if self.is_true_match(screening) else "false_positive",
        )

    def measure_exposure(self) -> Steps:
        """Calculate the total exposure (5.4)."""
        result = yield from self.fill_in(
            "calculate_total_exposure",
            customer_ids=self.exposed(),
            closing_payoff_accounts=self.closing_payoff_accounts(),
        )
        self.exposure = result["total_exposure"]

    # -- 5.5 to 5.7 ---------------------------------------------------------------------------------------------------

    def check_credit(self) -> Steps:
        """Pull the credit reports, resolve fraud alerts and check the scores (5.5)."""
        for customer in self.screenings:
            yield from self.pull_report(customer)
        confirmed = []
        for customer, report in self.reports.items():
            if self.has_alert(report):
                confirmed.append((yield from self.resolve_alert(customer)))
        yield from self.end(self.alert_ending(confirmed))
        yield from self.end(self.score_ending())

    def pull_report(self, customer: str) -> Steps:
        """Pull an applicant's credit report, or reuse the one on file (5.5.1)."""
        person = self.people[customer]
        self.reports[customer] = yield from self.fill_in(
            "pull_credit_report",
            customer_id=customer,
            request_type="reuse" if self.is_current(person["report_on_file_date"]) else "new",
            report_on_file_date=self.date_on_file(person),
            permissible_purpose=self.policy.credit_purpose,
        )

    def resolve_alert(self, customer: str) -> Generator[Call, Seen, bool]:
        """Contact an applicant about a fraud alert; return True if the application was confirmed (5.5.2)."""
        answer = yield from self.fill_in(
            "resolve_fraud_alert",
            customer_id=customer,
            contact_method=self.contact_method_of(self.reports[customer]),
        )
        return bool(answer["application_confirmed"])

    def verify_employment(self) -> Steps:
        """Verify every applicant's employment (5.6.1 and 5.6.2)."""
        for customer in self.customers:
            yield from self.verify_job(customer)
        yield from self.end(self.employment_ending())

    def verify_job(self, customer: str) -> Steps:
        self.jobs[customer] = yield from self.fill_in(
            "verify_employment",
            customer_id=customer,
            verification_method=self.verification_method_of(self.people[customer]),
        )

    def measure_income(self) -> Steps:
        """Calculate the qualifying income of all applicants (5.6.3)."""
        incomes: dict[str, float] = {}
        for customer, job in self.jobs.items():
            result = yield from self.fill_in(
                "calculate_qualifying_income",
                customer_id=customer,
                gross_pay=self.gross_pay(job),
                periods_per_year=self.periods_of(job),
            )
            incomes[customer] = result["monthly_income"]
        self.income = self.total_income(incomes)

    def measure_debts(self) -> Steps:
        """Calculate the counted monthly debts (5.7)."""
        result = yield from self.fill_in(
            "calculate_monthly_debts",
            report_ids=[report["report_id"] for report in self.debt_reports()],
            monthly_support_paid=self.support_paid(),
        )
        self.debts = result["monthly_debts"]

    # -- 5.8 and 5.9 --------------------------------------------------------------------------------------------------

    def check_collateral(self) -> Steps:
        """Assess the collateral of a secured loan and its insurance (5.8)."""
        if self.case["collateral_id"] is None:
            return
        yield from self.assess_collateral()
        yield from self.end(self.collateral_ending())
        yield from self.verify_insurance()
        yield from self.end(self.insurance_ending())

    def assess_collateral(self) -> Steps:
        self.item = yield from self.about_case(
            "assess_collateral",
            requested_amount=self.requested,
            collateral_value=self.collateral_value(),
            **of(self.case, "collateral_id", "collateral_type", "appraisal_date"),
        )

    def verify_insurance(self) -> Steps:
        self.insurance = yield from self.fill_in("verify_insurance")

    def price(self) -> Generator[Call, Seen, Ending]:
        """Price the loan, and return the ending for the affordable amount (5.9)."""
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
        self.quote = yield from self.fill_in(
            "price_loan", loan_amount=amount, collateral_value=self.item.get("collateral_value", 0.0)
        )

    def compare(self, amount: float) -> Asking:
        """Calculate the payment for an amount, and compare it with the limits (5.9.2 and 5.9.3)."""
        cost = yield from self.work_out_payment(amount)
        return (yield from self.assess(cost))

    def compare_again(self, amount: float) -> Steps:
        """Compare a smaller amount with the limits, under the same quote (5.9.4)."""
        yield from self.compare(amount)

    def work_out_payment(self, amount: float) -> Asking:
        """Calculate the payment for an amount (5.9.2)."""
        names = ("quote_id", "annual_rate", "term_months", "origination_fee_percent", "mortgage_insurance_rate")
        cost = yield from self.about_case("calculate_payment", loan_amount=amount, **of(self.quote, *names))
        self.granted, self.payment = amount, cost["monthly_payment"]
        return cost

    def assess(self, cost: Seen) -> Asking:
        """Compare a payment with the affordability limits (5.9.3)."""
        result = yield from self.fill_in(
            "assess_affordability",
            monthly_income=self.income,
            monthly_mortgage_insurance=self.mortgage_insurance(cost),
            monthly_escrow=self.escrow(),
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
        yield from self.fill_in("submit_final_review", action_due_date=due)

    def record(self, ending: Ending) -> Asking:
        return (
            yield from self.fill_in(
                "record_credit_decision",
                decision=ending.decision,
                routing=self.routing(ending.decision),
                principal_reason=ending.reason,
                **self.recorded_amounts(ending.decision),
                **self.recorded_figures(ending.decision),
            )
        )

    def disclose(self, record: Seen, due: str) -> Steps:
        """Issue the disclosure of an approved loan (5.11.1)."""
        yield from self.fill_in(
            "issue_loan_disclosure",
            disclosure_type=self.disclosure_of(record),
            delivery_method=self.delivery(record),
            due_date=due,
        )

    def notify(self, record: Seen, due: str) -> Steps:
        """Send the notice of the decision (5.11.2)."""
        yield from self.fill_in(
            "send_adverse_action_notice",
            notice_type=NOTICES[record["decision"]],
            credit_score_used=self.score_in_letter(),
            delivery_method=self.delivery(record),
            due_date=due,
        )
