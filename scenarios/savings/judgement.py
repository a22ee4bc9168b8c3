"""The expert's judgements on time deposits and on what is recorded; lapses override one of all judgements."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.dates import add_business_days, is_business_day, on_or_before_business_day
from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.account_judgement import AccountJudgement
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.policy import Product


class Judgement(AccountJudgement):
    """Judgements that the SOP leaves to the officer, with what has been seen so far."""

    # -- 5.4 ----------------------------------------------------------------------------------------------------------

    def product(self, record: Seen) -> Product:
        """Return the product's row of the policy (T1)."""
        return self.policy.products[record["product"]]

    def earning(self, record: Seen) -> Product:
        """Return the row from which interest is worked out (T1)."""
        return self.product(record)

    def grace_days(self, record: Seen) -> int:
        """Return the product's days of grace (T1)."""
        return self.product(record).grace_days

    def grace_end(self, record: Seen) -> date:
        """Return the last day of the grace period (D7)."""
        return self.moved_on(date.fromisoformat(record["maturity_date"]) + timedelta(days=self.grace_days(record)))

    def moved_on(self, last: date) -> date:
        """Return a last day, moved on to a business day (D7)."""
        while not is_business_day(last, self.policy.holidays):
            last += timedelta(days=1)
        return last

    def counted_day(self) -> date:
        """Return the day that counts (D7)."""
        return self.received

    def is_in_grace(self, record: Seen) -> bool:
        """Return True if the request falls into the grace period (5.4.1)."""
        return date.fromisoformat(record["maturity_date"]) <= self.counted_day() <= self.grace_end(record)

    def is_in_time(self, record: Seen) -> bool:
        """Return True if the instruction came in time (5.5.1)."""
        return self.counted_day() <= self.grace_end(record)

    def struck_owner(self, record: Seen) -> Seen | None:
        """Return the owner whom the event has befallen (D8)."""
        rows = [row for row in record["owners"] if row["customer_id"] == self.case["event_customer_id"]]
        return next((row for row in rows if row["role"] == "owner"), None)

    def happened_in_term(self, record: Seen, day: str) -> bool:
        """Return True if the event lies in the current term (D8)."""
        return day >= str(record["term_started_on"])

    def waiver_of(self, record: Seen) -> str:
        """Return the waiver that the event gives, regardless of its document (D8)."""
        event = self.case["event"]
        owner = self.struck_owner(record) if event else None
        day = owner[{"death": "died_on", "incapacity": "incapacitated_on"}[event]] if owner else None
        return event if day is not None and self.happened_in_term(record, day) else "none"

    def is_proved(self, event: str) -> bool:
        """Return True if the event's document is on file (D8)."""
        return self.code("waiver_documents", event) in self.case["documents"]

    def is_too_young(self, record: Seen) -> bool:
        """Return True within the first days of the term (5.4.2)."""
        return (self.today - date.fromisoformat(record["term_started_on"])).days <= self.policy.first_days

    def withdrawn(self, record: Seen) -> float:
        """Return the amount that is withdrawn (D9)."""
        asked, principal = self.case["requested_amount"], record["principal"]
        if asked == 0 or to_cents(principal) - to_cents(asked) < self.minimum_of(record):
            return float(principal)
        return float(asked)

    def minimum_of(self, record: Seen) -> int:
        """Return the product's minimum, in cents (T1)."""
        return self.product(record).minimum

    def method_of(self, record: Seen) -> str:
        """Return the method of the interest (T1)."""
        return self.earning(record).method

    def day_count_of(self, record: Seen) -> str:
        """Return how days of interest are counted (T1)."""
        return self.earning(record).day_count

    def interest_from(self, record: Seen) -> str:
        """Return the day from which interest is due (D10)."""
        return str(record["interest_paid_to"])

    def interest_to_maturity(self, record: Seen) -> str:
        """Return the maturity, up to which interest is earned (D10)."""
        return str(record["maturity_date"])

    def charged_term(self, record: Seen) -> int:
        """Return the whole term in months (D11)."""
        return int(record["term_months"])

    def charge_days(self, record: Seen) -> int:
        """Return the days of interest that are charged (T2)."""
        months = self.charged_term(record)
        return next(row.days for row in self.policy.charges if months <= row.months)

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        """Return the new principal, in cents (5.5.3)."""
        total = to_cents(record["principal"])
        if record["interest_handling"] == "capitalise":
            total += to_cents(interest["interest"])
        return total - (to_cents(self.case["requested_amount"]) if in_time else 0)

    def is_too_small(self, record: Seen, principal: int) -> bool:
        """Return True if a new principal is below the product's minimum (5.5.3)."""
        return principal < self.minimum_of(record)

    def new_term(self, record: Seen, *, in_time: bool) -> int:
        """Return the new term in months (5.5.4)."""
        changed = in_time and self.case["instruction"] == "change_term"
        return int(self.case["new_term_months"] if changed else record["term_months"])

    def anchor_day(self, record: Seen) -> int:
        """Return the day of the month on which terms end (D12)."""
        return date.fromisoformat(record["opened_on"]).day

    def rate_day(self, record: Seen) -> date:
        """Return the day whose rate sheet counts (D13)."""
        return date.fromisoformat(record["maturity_date"])

    def addition(self, principal: int) -> int:
        """Return the addition for a large principal (D13)."""
        return self.policy.large_addition if principal >= self.policy.large_principal else 0

    def new_rate(self, record: Seen, months: int, principal: int) -> float:
        """Return the new rate in percent (D13)."""
        sheet = [sheet for sheet in self.policy.rate_sheets if sheet.since <= self.rate_day(record)][-1]
        return (sheet.rates[months] + self.addition(principal)) / 100

    # -- 5.9 ----------------------------------------------------------------------------------------------------------

    def routing(self, ending: Ending) -> str:
        """Return the desk that reviews the closed file (5.9.2)."""
        if ending.decision == "refer":
            return "compliance"
        return "senior_savings" if to_cents(ending.amount) > self.policy.senior_amount else "branch"

    def answer_start(self) -> date:
        """Return the day from which an answer's days are counted (T8)."""
        return self.received

    def answer_day(self) -> date:
        """Return the day by which an answer is due (T8)."""
        return on_or_before_business_day(
            self.answer_start() + timedelta(days=self.policy.answer_days), self.policy.holidays
        )

    def business_days_on(self, count: int) -> date:
        """Return the day so many business days on (T8)."""
        return add_business_days(self.today, count, self.policy.holidays)

    def filed_channel(self) -> str:
        """Return how the request came in (T11)."""
        return str(self.case["channel"])

    def file_code(self) -> str:
        """Return the code under which the file is kept (T11)."""
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
