"""The expert's judgements on time deposits and on the recorded decision; each lapse overrides one judgement."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, is_business_day, on_or_before_business_day
from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.account_judgement import AccountJudgement
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.policy import Product


class Judgement(AccountJudgement):
    """Judgements that the SOP leaves to the officer, based on the tool results seen so far."""

    # -- 5.4 ----------------------------------------------------------------------------------------------------------

    def product(self, record: Seen) -> Product:
        """Return the terms of the account's product (T1)."""
        return self.policy.products[record["product"]]

    def earning(self, record: Seen) -> Product:
        """Return the product terms that determine the interest (T1)."""
        return self.product(record)

    def grace_days(self, record: Seen) -> int:
        """Return the length of the product's grace period, in days (T1)."""
        return self.product(record).grace_days

    def grace_end(self, record: Seen) -> date:
        """Return the last day of the grace period, moved to a business day (D7)."""
        return self.moved_on(date.fromisoformat(record["maturity_date"]) + timedelta(days=self.grace_days(record)))

    def moved_on(self, last: date) -> date:
        """Return the day itself, or the next business day if the bank is closed (D7)."""
        while not is_business_day(last, self.policy.holidays):
            last += timedelta(days=1)
        return last

    def counted_day(self) -> date:
        """Return the day that is compared with the grace period: the day of receipt (D7)."""
        return self.received

    def is_in_grace(self, record: Seen) -> bool:
        """Return True if the request was received in the grace period (5.4.1)."""
        return date.fromisoformat(record["maturity_date"]) <= self.counted_day() <= self.grace_end(record)

    def is_in_time(self, record: Seen) -> bool:
        """Return True if the instruction was received by the end of the grace period (5.5.1)."""
        return self.counted_day() <= self.grace_end(record)

    def struck_owner(self, record: Seen) -> Seen | None:
        """Return the owner who died or became incapacitated; None if that person is not an owner (D8)."""
        rows = [row for row in record["owners"] if row["customer_id"] == self.case["event_customer_id"]]
        return next((row for row in rows if row["role"] == "owner"), None)

    def happened_in_term(self, record: Seen, day: str) -> bool:
        """Return True if the event happened in the current term (D8)."""
        return day >= str(record["term_started_on"])

    def waiver_of(self, record: Seen) -> str:
        """Return the waiver that the claimed event gives, before its document is checked (D8)."""
        event = self.case["event"]
        owner = self.struck_owner(record) if event else None
        day = owner[{"death": "died_on", "incapacity": "incapacitated_on"}[event]] if owner else None
        return event if day is not None and self.happened_in_term(record, day) else "none"

    def is_proved(self, event: str) -> bool:
        """Return True if the document that proves the event is on file (D8)."""
        return self.code("waiver_documents", event) in self.case["documents"]

    def is_too_young(self, record: Seen) -> bool:
        """Return True if the business date falls into the first days of the term (5.4.2)."""
        return (self.today - date.fromisoformat(record["term_started_on"])).days <= self.policy.first_days

    def withdrawn(self, record: Seen) -> float:
        """Return the withdrawn amount: the whole principal if the remainder were below the minimum (D9)."""
        asked, principal = self.case["requested_amount"], record["principal"]
        if asked == 0 or to_cents(principal) - to_cents(asked) < self.minimum_of(record):
            return float(principal)
        return float(asked)

    def minimum_of(self, record: Seen) -> int:
        """Return the product's minimum balance, in cents (T1)."""
        return self.product(record).minimum

    def method_of(self, record: Seen) -> str:
        """Return the product's interest method (T1)."""
        return self.earning(record).method

    def day_count_of(self, record: Seen) -> str:
        """Return the product's day-count convention (T1)."""
        return self.earning(record).day_count

    def interest_from(self, record: Seen) -> str:
        """Return the first day of the interest: the day up to which interest was credited (D10)."""
        return str(record["interest_paid_to"])

    def interest_to_maturity(self, record: Seen) -> str:
        """Return the maturity date, up to which interest is earned (D10)."""
        return str(record["maturity_date"])

    def charged_term(self, record: Seen) -> int:
        """Return the term that determines the charge: the whole term, in months (D11)."""
        return int(record["term_months"])

    def charge_days(self, record: Seen) -> int:
        """Return the early-withdrawal charge, in days of interest (T2)."""
        months = self.charged_term(record)
        return next(row.days for row in self.policy.charges if months <= row.months)

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        """Return the principal of the new term, in cents (5.5.3)."""
        total = to_cents(record["principal"])
        if record["interest_handling"] == "capitalise":
            total += to_cents(interest["interest"])
        return total - (to_cents(self.case["requested_amount"]) if in_time else 0)

    def is_too_small(self, record: Seen, principal: int) -> bool:
        """Return True if a new principal is below the product's minimum (5.5.3)."""
        return principal < self.minimum_of(record)

    def new_term(self, record: Seen, *, in_time: bool) -> int:
        """Return the length of the new term, in months (5.5.4)."""
        changed = in_time and self.case["instruction"] == "change_term"
        return int(self.case["new_term_months"] if changed else record["term_months"])

    def anchor_day(self, record: Seen) -> int:
        """Return the day of the month on which the deposit's terms end: its opening day (D12)."""
        return date.fromisoformat(record["opened_on"]).day

    def rate_day(self, record: Seen) -> date:
        """Return the day whose rate sheet applies: the maturity date (D13)."""
        return date.fromisoformat(record["maturity_date"])

    def addition(self, principal: int) -> int:
        """Return the extra rate for a large principal, in hundredths of a percent (D13)."""
        return self.policy.large_addition if principal >= self.policy.large_principal else 0

    def new_rate(self, record: Seen, months: int, principal: int) -> float:
        """Return the rate of the new term, in percent (D13)."""
        sheet = [sheet for sheet in self.policy.rate_sheets if sheet.since <= self.rate_day(record)][-1]
        return (sheet.rates[months] + self.addition(principal)) / 100

    # -- 5.9 ----------------------------------------------------------------------------------------------------------

    def routing(self, ending: Ending) -> str:
        """Return the desk that reviews the closed file (5.9.2)."""
        if ending.decision == "refer":
            return "compliance"
        return "senior_savings" if to_cents(ending.amount) > self.policy.senior_amount else "branch"

    def answer_start(self) -> date:
        """Return the day from which the deadline for an answer is counted (T8)."""
        return self.received

    def answer_day(self) -> date:
        """Return the day by which an answer is due (T8)."""
        return on_or_before_business_day(
            self.answer_start() + timedelta(days=self.policy.answer_days), self.policy.holidays
        )

    def business_days_on(self, count: int) -> date:
        """Return the day some business days after the business date (T8)."""
        return add_business_days(self.today, count, self.policy.holidays)

    def filed_channel(self) -> str:
        """Return the channel under which the file is stored: the request's own (T11)."""
        return str(self.case["channel"])

    def file_code(self) -> str:
        """Return the code under which the file is stored (T11)."""
        return str(self.code("file_codes", self.kind)[self.filed_channel()])

    def value_date(self, ending: Ending) -> date:
        """Return the value date of an ending (5.9.3)."""
        match ending.value:
            case "answer":
                return self.answer_day()
            case "payout":
                return self.business_days_on(self.policy.payout_days[self.case["payout_method"]])
            case "credit":
                return self.business_days_on(self.policy.credit_days)
            case "pend":
                return self.business_days_on(self.policy.pend_days)
            case "refer":
                return self.business_days_on(self.policy.refer_days[ending.reason])
        return date.fromisoformat(ending.value)
