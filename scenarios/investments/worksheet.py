"""Notes of the investments expert that every case uses, with its questions to the calendar tool."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import ClassVar

from teller_gym.base.money import usd
from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.banking.officer.notes import FailureNotes
from teller_gym.scenarios.investments.expert import Officer
from teller_gym.scenarios.investments.judgement import CARRIED_OUT, Ending

MOST_PRICES = 12
"""Largest number of prices in one call of the estimate tool."""


class Worksheet(FailureNotes, Officer):
    """Notes persons, file, dates and decision; lets tools count business days and add up positions."""

    plain_notes: ClassVar[Mapping[str, str]] = {
        "add_days": "start_date days",
    }

    next_day = priced_on = effective = ""

    # -- 5.1 to 5.3 ---------------------------------------------------------------------------------------------------

    def match_key(self, customer: str, screening: Seen) -> Note:
        """Return the entry id, which identifies a possible match here (5.2.2)."""
        return of(screening, "list_entry_id")

    def note_check_account_authority(self, arguments: Seen) -> Note:
        """Note the cleared entries if there were possible matches (5.3.1)."""
        return of(arguments, "cleared_entry_ids") if self.possible() else {}

    def file_ending(self) -> Ending | None:
        """Note each restriction and, if none stops the request, each authority (5.3.2 and 5.3.3)."""
        self.jot(**of(self.case, "business_date", "request_type"))
        rows = [
            {**of(row, "kind", "until"), "in_force": self.in_force(row), "stops": self.stops(row)}
            for row in self.file["restrictions"]
        ]
        if rows:
            self.jot(restrictions=rows)
        if not any(row["stops"] for row in rows):
            self.jot(authorities=[self.authority(row) for row in self.file["authorities"]])
        return super().file_ending()

    def stops(self, row: Seen) -> bool:
        """Return True if a restriction is in force and stops the request (T3)."""
        return self.in_force(row) and self.is_stopped(row["kind"])

    def authority(self, row: Seen) -> Note:
        """Note an authority, with the owners who have not signed if that matters (T2)."""
        joint = row["authority"] == "joint_owner" and self.request_type == "withdrawal"
        others = of(self.file, "owners_not_signing") if joint else {}
        return {**of(row, "customer_id", "authority", "until"), **others, "may_instruct": self.may_instruct(row)}

    # -- D2 and 5.5 ---------------------------------------------------------------------------------------------------

    def moved(self, start: date, days: int, unit: str = "business") -> Asking:
        """Ask the calendar to move a date by some days."""
        return (yield from self.ask("add_days", start_date=start.isoformat(), days=days, unit=unit))

    def ask_trade_date(self) -> Steps:
        """Note the instruction's time, and ask for the next business day if it was late (D2)."""
        late = self.is_late(self.file["instructed_at"])
        self.jot(**of(self.case, "business_date"), **of(self.file, "instructed_at"), late=late)
        if late and not self.next_day:
            self.next_day = (yield from self.moved(self.today, 1))["result_date"]

    def trade_date(self, instructed_at: str) -> date:
        """Return the trade date that the calendar reported (D2)."""
        return date.fromisoformat(self.next_day) if self.is_late(instructed_at) else self.today

    def ask_price_date(self) -> Steps:
        """Ask for the last business day before the trade date (D2)."""
        yield from self.ask_trade_date()
        self.priced_on = (yield from self.moved(self.trade_date(self.file["instructed_at"]), -1))["result_date"]

    def price_date(self) -> date:
        """Return the price date that the calendar reported (D2)."""
        return date.fromisoformat(self.priced_on)

    def linked(self, purpose: str) -> list[Note]:
        """Note for each linked account whether it counts (D7)."""
        kind = ("account_type",) if purpose == "distribution" else ()
        return [
            {**of(row, "account_id", "relation", *kind, "status"), "counts": self.is_counted(row, purpose)}
            for row in self.file["linked_accounts"]
        ]

    def value_accounts(self) -> Steps:
        """Ask for the price date, then value the accounts (5.5.2)."""
        yield from self.ask_price_date()
        yield from super().value_accounts()

    def note_value_positions(self, arguments: Seen) -> Note:
        """Note the accounts that count, and the price basis (5.5.1 and T10)."""
        rows = {} if self.request_type == "withdrawal" else {"accounts": self.linked(self.request_type)}
        names = ("account_ids", "valuation_date", "price_basis")
        return {**rows, **of(self.case, "request_type"), **of(arguments, *names)}

    def ask_value(self, rows: list[Seen], cash: float = 0.0, fall: float = 0.0) -> Asking:
        """Ask for the value of positions and cash, in several calls if one estimate does not take all positions."""
        found: Seen = {"estimated_value": cash}
        for first in range(0, len(rows), MOST_PRICES):
            part = rows[first : first + MOST_PRICES]
            found = yield from self.ask(
                "estimate_portfolio_value",
                account_id=self.account_id,
                share_prices=[row["price"] for row in part],
                share_counts=[row["quantity"] for row in part],
                cash_on_hand=found["estimated_value"],
                assumed_fall_percent=fall,
            )
        return found

    # -- 5.12 and 5.13 ------------------------------------------------------------------------------------------------

    def close(self, ending: Ending) -> Steps:
        """Keep the ending for later notes, then close the case (5.12)."""
        self.ending = ending
        yield from super().close(ending)

    def note_record_investment_decision(self, arguments: Seen) -> Note:
        """Note the decision, with the stated value if it is the recorded amount (5.12, T8)."""
        stated = self.ending.decision not in CARRIED_OUT and self.ending.reason != "margin_deficiency"
        return {
            **of(arguments, "decision", "reason", "quantity"),
            **({"stated_value": usd(self.stated_value)} if stated else {}),
            **of(arguments, "decided_amount", "review_desk"),
        }

    def release(self, record: Seen) -> Asking:
        """Ask for the effective date, then release the instruction (5.13)."""
        start, days = self.today, self.days_to_count(record)
        if record["decision"] in CARRIED_OUT:
            yield from self.ask_trade_date()
            start = self.trade_date(record["instructed_at"])
            how = {"transfer": "assets_liquidated", "withdrawal": "payment_method", "distribution": "payment_method"}
            kind = record["decided_type"]
            self.jot(**of(record, "decided_type", *([how[kind]] if kind in how else [])))
        else:
            self.jot(**of(record, "decision", "reason"))
        self.effective = (yield from self.moved(start, days))["result_date"]
        return (yield from super().release(record))

    def days_to_count(self, record: Seen) -> int:
        """Return the business days until the instruction takes effect (T8)."""
        if record["decision"] in CARRIED_OUT:
            return self.working_days(record)
        if record["decision"] == "refer":
            return self.policy.referral_days[record["reason"]]
        return self.answer_days(record["reason"])

    def effective_date(self, record: Seen) -> date:
        """Return the effective date that the calendar reported (T8)."""
        return date.fromisoformat(self.effective)

    def note_release_instruction(self, arguments: Seen) -> Note:
        """Note the basis of the instruction type (T10)."""
        why = {"decision": self.ending.decision}
        if self.ending.decision == "refuse":
            why["reason"] = self.ending.reason
        kind = {} if self.ending.decision == "refer" else of(self.case, "request_type")
        return {**why, **kind, **of(arguments, "instruction_type")}
