"""The expert of Loans at a worksheet: what it notes before each call, and the days that it asks the calendar for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Jotting, Note
from teller_gym.scenarios.loans.expert import Officer
from teller_gym.scenarios.loans.judgement import NOTICES, Ending
from teller_gym.scenarios.loans.policy import LoanPolicy


def work(request: str, policy: LoanPolicy) -> Steps:
    """Work the case that the request names, to its final review, showing the working."""
    yield from Thorough(request, policy).work()


class Thorough(Jotting, Officer):
    """Notes what an argument follows from, and counts no days itself."""

    def __init__(self, request: str, policy: LoanPolicy) -> None:
        super().__init__(request, policy)
        self.ages: dict[str, int] = {}

    def notes(self) -> Mapping[str, Callable[[Seen], Note]]:
        """See the method of the tool."""
        return {
            "check_application_completeness": self.of_intake,
            "verify_identity": self.of_identity,
            "screen_watch_list": self.of_screening,
            "resolve_watch_list_match": self.of_match,
            "calculate_total_exposure": self.of_exposure,
            "pull_credit_report": self.of_report,
            "resolve_fraud_alert": self.of_alert,
            "verify_employment": self.of_employment,
            "calculate_qualifying_income": self.of_income,
            "calculate_monthly_debts": self.of_debts,
            "assess_collateral": self.of_collateral,
            "verify_insurance": self.of_insurance,
            "price_loan": self.of_price,
            "calculate_payment": self.of_payment,
            "assess_affordability": self.of_comparison,
            "record_credit_decision": self.of_decision,
            "add_days": self.of_days,
        }

    # -- 5.1 to 5.4 ---------------------------------------------------------------------------------------------------

    def of_intake(self, arguments: Seen) -> Note:
        """5.1.2."""
        expiries = [person["document_expiry"] for person in self.people.values()]
        dates = {"document_expiry": expiries, **of(arguments, "earliest_id_expiry")} if len(expiries) > 1 else {}
        return {**dates, **of(arguments, "product", "checklist")}

    def of_identity(self, arguments: Seen) -> Note:
        """5.2.1."""
        return of(arguments, "customer_id", "document_type", "registry")

    def of_screening(self, arguments: Seen) -> Note:
        """5.3.1."""
        return of(arguments, "customer_id", "country", "list_scope")

    def of_match(self, arguments: Seen) -> Note:
        """5.3.2."""
        screening = self.screenings[arguments["customer_id"]]
        return {
            **of(screening, "entry_date_of_birth", "screened_date_of_birth"),
            **of(arguments, "date_of_birth_matches"),
            **of(screening, "entry_country", "screened_country"),
            **of(arguments, "country_matches", "disposition"),
        }

    def of_exposure(self, arguments: Seen) -> Note:
        """5.4.1."""
        return of({"product": self.case["product"], **arguments}, "product", "portfolio")

    # -- 5.5 to 5.7 ---------------------------------------------------------------------------------------------------

    def pull_report(self, customer: str) -> Steps:
        """5.5.1: the age of a report on file is asked for."""
        on_file = self.people[customer]["report_on_file_date"]
        if on_file is not None:
            dates = {"start_date": on_file, "end_date": self.case["business_date"]}
            self.ages[customer] = (yield from self.ask("days_between", **dates, unit="calendar"))["days"]
        yield from super().pull_report(customer)

    def of_report(self, arguments: Seen) -> Note:
        """5.5.1."""
        customer = arguments["customer_id"]
        age = {"days": self.ages[customer]} if customer in self.ages else {}
        return {"customer_id": customer, **of(arguments, "report_on_file_date"), **age, **of(arguments, "request_type")}

    def of_alert(self, arguments: Seen) -> Note:
        """5.5.2."""
        return of(arguments, "customer_id", "alert_type", "contact_method")

    def scores(self) -> Note:
        """5.5.3: the scores of all applicants, and the lowest."""
        return {
            "score": [report["score"] for report in self.reports.values()],
            "qualifying_score": self.qualifying_score(),
        }

    def of_employment(self, arguments: Seen) -> Note:
        """5.5.3 before the first applicant's, and 5.6.1."""
        scores = {} if self.jobs else self.scores()
        return {**scores, **of(arguments, "customer_id", "employment_type", "verification_method")}

    def of_income(self, arguments: Seen) -> Note:
        """D14."""
        return of(arguments, "customer_id", "pay_type", "periods_per_year")

    def of_debts(self, arguments: Seen) -> Note:
        """5.7: one tradeline after the other."""
        lines = [
            {**of(line, "tradeline_id", "kind", "role", "payments_left"), "excluded": self.is_uncounted(line)}
            for report in self.debt_reports()
            for line in report["tradelines"]
        ]
        case = of(self.case, "closing_payoff_tradelines", "product", "property_use")
        return {
            "closing_payoff_tradelines": case.pop("closing_payoff_tradelines"),
            "tradelines": lines,
            **case,
            **of(arguments, "housing_replaced"),
        }

    # -- 5.8 and 5.9 --------------------------------------------------------------------------------------------------

    def of_collateral(self, arguments: Seen) -> Note:
        """D10."""
        return {**of(self.case, "purchase_price", "appraised_value"), **of(arguments, "collateral_value")}

    def of_insurance(self, arguments: Seen) -> Note:
        """5.8.2."""
        return {**of(self.item, "collateral_type"), **of(arguments, "required_cover")}

    def of_price(self, arguments: Seen) -> Note:
        """D6 and D10."""
        largest = of(self.item, "max_loan_amount") if self.item else {}
        return {"requested_amount": self.requested, **largest, **of(arguments, "loan_amount"), **self.scores()}

    def of_payment(self, arguments: Seen) -> Note:
        """5.9.2 and 5.9.4: which amount it is."""
        return of(arguments, "loan_amount")

    def of_comparison(self, arguments: Seen) -> Note:
        """5.6.3 and 5.9.3."""
        return of(arguments, "monthly_income", "monthly_debts")

    # -- 5.10 to 5.12 -------------------------------------------------------------------------------------------------

    def record(self, ending: Ending) -> Asking:
        """5.10; the ending is noted before its day is counted."""
        self.ending = ending
        return (yield from super().record(ending))

    def of_decision(self, arguments: Seen) -> Note:
        """5.10: what the routing follows from."""
        factor = {**self.scores(), "main_factor": self.main_factor()} if self.reports else {}
        exposure = {} if self.exposure is None else {"total_exposure": self.exposure}
        return {**factor, **exposure, **of(arguments, "decision", "routing", "principal_reason")}

    def close(self, ending: Ending) -> Steps:
        """5.10 to 5.12: the day is asked for."""
        record = yield from self.record(ending)
        due = (yield from self.ask("add_days", **self.days_to_count(record)))["result_date"]
        if record["decision"] == "approve":
            yield from self.disclose(record, due)
        elif record["decision"] in NOTICES:
            yield from self.notify(record, due)
        names = ("decision", "routing", "principal_reason", "approved_amount", "monthly_payment")
        yield from self.about_case("submit_final_review", **of(record, *names), action_due_date=due)

    def days_to_count(self, record: Seen) -> Seen:
        """T6, as the calendar is asked."""
        decision, policy = record["decision"], self.policy
        days, unit, roll = policy.notice_days, "calendar", "previous"
        if decision == "approve":
            days, unit, roll = policy.disclosure_business_days, "business", "none"
        elif decision == "refer":
            days, unit, roll = self.compliance_days(record["principal_reason"]), "business", "none"
        return {"start_date": record["clock_start"], "days": days, "unit": unit, "roll": roll}

    def of_days(self, arguments: Seen) -> Note:
        """T6: what is counted for."""
        return of(
            {"decision": self.ending.decision, "principal_reason": self.ending.reason}, "decision", "principal_reason"
        )
