"""The expert: works a request with the tools, given only its text, the policy that the SOP shows, and tool results."""

from __future__ import annotations

import re
from collections.abc import Generator

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Asking, CaseEndedError, Seen, Steps, nodes_of, of
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.judgement import Judgement
from teller_gym.scenarios.savings.policy import SavingsPolicy
from teller_gym.tools.call import Call

NOTICES = {
    "carry_out": "confirmation",
    "in_part": "partial_confirmation",
    "decline": "denial_notice",
    "pend": "information_request",
}
"""Notice type by decision (T9)."""
DECISIONS = {
    "charged": "in_part",
    "grace_period": "carry_out",
    "waived_death": "carry_out",
    "waived_incapacity": "carry_out",
    "below_minimum": "in_part",
}
"""Decision by the reason for a payout from a time deposit (T7)."""

Settling = Generator[Call, Seen, Ending]


def work(request: str, policy: SavingsPolicy) -> Steps:
    """Work a request to its final review."""
    yield from Officer(request, policy).work()


class Officer(Judgement, Intake):
    """Makes the calls of the SOP's steps; the judgements choose their arguments and when to stop."""

    case_argument = "request_id"
    nodes = nodes_of(__package__)

    def __init__(self, request: str, policy: SavingsPolicy) -> None:
        super().__init__(policy)
        self.case_id = re.findall(r"SV-\d{6}", request)[0]
        self.account_ids: list[str] = re.findall(r"AC-\d{6}", request)
        self.customers = re.findall(r"CU-\d{6}", request)

    def work(self) -> Steps:
        """Follow the SOP's steps; a case that ends early skips to its decision."""
        try:
            yield from self.take_in()
            yield from self.identify()
            yield from self.screen()
            yield from self.read_records()
            ending = yield from self.settle()
        except CaseEndedError as end:
            ending = end.ending
        yield from self.close(ending)

    # -- 5.1 to 5.3 ---------------------------------------------------------------------------------------------------

    def take_in(self) -> Steps:
        """Read the case and index its persons by customer ID (5.1)."""
        self.case = yield from self.about_case("get_application_data")
        self.people = {person["customer_id"]: person for person in self.case["persons"]}

    def to_verify(self) -> list[str]:
        """Return the customers to verify, in the order of the case record (5.2.1)."""
        return list(self.people)

    def screen_person(self, customer: str) -> Steps:
        """Screen one person against the watch lists (5.2.3)."""
        check = self.checks[customer]
        self.screenings[customer] = yield from self.ask(
            "screen_watch_list",
            customer_id=customer,
            **of(check, "verification_id", "date_of_birth", "country"),
            verified_name=str(self.screened_name(customer)),
            list_scope=self.list_scope_of(customer),
        )

    def read_records(self) -> Steps:
        """Read the account records, and end the case if the first account is restricted (5.3)."""
        for account_id in self.account_ids:
            self.records[account_id] = yield from self.about_case("get_deposit_record", account_id=account_id)
        yield from self.end(self.restriction_ending(self.record))

    @property
    def record(self) -> Seen:
        """The record of the request's first account."""
        return self.records[self.account_ids[0]]

    # -- 5.4 to 5.8 ---------------------------------------------------------------------------------------------------

    def settle(self) -> Settling:
        """Work the step for the kind of request, and return how the case ends."""
        match self.kind:
            case "withdrawal":
                return (yield from self.withdraw())
            case "maturity":
                return (yield from self.mature())
            case "bonus_interest":
                return (yield from self.assess_bonus())
            case "custodial_payout":
                return (yield from self.pay_custodial())
        return (yield from self.review_coverage())

    def withdraw(self) -> Settling:
        """Work a withdrawal from a time deposit (5.4)."""
        if self.is_in_grace(self.record):
            return (yield from self.assess("grace_period", self.interest_to_maturity(self.record), "grace_period"))
        waiver = self.waiver_of(self.record)
        if waiver != "none" and not self.is_proved(waiver):
            yield from self.end(Ending("pend", "document_missing", self.asked(self.record), "pend"))
        if waiver == "none" and self.is_too_young(self.record):
            yield from self.end(Ending("decline", "first_days", self.asked(self.record), "answer"))
        reason = "charged" if waiver == "none" else f"waived_{waiver}"
        return (yield from self.assess(waiver, self.today.isoformat(), reason))

    def assess(self, waiver: str, to_date: str, reason: str) -> Settling:
        """Compute the interest, then the charge of a withdrawal (5.4.3 to 5.4.5)."""
        amount = self.withdrawn(self.record)
        yield from self.work_out_interest(self.account_ids[0], amount, to_date)
        return (yield from self.assess_withdrawal(waiver, amount, reason))

    def assess_withdrawal(self, waiver: str, amount: float, reason: str) -> Settling:
        """Assess the charge of a withdrawal and return the ending (5.4.5)."""
        result = yield from self.fill_in(
            "assess_withdrawal",
            account_id=self.account_ids[0],
            withdrawn_amount=amount,
            charge_days=self.charge_days(self.record),
            waiver=waiver,
        )
        self.charge = result["charge"]
        return Ending(DECISIONS[reason], reason, result["payout"], "payout")

    def work_out_interest(self, account_id: str, amount: float, to_date: str) -> Asking:
        """Compute and keep the interest of an account (5.4.4)."""
        record = self.records[account_id]
        self.interests[account_id] = yield from self.fill_in(
            "calculate_interest",
            account_id=account_id,
            principal=amount,
            from_date=self.interest_from(record),
            to_date=to_date,
            method=self.method_of(record),
            day_count=self.day_count_of(record),
        )
        return self.interests[account_id]

    def mature(self) -> Settling:
        """Work the instruction for a deposit at maturity (5.5)."""
        record, in_time = self.record, self.is_in_time(self.record)
        interest = yield from self.work_out_interest(
            self.account_ids[0], record["principal"], self.interest_to_maturity(record)
        )
        if in_time and self.case["instruction"] == "close":
            return (yield from self.assess_withdrawal("grace_period", record["principal"], "grace_period"))
        principal = self.new_principal(record, interest, in_time=in_time)
        if in_time and self.is_too_small(record, principal):
            return (yield from self.assess_withdrawal("grace_period", record["principal"], "below_minimum"))
        term = yield from self.schedule(record, principal, self.new_term(record, in_time=in_time))
        decision, reason = ("carry_out", "none") if in_time else ("decline", "grace_over")
        return Ending(decision, reason, term["new_principal"], term["maturity_date"])

    def schedule(self, record: Seen, principal: int, months: int) -> Asking:
        """Schedule the new term of a renewed deposit (5.5.4)."""
        return (
            yield from self.fill_in(
                "schedule_maturity",
                account_id=self.account_ids[0],
                new_principal=usd(principal),
                term_months=months,
                anchor_day=self.anchor_day(record),
                annual_rate=self.new_rate(record, months, principal),
            )
        )

    def assess_bonus(self) -> Settling:
        """Assess the bonus interest of a period (5.6)."""
        yield from self.read_activity(self.case["period_from"], self.case["period_to"])
        result = yield from self.fill_in(
            "assess_bonus_months", account_id=self.account_ids[0], bonus_rate=self.bonus_rate(self.record)
        )
        if result["bonus_status"] == "missed":
            return Ending("decline", "conditions_missed", result["bonus_interest"], "answer")
        full = len(self.qualifying_months()) == len(self.activity["months"])
        decision, reason = ("carry_out", "none") if full else ("in_part", "months_missed")
        return Ending(decision, reason, result["bonus_interest"], "credit")

    def read_activity(self, first: str, last: str) -> Steps:
        """Read the account's movements in a period (5.6.1)."""
        self.activity = yield from self.about_case(
            "get_account_activity", account_id=self.account_ids[0], posted_from=first, posted_to=last
        )

    def pay_custodial(self) -> Settling:
        """Work a payout from a custodial account (5.7)."""
        record, custodian = self.record, self.asks_as_custodian(self.record)
        if self.is_of_age(record):
            if custodian:
                return Ending("decline", "custodianship_ended", self.asked(record), "answer")
            interest = yield from self.work_out_interest(
                self.account_ids[0], record["principal"], self.today.isoformat()
            )
            return Ending("carry_out", "of_age", interest["balance_with_interest"], "payout")
        if not custodian:
            return Ending("decline", "not_of_age", self.asked(record), "answer")
        yield from self.end(self.purpose_ending(record))
        yield from self.read_activity(self.year_start().isoformat(), self.today.isoformat())
        return self.custodian_ending(record)

    def review_coverage(self) -> Settling:
        """Compute how much of a depositor's money is insured (5.8)."""
        counted = [account_id for account_id in self.account_ids if self.category_of(self.records[account_id])]
        for account_id in counted:
            yield from self.work_out_interest(account_id, self.records[account_id]["principal"], self.today.isoformat())
        result = yield from self.about_case(
            "calculate_coverage",
            customer_id=self.customers[0],
            accounts_counted=counted,
            **self.totals(counted),
            trust_beneficiaries=self.beneficiaries(counted),
        )
        if to_cents(result["uninsured_amount"]) == 0:
            return Ending("carry_out", "none", result["insured_amount"], "answer")
        return Ending("in_part", "limit_exceeded", result["uninsured_amount"], "answer")

    # -- 5.9 and 5.10 -------------------------------------------------------------------------------------------------

    def close(self, ending: Ending) -> Steps:
        """Record the decision, send its notice and submit the final review."""
        recorded = yield from self.record_decision(ending)
        notice = NOTICES.get(recorded["decision"])
        if notice is not None:
            yield from self.notify(recorded, notice)
        yield from self.fill_in("submit_final_review")

    def record_decision(self, ending: Ending) -> Asking:
        """Record the decision with its routing, value date and charge (5.9)."""
        return (
            yield from self.fill_in(
                "record_savings_decision",
                decision=ending.decision,
                reason=ending.reason,
                routing=self.routing(ending),
                amount=ending.amount,
                charge=self.charge,
                value_date=self.value_date(ending).isoformat(),
                screening_disposition=self.disposition(),
            )
        )

    def addressee(self) -> str:
        """Return the customer who gets the notice: the first one in the request (5.10.1)."""
        return self.customers[0]

    def notify(self, recorded: Seen, notice: str) -> Steps:
        """Send the notice of a recorded decision (5.10.1)."""
        yield from self.about_case(
            "send_savings_notice",
            customer_id=self.addressee(),
            notice_type=notice,
            **of(recorded, "decision_id", "reason", "amount", "value_date"),
            delivery_method=recorded["delivery_preference"],
        )
