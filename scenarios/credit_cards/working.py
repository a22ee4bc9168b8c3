"""The credit cards expert with written reasoning: its notes before each call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from teller_gym.procedure.officer import Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.credit_cards.findings import GRANTED, Findings
from teller_gym.scenarios.credit_cards.policy import CardPolicy


def work(request: str, policy: CardPolicy) -> Steps:
    """Work a request to its final review, with notes before each call."""
    yield from Thorough(request, policy).work()


class Thorough(Findings):
    """Notes the results since the last call, then the source of each argument of the next one.

    When the expert asks for a due date, the records do not contain decision and reason yet, so the note states them as
    facts, such as ``"deny":true``.
    """

    plain_notes: ClassVar[Mapping[str, str]] = {
        "get_card_activity": "case.kind cycles",
    }

    # -- 5.2 to 5.5 ---------------------------------------------------------------------------------------------------

    def note_block_card(self, arguments: Seen) -> Note:
        """Note the kind of loss, the reissue method and the hold on the replacement (5.2.1)."""
        loss = {"stolen": self.loss() == "stolen", **of(arguments, "reissue_method")}
        return {**loss, **of(self.case, "address_changed_on"), **of(arguments, "hold_replacement")}

    def note_pull_credit_report(self, arguments: Seen) -> Note:
        """Note the product and kind that determine bureau and inquiry (5.5.2)."""
        codes = {**of(self.case, "product"), **of(arguments, "bureau")}
        return {**of(arguments, "customer_id"), **codes, **of(self.case, "kind"), **of(arguments, "inquiry_type")}

    # -- 5.6 and 5.9 --------------------------------------------------------------------------------------------------

    def note_assess_ability_to_pay(self, arguments: Seen) -> Note:
        """Note obligations, income, and the limits behind the proposed one (D6, D9 and T1)."""
        present = of(self.account, "credit_limit") if self.account else {}
        limits = {**of(self.rough, "rough_limit"), **present, **of(arguments, "proposed_limit")}
        money = of(arguments, "monthly_obligations", "monthly_income")
        return {**money, **limits, **of(self.case, "product"), **of(arguments, "product_rate")}

    def note_calculate_finance_charge(self, arguments: Seen) -> Note:
        """Note payments, excluded lines, rate and late fee of a statement (5.9.1 to 5.9.4)."""
        closing = arguments["statement_date"]
        earlier = self.before(closing, 1)
        full = [self.is_paid_in_full(earlier)]
        if full[0]:
            full.append(self.is_paid_in_full(self.before(closing, 2)))
        note = {"statement_date": closing, "paid_in_full": full, **of(arguments, "interest_basis")}
        excluded = arguments["excluded_line_ids"]
        marked = [line for line in self.lines() if line["type"] == "purchase" and line["mark"]]
        rows = [{**of(line, "line_id", "posted", "mark"), "excluded": line["line_id"] in excluded} for line in marked]
        note |= {"marked": rows, **self.rate_of(closing), **of(arguments, "purchase_rate")}
        paid = self.is_minimum_paid(earlier)
        note |= {**of(earlier, "minimum_due"), **of(self.summed[earlier["closing_date"]], *self.payments(earlier))}
        note |= {"minimum_paid": paid}
        if not paid:
            note |= {"fees_before": self.fees_before(closing), "repeated": self.is_repeated(closing)}
        return {**note, **of(arguments, "late_fee")}

    def fees_before(self, closing: str) -> list[float]:
        """Return the late fees of the preceding statements that make a fee a repeated one (D21)."""
        earlier = [row for row in self.account["statements"] if row["closing_date"] < closing]
        return [row["late_fee"] for row in earlier[-self.policy.fee_lookback :]]

    def payments(self, row: Seen) -> tuple[str, ...]:
        """Return the name of the payment sum, if payments on the statement were read."""
        return ("payments",) if "payments" in self.summed[row["closing_date"]] else ()

    def rate_of(self, closing: str) -> Note:
        """Return the facts that determine the rate of a statement (D20)."""
        effective = of(self.account, "rate_effective_date")
        if effective["rate_effective_date"] is None:
            return effective
        return {**effective, "raise_in_force": self.purchase_rate(closing) == self.account["purchase_rate"]}

    # -- 5.10 and 5.11 ------------------------------------------------------------------------------------------------

    def note_open_dispute(self, arguments: Seen) -> Note:
        """Note the code, the amounts and the dates of a dispute (5.10.2)."""
        lines = [line for line in self.lines() if line["line_id"] in arguments["line_ids"]]
        posted = {"posted": [line["posted"] for line in lines], **of(arguments, "first_statement_date")}
        if self.kind == "lost_card":
            return {"stolen": self.loss() == "stolen", **of(arguments, "reason_code"), **self.loss_amounts(), **posted}
        key = arguments["line_ids"][0]
        complaint = next(row for row in self.case["complaints"] if row["line_id"] == key)
        note = {**of(complaint, "line_id", "complaint", "goods"), **of(arguments, "track", "reason_code")}
        note |= {**self.parts[key], **of(arguments, "credited_amount"), **posted}
        if arguments["track"] != "billing_error":
            return note
        closing, latest = self.last_complete_closing().isoformat(), self.case["received_date"]
        days = [
            self.days_asked[(latest, self.policy.resolution_cap_days, "calendar", "previous")],
            self.days_asked[(closing, 0, "calendar", "previous")],
        ]
        return {**note, "days": days, **of(arguments, "resolve_by")}

    def loss_amounts(self) -> Note:
        """Return the credited amounts and those that the holder bears (5.8.2)."""
        credited = self.credited_lines()
        borne = [line["amount"] for line in credited if self.is_at_holders_risk(line)]
        return {"credited": [line["amount"] for line in credited], "borne": borne}

    def note_issue_card_decision(self, arguments: Seen) -> Note:
        """Note the decision, its letter and amounts, and the source of the due date (5.11)."""
        note = {**of(self.case, "kind"), **of(arguments, "decision", "principal_reason", "letter_code")}
        note |= {**self.amounts(), **of(arguments, "amount")}
        if self.opened and self.ending.decision in GRANTED:
            return {**note, "resolve_by": [day.isoformat() for day in self.opened], **of(arguments, "due_date")}
        if self.kind == "interest_review" and self.ending.decision in GRANTED:
            days = {**of(self.case, "business_date"), **of(self.account, "closing_day")}
            return {**note, **days, **of(arguments, "due_date")}
        return note

    def amounts(self) -> Note:
        """Return the components of the amount (5.11.1 and D26)."""
        settled = self.ending.decision in GRANTED or self.ending.reason == "above_authority"
        if self.kind in ("new_card", "limit_increase"):
            return of(self.ability, "within_limit", "largest_limit") if settled else of(self.case, "requested_limit")
        if not self.account:
            return {}
        match self.kind:
            case "interest_review":
                rows = list(self.charges.values())
                names = ("closing_date", "interest_charged", "late_fee")
                return {"charges": rows if settled else [of(row, *names) for row in rows]}
            case "lost_card":
                if settled:
                    return self.loss_amounts()
                return {"amounts": [line["amount"] for line in self.unauthorized()]}
            case _:
                return self.complaint_amounts(settled)

    def complaint_amounts(self, settled: bool) -> Note:
        """Return the amounts of the complaints (5.7.4 and D26)."""
        complaints = self.case["complaints"]
        if not settled:
            return {"amounts": [self.line_of(complaint)["amount"] for complaint in complaints]}
        taken = [(complaint, self.finding(complaint)) for complaint in complaints]
        if self.opened:
            return {"credited": [finding.amount / 100 for _, finding in taken if finding.amount]}
        keys = [complaint["line_id"] for complaint, finding in taken if finding.amount]
        return {"accepted": [{"line_id": key, **self.parts[key]} for key in keys]}
