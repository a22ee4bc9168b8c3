"""The loans expert with a worksheet: it notes the basis of each call, and asks the calendar tool to count days."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import ClassVar

from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Jotting, Note, columns, compared
from teller_gym.scenarios.loans.expert import Officer
from teller_gym.scenarios.loans.judgement import NOTICES, Ending
from teller_gym.scenarios.loans.policy import LoanPolicy
from teller_gym.tools.call import Call

EARNINGS = ("gross_pay", "hours_per_week", "prior_year_profit", "latest_year_profit")
"""Pay figures that an employment verification returns."""


def work(request: str, policy: LoanPolicy) -> Steps:
    """Work the case that the request names up to its final review, with notes before the calls."""
    yield from Thorough(request, policy).work()


class Thorough(Jotting, Officer):
    """Notes the basis of each argument, and leaves counting days to the calendar tool.

    Entries about a person have the prefix ``primary_`` or ``co_``, so that each can be found later under a unique name.
    """

    plain_notes: ClassVar[Mapping[str, str]] = {
        "verify_insurance": "item.collateral_type required_cover",
        "calculate_payment": "loan_amount",
        "assess_affordability": "monthly_income monthly_debts",
    }

    def __init__(self, request: str, policy: LoanPolicy) -> None:
        super().__init__(request, policy)
        self.ages: dict[str, int] = {}
        self.is_weighed = False
        self.apart: dict[str, int] = {}
        self.true_matches: list[str] = []
        self.unconfirmed: list[str] = []
        self.left_out: list[str] = []
        self.span: Note = {}
        """Entries noted before the call that counts days."""

    def prefix(self, customer: str) -> str:
        """Return the prefix of an applicant's entries."""
        return "primary_" if customer == self.customers[0] else "co_"

    def about(self, customer: str, seen: Seen, *names: str) -> Seen:
        """Return the named values of a person with the person's prefix."""
        before = self.prefix(customer)
        return {f"{before}customer_id": customer, **{before + name: seen[name] for name in names}}

    def found(self, customer: str, seen: Seen, *names: str) -> None:
        """Add a tool's findings about a person to the note before the next call."""
        before = self.prefix(customer)
        self.jot(**{before + name: seen[name] for name in names})

    def whose(self, customers: Iterable[str]) -> list[str]:
        """Return the prefixes, without underscore, of the persons that the next steps concern."""
        return [self.prefix(customer)[:-1] for customer in customers]

    def days(self, span: Note, first: str, second: str) -> Generator[Call, Seen, int]:
        """Ask for the days between two dates in either order, after noting the entries of ``span``."""
        self.span = span
        start, end = sorted((first, second))
        found = yield from self.ask("days_between", start_date=start, end_date=end, unit="calendar")
        days: int = found["days"]
        return days

    # -- 5.1 to 5.4 ---------------------------------------------------------------------------------------------------

    def note_check_application_completeness(self, arguments: Seen) -> Note:
        """Note the earliest expiry, and the values that later steps need from each applicant (5.1.2)."""
        people: Seen = {}
        for customer in self.customers:
            job = ("employer_name", "employment_type", "start_date", "pay_type")
            papers = ("report_on_file_date", "consent_date")
            people |= self.about(customer, self.people[customer], "document_expiry", *job, *papers)
        return {**people, **of(arguments, "earliest_id_expiry", "product", "checklist")}

    def note_verify_identity(self, arguments: Seen) -> Note:
        """Note the basis of the identity check's arguments (5.2.1)."""
        customer = arguments["customer_id"]
        document = ("document_type", "document_last4", "document_expiry")
        person = self.about(customer, self.people[customer], "full_name", "date_of_birth", "country", *document)
        return {**person, **of(arguments, "registry")}

    def verify_identity(self, customer: str) -> Steps:
        """Verify a person, and note the findings (5.2.1)."""
        yield from super().verify_identity(customer)
        names = ("verification_id", "verified_name", "date_of_birth", "country", "identity_status")
        self.found(customer, self.checks[customer], *names)
        self.jot(all_verified=all(map(self.is_verified, self.checks)))

    def note_screen_watch_list(self, arguments: Seen) -> Note:
        """Note the basis of the screening's arguments (5.3.1)."""
        names = ("verification_id", "verified_name", "date_of_birth", "country")
        return {**self.about(arguments["customer_id"], arguments, *names), **of(arguments, "list_scope")}

    def screen_person(self, customer: str) -> Steps:
        """Screen a person, and note the findings (5.3.1)."""
        yield from super().screen_person(customer)
        screening = self.screenings[customer]
        entry = ("list_entry_id", "entry_date_of_birth", "entry_country", "entry_list")
        on_list = screening["list_entry_id"] is not None
        screened = ("screened_date_of_birth", "screened_country")
        self.found(customer, screening, "screening_id", *((*entry, *screened) if on_list else ()))
        if len(self.screenings) == len(self.checks):
            listed = [one for one, found in self.screenings.items() if found["list_entry_id"] is not None]
            self.jot(to_compare=self.whose(listed))

    def resolve_match(self, customer: str) -> Steps:
        """Ask for the days between the two birth dates, 0 if they are the same, then resolve the match (5.3.2)."""
        screening = self.screenings[customer]
        before = self.prefix(customer)
        dates = {before + name: screening[name] for name in ("entry_date_of_birth", "screened_date_of_birth")}
        span = {**self.about(customer, screening, "screening_id", "list_entry_id"), **dates}
        self.apart[customer] = yield from self.days(span, *dates.values())
        yield from super().resolve_match(customer)
        self.true_matches += [customer] if self.is_true_match(screening) else []
        self.jot(true_matches=self.whose(self.true_matches))

    def note_resolve_watch_list_match(self, arguments: Seen) -> Note:
        """Note the comparison of birth dates and countries (5.3.2)."""
        customer = arguments["customer_id"]
        screening = self.screenings[customer]
        before = self.prefix(customer)
        return {
            **self.about(customer, screening, "screening_id", "list_entry_id"),
            "days": self.apart[customer],
            **of(arguments, "date_of_birth_matches"),
            # Side by side, because equal words are easier to recognise when they are close together.
            f"{before}countries": [screening["entry_country"], screening["screened_country"]],
            **of(arguments, "country_matches", "disposition"),
        }

    def note_calculate_total_exposure(self, arguments: Seen) -> Note:
        """Note the product, from which the portfolio follows (5.4.1)."""
        return of({"product": self.case["product"], **arguments}, "product", "portfolio")

    # -- 5.5 to 5.7 ---------------------------------------------------------------------------------------------------

    def pull_report(self, customer: str) -> Steps:
        """Ask for the age of a report on file, pull the report, and note its tradelines (5.5.1)."""
        person = self.people[customer]
        on_file = person["report_on_file_date"]
        if on_file is not None:
            span = self.about(customer, person, "report_on_file_date")
            self.ages[customer] = yield from self.days(span, on_file, self.case["business_date"])
        yield from super().pull_report(customer)
        report = self.reports[customer]
        alert = ("alert_type", "alert_phone_last4") if self.has_alert(report) else ()
        self.found(customer, report, "report_id", "score", "main_factor", *alert)
        if len(self.reports) == 1:
            # First under its own name, because left_out starts as a copy of the line above it.
            self.left_out = list(self.case["closing_payoff_tradelines"])
            self.jot(closing_payoff_tradelines=list(self.left_out))
        self.jot(left_out=list(self.left_out))
        self.jot(**{f"{self.prefix(customer)}tradelines": [self.sorted_out(line) for line in report["tradelines"]]})
        if len(self.reports) == len(self.screenings):
            self.jot(alerts=self.whose(one for one, found in self.reports.items() if self.has_alert(found)))

    def sorted_out(self, line: Seen) -> Note:
        """Note the basis of a tradeline's exclusion, and all lines excluded so far (5.7.1).

        Lines that are paid off at closing are excluded from the start.
        """
        left = line["payments_left"]
        few = left is not None and left <= self.policy.short_debt_payments
        excluded = self.is_nearly_paid(line) or self.is_anothers(line)
        if excluded and line["tradeline_id"] not in self.left_out:
            self.left_out.append(line["tradeline_id"])
        so_far = {"left_out": list(self.left_out)} if excluded else {}
        return {**line, "few_left": few, "excluded": excluded, **so_far}

    def excluded_tradelines(self) -> list[str]:
        """Return the excluded tradelines as noted (5.7.1)."""
        return self.left_out

    def note_days_between(self, arguments: Seen) -> Note:
        """Note whose dates are being compared (5.3.2 and 5.5.1)."""
        return self.span

    def resolve_alert(self, customer: str) -> Generator[Call, Seen, bool]:
        """Contact an applicant, and note the applicants who have not confirmed (5.5.2)."""
        confirmed = yield from super().resolve_alert(customer)
        self.unconfirmed += [] if confirmed else [customer]
        self.jot(unconfirmed=self.whose(self.unconfirmed))
        return confirmed

    def note_pull_credit_report(self, arguments: Seen) -> Note:
        """Note the report's age, from which the request type follows (5.5.1)."""
        customer = arguments["customer_id"]
        person = self.about(customer, arguments, "screening_id", "report_on_file_date", "consent_date")
        age = {"days": self.ages[customer]} if customer in self.ages else {}
        return {**person, **age, **of(arguments, "request_type")}

    def note_resolve_fraud_alert(self, arguments: Seen) -> Note:
        """Note the alert, from which the contact method follows (5.5.2)."""
        customer = arguments["customer_id"]
        names = ("report_id", "alert_phone_last4", "alert_type")
        return {**self.about(customer, self.reports[customer], *names), **of(arguments, "contact_method")}

    def weighing(self) -> Note:
        """Note all applicants' scores, the lowest, and its main factor; later only the last two (5.5.3)."""
        known = {"qualifying_score": self.qualifying_score(), "main_factor": self.main_factor()}
        if self.is_weighed:
            return known
        self.is_weighed = True
        scores = {
            f"score_of_{self.prefix(customer)[:-1]}": report["score"] for customer, report in self.reports.items()
        }
        return {**scores, **known}

    def note_verify_employment(self, arguments: Seen) -> Note:
        """Note the scores before the first verification, and the basis of its arguments (5.5.3, 5.6.1)."""
        scores = {} if self.jobs else self.weighing()
        names = ("employer_name", "employment_type", "start_date", "pay_type")
        return {
            **scores,
            **self.about(arguments["customer_id"], arguments, *names),
            **of(arguments, "verification_method"),
        }

    def verify_job(self, customer: str) -> Steps:
        """Verify an applicant's employment, and note the findings (5.6.1)."""
        yield from super().verify_job(customer)
        self.found(customer, self.jobs[customer], "employment_id", "employment_status", "pay_type", *EARNINGS)
        if len(self.jobs) == len(self.customers):
            self.jot(all_confirmed=self.employment_ending() is None)

    def note_calculate_qualifying_income(self, arguments: Seen) -> Note:
        """Note the pay type, from which the periods per year follow (D14)."""
        customer = arguments["customer_id"]
        names = ("employment_id", *EARNINGS) if len(self.jobs) > 1 else ()
        job = self.about(customer, self.jobs[customer], *names, "pay_type")
        return {**job, **of(arguments, "periods_per_year")}

    def total_income(self, incomes: dict[str, float]) -> float:
        """Add up the incomes, and note the addition if there are several (5.6.3)."""
        total = super().total_income(incomes)
        if len(incomes) > 1:
            self.jot(**{f"{self.prefix(customer)}monthly_income": income for customer, income in incomes.items()})
            self.jot(columns=columns(*incomes.values()), monthly_income=total)
        return total

    def note_calculate_monthly_debts(self, arguments: Seen) -> Note:
        """Note the report ids, the exclusions, and the basis of replacing the housing cost (5.7)."""
        reports = {
            f"{self.prefix(customer)}report_id": self.reports[customer]["report_id"] for customer in self.reports
        }
        case = of(self.case, "product", "property_use")
        return {**reports, **of(arguments, "excluded_tradelines"), **case, **of(arguments, "housing_replaced")}

    # -- 5.8 and 5.9 --------------------------------------------------------------------------------------------------

    def note_assess_collateral(self, arguments: Seen) -> Note:
        """Note the digit-by-digit comparison of price and appraised value (D10)."""
        values = of(self.case, "purchase_price", "appraised_value")
        known = [value for value in values.values() if value is not None]
        digits = {"compared": compared(*known)} if len(known) > 1 else {}
        return {**values, **digits, **of(arguments, "collateral_value")}

    def note_price_loan(self, arguments: Seen) -> Note:
        """Note the requested amount and the collateral's maximum, of which the lower is priced (D10)."""
        largest = of(self.item, "max_loan_amount") if self.item else {}
        return {"requested_amount": self.requested, **largest, **of(arguments, "loan_amount")}

    # -- 5.10 to 5.12 -------------------------------------------------------------------------------------------------

    def record(self, ending: Ending) -> Asking:
        """Keep the ending for the later note about the due date, then record the decision (5.10)."""
        self.ending = ending
        return (yield from super().record(ending))

    def note_record_credit_decision(self, arguments: Seen) -> Note:
        """Note the basis of the routing and the reason (5.10)."""
        factor = self.weighing() if self.reports else {}
        exposure = {} if self.exposure is None else {"total_exposure": self.exposure}
        return {**factor, **exposure, **of(arguments, "decision", "routing", "principal_reason")}

    def close(self, ending: Ending) -> Steps:
        """Ask the calendar for the due date, then close the case (5.10 to 5.12)."""
        record = yield from self.record(ending)
        due = (yield from self.ask("add_days", **self.days_to_count(record)))["result_date"]
        if record["decision"] == "approve":
            yield from self.disclose(record, due)
        elif record["decision"] in NOTICES:
            yield from self.notify(record, due)
        names = ("decision", "routing", "principal_reason", "approved_amount", "monthly_payment")
        yield from self.about_case("submit_final_review", **of(record, *names), action_due_date=due)

    def days_to_count(self, record: Seen) -> Seen:
        """Return the arguments with which the calendar counts the due date (T6)."""
        decision, policy = record["decision"], self.policy
        days, unit, roll = policy.notice_days, "calendar", "previous"
        if decision == "approve":
            days, unit, roll = policy.disclosure_business_days, "business", "none"
        elif decision == "refer":
            days, unit, roll = self.compliance_days(record["principal_reason"]), "business", "none"
        return {"start_date": record["clock_start"], "days": days, "unit": unit, "roll": roll}

    def note_add_days(self, arguments: Seen) -> Note:
        """Note the decision and reason, from which the number of days follows (T6)."""
        return of(
            {"decision": self.ending.decision, "principal_reason": self.ending.reason}, "decision", "principal_reason"
        )
