"""The accounts expert with written reasoning: its notes before each call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from teller_gym.procedure.officer import Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.accounts.deposits import SPECIAL
from teller_gym.scenarios.accounts.findings import DONE, Findings
from teller_gym.scenarios.accounts.policy import AccountPolicy


def work(request: str, policy: AccountPolicy) -> Steps:
    """Work a request to its final review, with notes before each call."""
    yield from Thorough(request, policy).work()


class Thorough(Findings):
    """Notes the results since the last call, then the source of each argument of the next one.

    When the expert sets deadlines, the records do not contain decision and reason yet, so the note states them as
    facts, such as ``"decline":true``. It names a clock together with its code, as in ``"refusal":"CK-71"``.
    """

    plain_notes: ClassVar[Mapping[str, str]] = {
        "send_customer_notice": "case.kind ending.decision notice_type customer_id",
    }

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def note_calculate_availability(self, arguments: Seen) -> Note:
        """Note the schedule class, then the hold, then the next-day amount (5.5.2 and 5.5.3)."""
        item = next(row for row in self.items() if row["item_id"] == arguments["item_id"])
        kind = item["item_kind"]
        note = {**of(item, "item_kind"), **({"payable": self.is_payable_to_owner(item)} if kind in SPECIAL else {})}
        note |= {**of(item, "channel"), **of(arguments, "schedule_class")}
        if not self.is_check(item):
            return note
        counted, early = self.before[item["item_id"]]
        other = self.class_of(item) == "other_check"
        reason = self.reason_of(item, self.day_of(item))
        note |= of(item, "returned_before") if reason == "redeposited" else {reason: True}
        if reason == "large_deposit" or (reason == "new_account" and not other):
            note |= {"counted_before": counted}
        note |= of(arguments, "item_amount", "held_amount", "hold_reason")
        return {**note, "next_day_before": early, **of(arguments, "next_day_amount")} if other else note

    # -- 5.6 ----------------------------------------------------------------------------------------------------------

    def note_assess_transfer_claim(self, arguments: Seen) -> Note:
        """Note the facts behind the finding, then the amount (5.6.1, 5.6.2)."""
        item = next(row for row in self.case["items"] if row["item_id"] == arguments["transfer_id"])
        row, finding = self.posted(item), arguments["finding"]
        note = {**of(item, "item_id", "item_kind"), **of(row, "kind")}
        if finding != "not_covered":
            note |= {**of(row, "statement_sent_on"), "notice_from": self.notice_from, "late": self.is_late(row)}
            if finding != "late_notice":
                note |= of(row, "access_given")
        stated = {} if item["item_kind"] == "unauthorized" else {"right_amount": item["amount"]}
        return {**note, "finding": finding, **of(row, "amount"), **stated, **of(arguments, "disputed_amount")}

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def note_set_deadline(self, arguments: Seen) -> Note:
        """Note how the case ends, and the name of the clock (5.8.1 and 5.8.2)."""
        name = next(name for name, clock in self.policy.clocks.items() if clock.code == arguments["clock"])
        ending = {self.ending.decision: True}
        if self.ending.reason != "none":
            ending[self.ending.reason] = True
        start = {arguments["start_event"]: arguments["start_date"]}
        return {**of(self.case, "kind"), **ending, **self.cause_of(name), name: arguments["clock"], **start}

    def cause_of(self, name: str) -> Note:
        """Return the facts that determine a clock or its length (T6 to T8)."""
        match name:
            case "terms_at_the_branch" | "terms_by_letter":
                return of(self.case, "channel")
            case "availability_notice" | "hold_notice_in_person" | "hold_notice_otherwise":
                return {"held": self.held_reason() is not None, **of(self.case, "channel")}
            case "oral_stop" | "check_stop" | "debit_stop":
                return {**of(self.case, "channel", "confirmed_date"), "check_stopped": "check" in self.stopped}
            case "credit" | "credit_new_account":
                return {"new_account": any(map(self.is_early_transfer, self.covered()))}
            case "investigation" | "investigation_long":
                return {"long": any(map(self.is_long, self.covered()))}
            case "letter_to_owner" | "report":
                return {**of(self.account, "mailing_state"), "abandoned_on": self.abandoned_on}
            case "abandonment":
                return of(self.account, "mailing_state")
            case _:
                return {}

    # -- 5.9 and 5.10 -------------------------------------------------------------------------------------------------

    def note_record_account_decision(self, arguments: Seen) -> Note:
        """Note the decision, its amount and dates, the authority and the screening (5.9.1 and 5.9.2, 5.8.3)."""
        last = of(arguments, "final_date") if self.is_without_final_clock() else {}
        note = {
            **self.amounts(),
            **last,
            **of(arguments, "amount"),
            **of(self.case, "kind"),
            **of(arguments, "routing"),
        }
        if self.basis not in ("not_checked", "none"):
            if self.account["account_product"] == "custodial":
                note |= {**of(self.account, "account_product"), "former_minor": self.is_former_minor()}
            note |= {**self.signed(), **of(arguments, "authority_basis")}
        if self.screenings:
            matched = self.matched()
            outcomes = [{**of(one, "screening_result"), "same": one in matched} for one in self.screenings.values()]
            note |= {"screenings": outcomes, **of(arguments, "screening_disposition")}
        return {**of(arguments, "decision", "reason"), **note}

    def amounts(self) -> Note:
        """Return the components of the amount (5.9.3)."""
        if self.is_without_final_clock():
            asked = of(self.case, "asked_date") if self.kind == "deposit_review" else {}
            return {**asked, "parts": [row for part in self.parts for row in self.rows_of(part)]}
        if self.ending.reason == "balance_short":
            return {"lacking": self.ending.amount}
        if self.ending.decision not in DONE:
            return {}
        match self.kind:
            case "close_account":
                return {"payout": self.ending.amount}
            case "transfer_claim":
                counted = [row["counted_amount"] for row in self.covered()]
                return {"counted": counted, **({"liability": self.liable} if self.liable else {})}
            case "stop_payment":
                stopped = [item for item in self.case["items"] if not self.order_finding(item)]
                return {"stopped": [self.stop_amount(item) / 100 for item in stopped]}
            case "dormancy_review":
                return of(self.account, "ledger_balance", "accrued_interest") | {"fees": self.fees}
            case _:
                return {}

    def rows_of(self, part: Seen) -> list[Seen]:
        """Return a row for each part of an item, with its day and amount (5.5.5)."""
        pairs = (("next_day_amount", "next_day_on"), ("regular_amount", "regular_on"), ("held_amount", "held_until"))
        asked = self.case["asked_date"]
        return [
            {"on": part[on], "amount": part[amount], **({} if asked is None else {"there": part[on] <= asked})}
            for amount, on in pairs
            if part[on] is not None
        ]
