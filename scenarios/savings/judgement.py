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
        """T1: the product's row."""
        return self.policy.products[record["product"]]

    def earning(self, record: Seen) -> Product:
        """T1: the row from which interest is worked out."""
        return self.product(record)

    def grace_days(self, record: Seen) -> int:
        """T1."""
        return self.product(record).grace_days

    def grace_end(self, record: Seen) -> date:
        """D7: the last day of the grace period."""
        return self.moved_on(date.fromisoformat(record["maturity_date"]) + timedelta(days=self.grace_days(record)))

    def moved_on(self, last: date) -> date:
        """D7: a last day that is no business day moves on."""
        while not is_business_day(last, self.policy.holidays):
            last += timedelta(days=1)
        return last

    def counted_day(self) -> date:
        """D7: the day that counts."""
        return self.received

    def is_in_grace(self, record: Seen) -> bool:
        """5.4.1."""
        return date.fromisoformat(record["maturity_date"]) <= self.counted_day() <= self.grace_end(record)

    def is_in_time(self, record: Seen) -> bool:
        """5.5.1."""
        return self.counted_day() <= self.grace_end(record)

    def struck_owner(self, record: Seen) -> Seen | None:
        """D8: the owner whom the event has befallen."""
        rows = [row for row in record["owners"] if row["customer_id"] == self.case["event_customer_id"]]
        return next((row for row in rows if row["role"] == "owner"), None)

    def happened_in_term(self, record: Seen, day: str) -> bool:
        """D8: not before the start of the current term."""
        return day >= str(record["term_started_on"])

    def waiver_of(self, record: Seen) -> str:
        """D8, but for the document."""
        event = self.case["event"]
        owner = self.struck_owner(record) if event else None
        day = owner[{"death": "died_on", "incapacity": "incapacitated_on"}[event]] if owner else None
        return event if day is not None and self.happened_in_term(record, day) else "none"

    def is_proved(self, event: str) -> bool:
        """D8: whether the document is on file."""
        return self.code("waiver_documents", event) in self.case["documents"]

    def is_too_young(self, record: Seen) -> bool:
        """5.4.2: within the first days of the term."""
        return (self.today - date.fromisoformat(record["term_started_on"])).days <= self.policy.first_days

    def withdrawn(self, record: Seen) -> float:
        """D9."""
        asked, principal = self.case["requested_amount"], record["principal"]
        if asked == 0 or to_cents(principal) - to_cents(asked) < self.minimum_of(record):
            return float(principal)
        return float(asked)

    def minimum_of(self, record: Seen) -> int:
        """T1, in cents."""
        return self.product(record).minimum

    def method_of(self, record: Seen) -> str:
        """T1."""
        return self.earning(record).method

    def day_count_of(self, record: Seen) -> str:
        """T1."""
        return self.earning(record).day_count

    def interest_from(self, record: Seen) -> str:
        """D10."""
        return str(record["interest_paid_to"])

    def interest_to_maturity(self, record: Seen) -> str:
        """D10: where no interest is earned after maturity."""
        return str(record["maturity_date"])

    def charged_term(self, record: Seen) -> int:
        """D11: the whole term in months."""
        return int(record["term_months"])

    def charge_days(self, record: Seen) -> int:
        """T2."""
        months = self.charged_term(record)
        return next(row.days for row in self.policy.charges if months <= row.months)

    # -- 5.5 ----------------------------------------------------------------------------------------------------------

    def new_principal(self, record: Seen, interest: Seen, *, in_time: bool) -> int:
        """5.5.3, in cents."""
        total = to_cents(record["principal"])
        if record["interest_handling"] == "capitalise":
            total += to_cents(interest["interest"])
        return total - (to_cents(self.case["requested_amount"]) if in_time else 0)

    def is_too_small(self, record: Seen, principal: int) -> bool:
        """5.5.3."""
        return principal < self.minimum_of(record)

    def new_term(self, record: Seen, *, in_time: bool) -> int:
        """5.5.4."""
        changed = in_time and self.case["instruction"] == "change_term"
        return int(self.case["new_term_months"] if changed else record["term_months"])

    def anchor_day(self, record: Seen) -> int:
        """D12."""
        return date.fromisoformat(record["opened_on"]).day

    def rate_day(self, record: Seen) -> date:
        """D13: the day whose sheet counts."""
        return date.fromisoformat(record["maturity_date"])

    def addition(self, principal: int) -> int:
        """D13."""
        return self.policy.large_addition if principal >= self.policy.large_principal else 0

    def new_rate(self, record: Seen, months: int, principal: int) -> float:
        """D13, in percent."""
        sheet = [sheet for sheet in self.policy.rate_sheets if sheet.since <= self.rate_day(record)][-1]
        return (sheet.rates[months] + self.addition(principal)) / 100

    # -- 5.9 ----------------------------------------------------------------------------------------------------------

    def routing(self, ending: Ending) -> str:
        """5.9.2."""
        if ending.decision == "refer":
            return "compliance"
        return "senior_savings" if to_cents(ending.amount) > self.policy.senior_amount else "branch"

    def answer_start(self) -> date:
        """T8."""
        return self.received

    def answer_day(self) -> date:
        """T8."""
        return on_or_before_business_day(
            self.answer_start() + timedelta(days=self.policy.answer_days), self.policy.holidays
        )

    def business_days_on(self, count: int) -> date:
        """T8."""
        return add_business_days(self.today, count, self.policy.holidays)

    def filed_channel(self) -> str:
        """T11: how the request came in."""
        return str(self.case["channel"])

    def file_code(self) -> str:
        """T11."""
        return str(self.code("file_codes", self.kind)[self.filed_channel()])

    def value_date(self, ending: Ending) -> date:
        """5.9.3."""
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
