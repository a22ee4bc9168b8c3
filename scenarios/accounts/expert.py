"""The expert: works a request with the tools, given only its text, the policy that the SOP shows, and tool results."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import date

from teller_gym.procedure.officer import Asking, CaseEndedError, Seen, Steps, nodes_of, of
from teller_gym.scenarios.accounts.clocks import Clocks
from teller_gym.scenarios.accounts.deposits import Split
from teller_gym.scenarios.accounts.judgement import Ending, in_order
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.tools.call import Call

UNTOLD = {("dormancy_review", "decline")}
"""Kind and decision of requests without a notice (T9); referrals have none either."""
NOTICES = {
    ("open_account", "carry_out"): "account_terms",
    ("open_account", "decline"): "adverse_action_notice",
    ("deposit_review", "carry_out"): "availability_statement",
    ("deposit_review", "in_part"): "hold_notice",
    ("deposit_review", "decline"): "return_notice",
    ("transfer_claim", "carry_out"): "provisional_credit_notice",
    ("transfer_claim", "in_part"): "provisional_credit_notice",
    ("stop_payment", "carry_out"): "stop_confirmation",
    ("stop_payment", "in_part"): "stop_confirmation",
    ("dormancy_review", "carry_out"): "report_notice",
    ("dormancy_review", "pend"): "dormancy_warning",
    ("close_account", "carry_out"): "closing_confirmation",
}
"""Notice type by kind of request and decision, except those in ``USUAL`` (T9)."""
USUAL = {"decline": "denial_notice", "pend": "information_request"}


def work(request: str, policy: AccountPolicy) -> Steps:
    """Work a request to its final review."""
    yield from Officer(request, policy).work()


class Officer(Clocks, Intake):
    """Makes the calls of the SOP's steps; the judgements choose their arguments and when to stop."""

    case_argument = "request_id"
    nodes = nodes_of(__package__)

    def __init__(self, request: str, policy: AccountPolicy) -> None:
        super().__init__(policy)
        self.case_id = re.findall(r"SR-\d{6}", request)[0]
        self.account_ids = re.findall(r"AC-\d{6}", request)

    def work(self) -> Steps:
        """Follow the SOP's steps; a case that ends early skips to its deadlines."""
        try:
            yield from self.take_in()
            yield from self.identify()
            yield from self.screen()
            yield from self.establish_authority()
            ending = yield from self.settle()
        except CaseEndedError as end:
            ending = end.ending
        yield from self.close(ending)

    # -- 5.1 to 5.3 ---------------------------------------------------------------------------------------------------

    def take_in(self) -> Steps:
        """Read the case and the account, and end a case whose account rules it out (5.1)."""
        self.case = in_order((yield from self.about_case("get_application_data")))
        self.people = {person["customer_id"]: person for person in self.case["persons"]}
        self.customers = list(self.people)
        for account_id in self.account_ids:
            self.account = in_order((yield from self.about_case("get_account_record", account_id=account_id)))
            for other in self.related_ids():
                self.others.append((yield from self.about_case("get_account_record", account_id=other)))
            yield from self.end(self.account_ending())

    def screen(self) -> Steps:
        """Screen the persons who must be screened, and end the case on a true match or misuse (5.3)."""
        for customer, person in self.people.items():
            if self.is_screened(person):
                yield from self.screen_person(customer)
        yield from self.end(self.match_ending())
        yield from self.end(self.misuse_ending())

    def screen_person(self, customer: str) -> Steps:
        """Screen one person against watch lists and reports of other banks (5.3.1)."""
        self.screenings[customer] = yield from self.ask(
            "screen_person",
            customer_id=customer,
            **of(self.checks[customer], "verification_id", "date_of_birth", "country"),
            verified_name=self.screened_name(customer),
            list_scope=self.list_scope_of(customer),
            history_from=self.history_from().isoformat(),
        )

    # -- 5.4 to 5.7 ---------------------------------------------------------------------------------------------------

    def establish_authority(self) -> Steps:
        """Determine the requesters' authority, and end the case if they have none (5.4.2)."""
        if self.kind in self.policy.powers:
            self.basis = self.authority()
            yield from self.end(self.authority_ending())

    def settle(self) -> Generator[Call, Seen, Ending]:
        """Work the step for the kind of request, and return how the case ends (5.4.1 and 5.5 to 5.7)."""
        match self.kind:
            case "open_account":
                return self.opening_ending()
            case "deposit_review":
                yield from self.end(self.item_ending())
                yield from self.work_out_items()
                return self.deposit_ending()
            case "transfer_claim":
                yield from self.assess()
                return self.claim_ending()
            case "stop_payment":
                return self.stop_ending()
            case "dormancy_review":
                return self.dormancy_ending()
            case _:
                yield from self.end(self.blocking_service())
                yield from self.work_out_items()
                return self.closing_ending()

    def work_out_items(self) -> Steps:
        """Compute the availability of all accepted items, split by banking day (5.5)."""
        taken = self.taken()
        by_day: dict[date, list[Seen]] = {}
        for item in taken:
            by_day.setdefault(self.day_of(item), []).append(item)
        splits = {key: split for day, items in by_day.items() for key, split in self.splits(items, day).items()}
        for item in taken:
            yield from self.work_out(item, splits[item["item_id"]])

    def work_out(self, item: Seen, split: Split) -> Steps:
        """Compute the availability of one item (5.5.4)."""
        part = yield from self.fill_in(
            "calculate_availability",
            item_id=item["item_id"],
            item_amount=item["amount"],
            banking_day=self.day_of(item).isoformat(),
            schedule_class=self.schedule_code(self.class_of(item)),
            next_day_amount=split.early / 100,
            held_amount=split.held / 100,
            hold_reason=split.reason,
        )
        self.parts.append({**part, "hold_reason": split.reason})

    def assess(self) -> Steps:
        """Assess each transfer of a claim (5.6.1 and 5.6.2)."""
        for item in self.case["items"]:
            row = self.posted(item)
            finding = self.finding_of(item, row)
            result = yield from self.fill_in(
                "assess_transfer_claim",
                transfer_id=item["item_id"],
                claim_type=item["item_kind"],
                transfer_kind=row["kind"],
                **of(row, "posted_on", "statement_sent_on"),
                disputed_amount=self.disputed(item, row),
                finding=finding,
            )
            counted = {"finding": finding, "claim_type": item["item_kind"], **of(result, "counted_amount")}
            self.assessed.append({**row, **counted})

    # -- 5.8 to 5.11 --------------------------------------------------------------------------------------------------

    def close(self, ending: Ending) -> Steps:
        """Set the deadlines, record the decision, send its notice and submit the final review."""
        action, final = self.clocks_of(ending)
        due = yield from self.set_deadline("action", action, ending)
        last = self.last_day().isoformat() if final is None else (yield from self.set_deadline("final", final, ending))
        record = yield from self.record(ending, due, last)
        if self.is_told(record["decision"]):
            yield from self.notify(record)
        yield from self.fill_in("submit_final_review")

    def set_deadline(self, purpose: str, name: str, ending: Ending) -> Generator[Call, Seen, str]:
        """Set a deadline by a clock, and return its date (5.8.2)."""
        clock = self.clock(name)
        result = yield from self.about_case(
            "set_deadline",
            purpose=purpose,
            clock=clock.code,
            start_event=clock.event,
            start_date=self.start_of(clock.event).isoformat(),
            direction=self.direction_of(name),
            length=self.length_of(name, ending),
            unit=self.unit_of(name),
            roll=self.roll_of(name),
        )
        day: str = result["deadline_date"]
        return day

    def record(self, ending: Ending, due: str, last: str) -> Asking:
        """Record the decision with its dates, authority and routing (5.9)."""
        return (
            yield from self.about_case(
                "record_account_decision",
                decision=ending.decision,
                reason=ending.reason,
                routing=self.routing(ending),
                amount=ending.amount,
                action_due_date=due,
                final_date=last,
                authority_basis=self.basis,
                screening_disposition=self.disposition(),
            )
        )

    def is_told(self, decision: str) -> bool:
        """Return True if a notice must be sent (T9)."""
        return decision != "refer" and (self.kind, decision) not in UNTOLD

    def delivery(self, record: Seen) -> str:
        """Return the delivery method: the recorded preference (5.10.1)."""
        way: str = record["delivery_preference"]
        return way

    def notify(self, record: Seen) -> Steps:
        """Send the notice of the decision (5.10.1)."""
        decision = record["decision"]
        yield from self.fill_in(
            "send_customer_notice",
            customer_id=self.addressee(record["parties"]),
            notice_type=NOTICES.get((record["kind"], decision)) or USUAL[decision],
            delivery_method=self.delivery(record),
        )
