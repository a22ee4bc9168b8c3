"""The savings expert with written reasoning: its notes before each call, and the dates it asks the calendar for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.savings.account_working import AccountWorking
from teller_gym.scenarios.savings.expert import Settling
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.policy import SavingsPolicy

ASKED = ("pledged", "document_missing", "first_days", "custodianship_ended", "not_of_age", "purpose_not_permitted",
         "for_beneficiary")  # fmt: skip
"""Reasons recorded with the requested amount (T7)."""


def work(request: str, policy: SavingsPolicy) -> Steps:
    """Work a request to its final review, with notes before each call."""
    yield from Thorough(request, policy).work()


class Thorough(AccountWorking):
    """Notes the source of each argument, and leaves all counting of days to the calendar tool."""

    plain_notes: ClassVar[Mapping[str, str]] = {
        "add_days": "start_date days",
    }

    last_of_grace = due = ""
    term_age = 0

    # -- 5.2 and 5.3 --------------------------------------------------------------------------------------------------

    def restriction_ending(self, record: Seen) -> Ending | None:
        """Note each restriction if one could end the case (5.3.2)."""
        rows = [
            {**of(row, "kind", "placed_on", "lifted_on"), "in_force": self.is_in_force(row)}
            for row in record["restrictions"]
        ]
        ending = super().restriction_ending(record)
        if rows and self.stopped_by():
            self.jot(**of(self.case, "business_date"), restrictions=rows, stopped=ending is not None)
        return ending

    # -- 5.4 ----------------------------------------------------------------------------------------------------------

    def withdraw(self) -> Settling:
        """Ask the calendar for the relevant days, then work the withdrawal (5.4.1 and 5.4.2)."""
        yield from self.ask_grace_end("in_grace")
        if not self.is_in_grace(self.record):
            if self.case["event"]:
                self.jot(**self.event())
            if self.waiver_of(self.record) == "none":
                yield from self.ask_term_age()
        return (yield from super().withdraw())

    def ask_grace_end(self, name: str) -> Steps:
        """Ask for the end of the grace period unless the request came before maturity (D7)."""
        dates = {**of(self.case, "received_date"), **of(self.record, "maturity_date")}
        if self.is_early(self.record):
            self.jot(**dates, early=True, **({} if name == "in_grace" else {name: True}))
            return
        self.jot(**dates, early=False, **of(self.record, "product"))
        last = yield from self.ask(
            "add_days",
            start_date=self.record["maturity_date"],
            days=self.grace_days(self.record),
            unit="calendar",
            roll="next",
        )
        self.last_of_grace = last["result_date"]
        in_time = self.counted_day() <= self.grace_end(self.record)
        self.jot(**of(self.case, "received_date"), **of(last, "result_date"), **{name: in_time})

    def is_early(self, record: Seen) -> bool:
        """Return True if the request came before maturity (D7)."""
        return self.counted_day() < date.fromisoformat(record["maturity_date"])

    def grace_end(self, record: Seen) -> date:
        """Return the end of the grace period as the calendar returned it (D7)."""
        return date.fromisoformat(self.last_of_grace)

    def is_in_time(self, record: Seen) -> bool:
        """Return True if the instruction came before maturity or in the grace period (5.5.1)."""
        return self.is_early(record) or super().is_in_time(record)

    def event(self) -> Note:
        """Note whom the event concerns and when it happened, and the document if the event gives a waiver (D8)."""
        claimed = of(self.case, "event", "event_customer_id")
        row = self.struck_owner(self.record)
        if row is None:
            return {**claimed, "is_owner": False, "waived": False}
        day = {"death": "died_on", "incapacity": "incapacitated_on"}[self.case["event"]]
        holds = self.waiver_of(self.record) != "none"
        proof = {**of(self.case, "documents"), "on_file": self.is_proved(self.case["event"])} if holds else {}
        return {**claimed, **of(row, "role", day), **of(self.record, "term_started_on"), "waived": holds, **proof}

    def ask_term_age(self) -> Steps:
        """Ask for the number of days since the start of the term (5.4.2)."""
        span = yield from self.span(self.record["term_started_on"], self.case["business_date"])
        self.term_age = span["days"]
        self.jot(**of(span, "days"), first_days=self.is_too_young(self.record))

    def is_too_young(self, record: Seen) -> bool:
        """Return True if the number of days that the calendar returned is within the first days (5.4.2)."""
        return self.term_age <= self.policy.first_days

    def note_calculate_interest(self, arguments: Seen) -> Note:
        """Note the sources of the amount, method and day count (D9, D10 and T1)."""
        record, asked = self.records[arguments["account_id"]], self.case["requested_amount"]
        amount: Seen = {}
        if self.kind == "withdrawal":
            amount = of(self.case, "requested_amount")
            if asked:
                amount |= {"deposit": record["principal"], "too_little_remains": arguments["principal"] != asked}
        account = of(arguments, "account_id") if len(self.account_ids) > 1 else {}
        rest = of(arguments, "to_date", "method", "day_count")
        return {**account, **of(record, "product"), **amount, **of(arguments, "principal"), **rest}

    def note_assess_withdrawal(self, arguments: Seen) -> Note:
        """Note the charged days; at maturity also the reason for the payout (D11 and T2, 5.5)."""
        why: Seen = {}
        if self.kind == "maturity":
            why = of(self.case, "instruction")
            if why["instruction"] != "close":
                why |= {**self.summands(), **of(self.record, "product"), "below_minimum": True}
        terms = of(self.record, "term_months")
        return {**why, **of(arguments, "withdrawn_amount"), **terms, **of(arguments, "charge_days", "waiver")}

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def mature(self) -> Settling:
        """Ask for the grace period, and for the rates if a new term is possible (5.5)."""
        yield from self.ask_grace_end("in_time")
        if not (self.is_in_time(self.record) and self.case["instruction"] == "close"):
            self.sheet = yield from self.ask("get_rate_sheet", on_day=self.rate_day(self.record).isoformat())
        return (yield from super().mature())

    def summands(self) -> Note:
        """Note the parts of the new principal (5.5.3)."""
        handling = of(self.record, "principal", "interest_handling")
        if handling["interest_handling"] == "capitalise":
            handling |= of(self.interests[self.account_ids[0]], "interest")
        return {**handling, **(of(self.case, "requested_amount") if self.is_in_time(self.record) else {})}

    def note_schedule_maturity(self, arguments: Seen) -> Note:
        """Note the sources of the new principal, term, anchor day and rate (5.5.3 and 5.5.4)."""
        principal, months = arguments["new_principal"], arguments["term_months"]
        in_time = self.is_in_time(self.record)
        change = of(self.case, "instruction") if in_time else {"in_time": False}
        return {
            **self.summands(),
            "new_principal": principal,
            **({**of(self.record, "product"), "below_minimum": False} if in_time else {}),
            **change,
            "term_months": months,
            **of(self.record, "opened_on"),
            **of(arguments, "anchor_day"),
            "rate": self.sheet["rates"][str(months)],
            "large": self.addition(to_cents(principal)) > 0,
            **of(arguments, "annual_rate"),
        }

    # -- 5.9 and 5.10 -------------------------------------------------------------------------------------------------

    def record_decision(self, ending: Ending) -> Asking:
        """Ask for the value date, then record the decision (5.9)."""
        self.ending, self.due = ending, ending.value
        count = self.days_to_count(ending)
        if count:
            self.jot(**{ending.value: True}, **(of(self.case, "payout_method") if ending.value == "payout" else {}))
            self.due = (yield from self.ask("add_days", **count))["result_date"]
        return (yield from super().record_decision(ending))

    def days_to_count(self, ending: Ending) -> Seen:
        """Return the calendar call's arguments for the value date, empty if the date is already known (T8)."""
        policy = self.policy
        if ending.value == "answer":
            start = self.case["received_date"]
            return {"start_date": start, "days": policy.answer_days, "unit": "calendar", "roll": "previous"}
        days = {
            "payout": policy.payout_days[self.case["payout_method"]],
            "credit": policy.credit_days,
            "pend": policy.pend_days,
            "refer": policy.refer_days.get(ending.reason, 0),
        }
        if ending.value not in days:
            return {}
        start = self.case["business_date"]
        return {"start_date": start, "days": days[ending.value], "unit": "business", "roll": "none"}

    def value_date(self, ending: Ending) -> date:
        """Return the value date that the calendar returned (5.9.3)."""
        return date.fromisoformat(self.due)

    def note_record_savings_decision(self, arguments: Seen) -> Note:
        """Note the row of T7 that applies, and the codes (5.9, T7)."""
        entries = {"list_entry_id": [one["list_entry_id"] for one in self.screenings.values()]}
        if self.possible():
            matched = self.matched()
            entries |= {"true_match": [one in matched for one in self.screenings.values()]}
        return {
            **of(arguments, "decision", "reason"),
            **self.amount_source(self.ending),
            **of(arguments, "amount", "routing"),
            **of(self.case, "kind", "channel"),
            **of(arguments, "file_code"),
            **(entries if self.screenings else {}),
            **of(arguments, "screening_disposition"),
        }

    def amount_source(self, ending: Ending) -> Note:
        """Note the source of the amount, unless it is the result of a tool (T7)."""
        if ending.reason in ASKED or (ending.decision, ending.reason) == ("refer", "yearly_limit"):
            asked = of(self.case, "requested_amount")
            return asked if asked["requested_amount"] else {**asked, **of(self.record, "principal")}
        if ending.reason == "yearly_limit":
            rows = [row for row in self.activity["movements"] if self.is_yearly_withdrawal(row)]
            return {"withdrawn": [row["amount"] for row in rows]}
        return {}

    def note_send_savings_notice(self, arguments: Seen) -> Note:
        """Note the decision that determines the notice, and the addressee (5.10.1)."""
        persons = of(arguments, "customer_id") if len(self.customers) > 1 else {}
        return {**persons, "decision": self.ending.decision, **of(arguments, "notice_type")}
