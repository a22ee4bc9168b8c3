"""The expert's judgements on transfer claims (5.6), stop orders (5.7.1) and dormancy (5.7.2)."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.deposits import Deposits
from teller_gym.scenarios.accounts.judgement import Ending
from teller_gym.scenarios.accounts.policy import StateRule

NO_TRANSFERS = ("check", "wire_transfer")
CARD_TRANSFERS = ("pos_debit", "atm_withdrawal")
OWNER_ACTIVITY = ("owner_deposit", "owner_withdrawal", "sign_in", "owner_call", "owner_letter")
BANK_OBLIGATIONS = ("cashiers_check", "certified_check")


def add_months(day: date, months: int) -> date:
    """Return the date some months later, or the last day of that month if it has no such day (D20)."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


class Claims(Deposits):
    """Judgements on claims, stop orders and dormancy."""

    def posted(self, item: Seen) -> Seen:
        """Return the transfer's row in the account's activity (5.6.1)."""
        return next(row for row in self.account["activity"] if row["transfer_id"] == item["item_id"])

    def is_late(self, row: Seen) -> bool:
        """Return True if a claim came after the notice period that starts with the statement (5.6.1)."""
        if row["statement_sent_on"] is None:
            return False
        return (self.received - date.fromisoformat(row["statement_sent_on"])).days > self.policy.claim_notice_days

    def was_allowed(self, item: Seen, row: Seen) -> bool:
        """Return True if the owner had given access for the transfer (5.6.1)."""
        return bool(item["item_kind"] == "unauthorized" and row["access_given"])

    def finding_of(self, item: Seen, row: Seen) -> str:
        """Return the first finding that applies to a transfer (5.6.1)."""
        if row["kind"] in NO_TRANSFERS:
            return "not_covered"
        if self.is_late(row):
            return "late_notice"
        return "authorized" if self.was_allowed(item, row) else "covered"

    def disputed(self, item: Seen, row: Seen) -> float:
        """Return the amount in dispute, in dollars (5.6.2)."""
        if item["item_kind"] == "unauthorized":
            amount: float = row["amount"]
            return amount
        return (to_cents(row["amount"]) - to_cents(item["amount"])) / 100

    def covered(self) -> list[Seen]:
        """Return the assessed transfers that are covered by the claim (5.6)."""
        return [row for row in self.assessed if row["finding"] == "covered"]

    def loss_limit(self) -> date:
        """Return the last day on which reporting the loss keeps the low liability limit (D19)."""
        missed = date.fromisoformat(self.case["card_missed_date"])
        return self.after_business_days(missed, self.policy.loss_business_days)

    def is_borne(self, row: Seen) -> bool:
        """Return True if the customer may have to bear part of a transfer (D19)."""
        by_card = row["claim_type"] == "unauthorized" and row["kind"] in CARD_TRANSFERS
        return by_card and date.fromisoformat(row["posted_on"]) <= self.received

    def liability(self) -> int:
        """Return the amount that the customer bears, in cents (D19)."""
        if self.case["card_missed_date"] is None:
            return 0
        limit, policy = self.loss_limit(), self.policy
        rows = [row for row in self.covered() if self.is_borne(row)]
        early = sum(to_cents(r["counted_amount"]) for r in rows if date.fromisoformat(r["posted_on"]) <= limit)
        later = sum(to_cents(r["counted_amount"]) for r in rows) - early
        if self.received <= limit:
            return min(policy.liability_low, early + later)
        return min(policy.liability_high, min(policy.liability_low, early) + later)

    def confirmation_limit(self) -> date:
        """Return the last day for a written confirmation of an oral notice (5.6.3)."""
        return self.after_business_days(self.received, self.policy.confirmation_business_days)

    def is_unconfirmed(self) -> bool:
        """Return True if an oral notice was not confirmed in time (5.6.3)."""
        confirmed, limit = self.case["confirmed_date"], self.confirmation_limit()
        if self.case["channel"] != "phone" or self.today <= limit:
            return False
        return confirmed is None or date.fromisoformat(confirmed) > limit

    def claim_ending(self) -> Ending:
        """Return the ending of a transfer claim (5.6.3 and T5)."""
        findings = [row["finding"] for row in self.assessed]
        if "covered" not in findings:
            return Ending("decline", findings[0])
        if self.is_unconfirmed():
            return Ending("pend", "confirmation_missing")
        liability = self.liability()
        amount = sum(to_cents(row["counted_amount"]) for row in self.assessed) - liability
        if amount == 0:
            return Ending("decline", "customer_liability")
        uncovered = next((finding for finding in findings if finding != "covered"), None)
        if uncovered:
            return Ending("in_part", uncovered, amount / 100)
        return Ending(
            "in_part" if liability else "carry_out", "customer_liability" if liability else "none", amount / 100
        )

    def is_early_transfer(self, row: Seen) -> bool:
        """Return True if a transfer was posted shortly after the account's first deposit (T6)."""
        first = date.fromisoformat(self.account["first_deposit_on"])
        return (date.fromisoformat(row["posted_on"]) - first).days <= self.policy.new_account_days

    def is_abroad(self, row: Seen) -> bool:
        """Return True for a transfer outside the US (T6)."""
        return bool(row["country"] != "US")

    # -- 5.7.1 stop orders --------------------------------------------------------------------------------------------

    def order_day(self) -> date:
        """Return the banking day on which the order was received (D5)."""
        return self.banking_day(self.received, self.case["received_time"], self.case["channel"])

    def is_paid(self, item: Seen) -> bool:
        """Return True if a check with this number was already paid (5.7.1)."""
        return any(
            row["kind"] == "check_paid" and row["reference"] == item["reference"] for row in self.account["activity"]
        )

    def scheduled(self, item: Seen) -> Seen:
        """Return the scheduled debit that an order refers to (5.7.1)."""
        return next(row for row in self.account["scheduled_debits"] if row["series"] == item["reference"])

    def is_too_late(self, item: Seen) -> bool:
        """Return True if an order came too late to stop the next debit (5.7.1)."""
        earliest = self.after_business_days(self.order_day(), self.policy.stop_notice_business_days)
        return date.fromisoformat(self.scheduled(item)["next_on"]) < earliest

    def order_finding(self, item: Seen) -> str:
        """Return the obstacle to an order, empty if it can be carried out (5.7.1)."""
        if item["item_kind"] in BANK_OBLIGATIONS:
            return "bank_obligation"
        if item["item_kind"] == "preauthorized_debit":
            return "too_late" if self.is_too_late(item) else ""
        return "already_paid" if self.is_paid(item) else ""

    def stop_amount(self, item: Seen) -> int:
        """Return the amount to stop, in cents (5.7.1)."""
        is_debit = item["item_kind"] == "preauthorized_debit"
        return to_cents(self.scheduled(item)["amount"] if is_debit else item["amount"])

    def stop_ending(self) -> Ending:
        """Return the ending of a request with stop orders (5.7.1 and T5)."""
        findings = [self.order_finding(item) for item in self.case["items"]]
        items = [item for item, finding in zip(self.case["items"], findings, strict=True) if not finding]
        self.stopped = [item["item_kind"] for item in items]
        refused = next(filter(None, findings), None)
        if not items:
            return Ending("decline", findings[0])
        amount = sum(map(self.stop_amount, items)) / 100
        return Ending("in_part", refused, amount) if refused else Ending("carry_out", "none", amount)

    def is_oral(self) -> bool:
        """Return True if the order was given by phone and not confirmed (T6)."""
        return bool(self.case["channel"] == "phone" and self.case["confirmed_date"] is None)

    # -- 5.7.2 dormancy -----------------------------------------------------------------------------------------------

    def is_owner_activity(self, row: Seen) -> bool:
        """Return True if an activity row shows that an owner was active (D16)."""
        return row["kind"] in OWNER_ACTIVITY

    def active_accounts(self) -> list[Seen]:
        """Return the accounts whose activity counts: this one and the owners' others (D16)."""
        return [self.account, *self.others]

    def last_activity(self) -> date:
        """Return the day of the last owner activity, or the opening day if there was none (D16)."""
        rows = [row for account in self.active_accounts() for row in account["activity"] if self.is_owner_activity(row)]
        return date.fromisoformat(max([self.account["opened_on"], *(row["posted_on"] for row in rows)]))

    def state_rule(self) -> StateRule:
        """Return the abandonment rule of the owner's state (T3)."""
        return self.policy.states[self.account["mailing_state"]]

    def stage_months(self) -> dict[str, int]:
        """Return the months of inactivity at which each stage ends, by stage (5.7.2)."""
        months = self.policy.stage_months
        return {"owner_active": months["inactive"], "inactive": months["dormant"], "dormant": self.state_rule().months}

    def stage_reached(self) -> str:
        """Return the stage of dormancy on the business date (5.7.2)."""
        last = self.last_activity()
        ends = {name: add_months(last, months) for name, months in self.stage_months().items()}
        return next((name for name, end in ends.items() if self.today < end), "abandoned")

    def fees_put_back(self) -> int:
        """Return the fees charged since dormancy, which are refunded, in cents (5.7.2)."""
        dormant = add_months(self.last_activity(), self.policy.stage_months["dormant"]).isoformat()
        rows = self.account["activity"]
        return sum(to_cents(r["amount"]) for r in rows if r["kind"] == "maintenance_fee" and r["posted_on"] >= dormant)

    def reported_amount(self) -> int:
        """Return the amount to report to the state, in cents (5.7.2)."""
        ledger, interest = (to_cents(self.account[name]) for name in ("ledger_balance", "accrued_interest"))
        return ledger + interest + self.fees_put_back()

    def needs_letter(self) -> bool:
        """Return True if the amount is large enough to require a letter to the owner (D18)."""
        return self.reported_amount() >= self.policy.letter_minimum

    def first_report_day(self) -> date:
        """Return the next report day, before any delay by a missing letter (D17)."""
        rule, abandoned = self.state_rule(), add_months(self.last_activity(), self.state_rule().months)
        year = abandoned.year
        while date(year, self.policy.year_end_month, self.policy.year_end_day) < abandoned:
            year += 1
        while date(year, rule.report_month, rule.report_day) < self.today:
            year += 1
        return date(year, rule.report_month, rule.report_day)

    def is_letter(self, row: Seen, report: date) -> bool:
        """Return True if a row is a letter to the owner within the window before the report (D18)."""
        before = (report - date.fromisoformat(row["sent_on"])).days
        latest = self.policy.clocks["letter_to_owner"].counted
        return row["kind"] == "letter_to_owner" and latest <= before <= self.policy.letter_earliest_days

    def is_letter_due(self) -> bool:
        """Return True if a letter is required and none was sent within its window (5.7.2)."""
        report = self.first_report_day()
        return self.needs_letter() and not any(self.is_letter(row, report) for row in self.account["letters"])

    def last_letter_day(self, report: date) -> date:
        """Return the last day on which the letter may be sent (D17 and T7)."""
        clock = self.policy.clocks["letter_to_owner"]
        day = report - timedelta(days=clock.counted)
        return on_or_before_business_day(day, self.policy.holidays) if clock.roll == "previous" else day

    def report_day(self) -> date:
        """Return the report day, a year later if the letter can no longer be sent in time (D17)."""
        report = self.first_report_day()
        if self.is_letter_due() and self.today > self.last_letter_day(report):
            return report.replace(year=report.year + 1)
        return report

    def dormancy_ending(self) -> Ending:
        """Return the ending of a dormancy review (5.7.2 and T5)."""
        self.stage = self.stage_reached()
        if self.stage != "abandoned":
            return Ending("decline", self.stage)
        if self.is_letter_due():
            return Ending("pend", "letter_due")
        return Ending("carry_out", "none", self.reported_amount() / 100)
