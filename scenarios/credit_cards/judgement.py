"""The expert's judgements on people, documents and the ability to pay, one method each.

Each method cites the clause that it applies. A lapse overrides a single method to leave out a judgement or to make it
naively (see :mod:`teller_gym.scenarios.credit_cards.lapses`). Amounts are cents here; tools take dollars.
"""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import NamedTuple

from teller_gym.base.dates import whole_years
from teller_gym.base.money import divide_half_up, to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.banking.officer.intake import IntakeJudgement
from teller_gym.scenarios.credit_cards.policy import CardPolicy, Product


class Ending(NamedTuple):
    """A row of T6, with the amount in cents."""

    decision: str
    reason: str
    amount: int = 0


class Judgement(IntakeJudgement):
    """The known facts of a case and the judgements that follow; subclasses add those on the account."""

    policy: CardPolicy

    def __init__(self, policy: CardPolicy) -> None:
        super().__init__(policy)
        self.kind = ""
        self.reports: dict[str, Seen] = {}
        self.account: Seen = {}
        self.statements: list[str] = []

    @property
    def product(self) -> Product:
        """The row of T1 for the requested product."""
        return self.policy.products[self.case["product"]]

    # -- 5.2 block ----------------------------------------------------------------------------------------------------

    def reported_cards(self) -> list[Seen]:
        """Return the reported cards that are still active (5.2.1)."""
        return [card for card in self.case["cards"] if card["reported"] != "no" and card["status"] == "active"]

    def loss(self) -> str:
        """Return the kind of loss: stolen if any reported card was stolen, otherwise lost (5.2.1 and 5.10.2)."""
        found = {card["reported"] for card in self.reported_cards()}
        return "stolen" if "stolen" in found else "lost"

    def holds_replacement(self) -> bool:
        """Return True if the address changed too recently for a replacement (5.2.1)."""
        changed = self.case["address_changed_on"]
        if changed is None:
            return False
        return (self.today - date.fromisoformat(changed)).days <= self.policy.address_hold_days

    # -- 5.2 and 5.3 identity and watch lists -------------------------------------------------------------------------

    def identity_ending(self) -> Ending | None:
        """Return the ending of a case with an unverified identity (5.2.3 and T6)."""
        return Ending("refer", "identity_not_verified") if self.unverified() else None

    def match_ending(self) -> Ending | None:
        """Return the ending of a case with a true match (5.3.2 and T6)."""
        return Ending("refer", "watch_list_match") if self.matched() else None

    # -- 5.4 account --------------------------------------------------------------------------------------------------

    def cycles(self) -> int:
        """Return the number of statements to read (T3)."""
        return int(self.code("cycles_read", self.kind))

    def is_too_soon(self, day: str | None) -> bool:
        """Return True if a day is within the waiting period before the request was received (5.4.2)."""
        if day is None:
            return False
        return (self.received - date.fromisoformat(day)).days < self.policy.increase_wait_days

    def recent_statements(self) -> list[Seen]:
        """Return the statements that must be without late fees and overlimit balances (5.4.2)."""
        return list(self.account["statements"][-self.policy.clean_statements :])

    def is_taken_back(self, fee: float) -> bool:
        """Return True if a late fee was reversed (5.4.2)."""
        return any(line["type"] == "fee_reversal" and line["amount"] == fee for line in self.account["lines"])

    def was_late(self) -> bool:
        """Return True if a recent statement has a late fee that was not reversed (5.4.2)."""
        fees = [row["late_fee"] for row in self.recent_statements() if row["late_fee"] > 0]
        return any(not self.is_taken_back(fee) for fee in fees)

    def was_over_limit(self) -> bool:
        """Return True if a recent statement closed above the present limit (5.4.2)."""
        return any(row["closing_balance"] > self.account["credit_limit"] for row in self.recent_statements())

    def account_ending(self) -> Ending | None:
        """Return the ending of a limit increase that the account rules out, by the order of T6 (5.4.2)."""
        if self.is_too_soon(self.account["opened_date"]):
            return Ending("deny", "account_too_new")
        if self.is_too_soon(self.account["last_increase_date"]):
            return Ending("deny", "recent_increase")
        if self.was_late():
            return Ending("deny", "late_payment")
        if self.was_over_limit():
            return Ending("deny", "over_limit")
        return None

    # -- 5.5 papers and report ----------------------------------------------------------------------------------------

    def paper_ending(self) -> Ending | None:
        """Return the ending of a request with missing documents (5.5.1 and T6)."""
        if all(paper in self.case["documents"] for paper in self.policy.documents[self.kind]):
            return None
        return Ending("incomplete", "document_missing")

    def bureau(self) -> str:
        """Return the code of the bureau for the product (T1)."""
        return self.product.bureau

    def inquiry(self) -> str:
        """Return the code of the credit inquiry (T3)."""
        return str(self.code("inquiries", self.kind))

    def stops(self, alert: str) -> bool:
        """Return True if a fraud alert stops the request (5.5.3)."""
        return alert in ("extended", "freeze") or (alert == "initial" and self.case["channel"] != "branch")

    def alert_ending(self) -> Ending | None:
        """Return the ending of a case that a fraud alert stops (5.5.3 and T6)."""
        if any(self.stops(report["alert_type"]) for report in self.reports.values()):
            return Ending("refer", "fraud_alert")
        return None

    # -- 5.6 ability to pay -------------------------------------------------------------------------------------------

    def age_of(self, customer: str) -> int:
        """Return a person's age in years on the business date (D1)."""
        return whole_years(date.fromisoformat(self.people[customer]["date_of_birth"]), self.today)

    def is_documented(self, income: Seen) -> bool:
        """Return True if the income is supported by a document (D6)."""
        return bool(income["documented"])

    def lasts(self, income: Seen) -> bool:
        """Return True if an income continues long enough to count (D6)."""
        ends = income["ends_on"]
        return ends is None or (date.fromisoformat(ends) - self.today).days > self.policy.income_horizon_days

    def is_old_enough(self, income: Seen) -> bool:
        """Return True if the recipient of an income is old enough to count it (D6)."""
        return self.age_of(income["recipient_id"]) >= self.policy.adult_age

    def is_reachable(self, income: Seen) -> bool:
        """Return True if the applicant has access to the account into which an income is paid (D6)."""
        return bool(income["paid_into"] != "other_account")

    def counts(self, income: Seen) -> bool:
        """Return True if an income meets all conditions to be counted (D6)."""
        if not (self.is_documented(income) and self.lasts(income)):
            return False
        return bool(income["earner"] == "self" or (self.is_old_enough(income) and self.is_reachable(income)))

    def pay(self, income: Seen) -> float:
        """Return the pay of one period in dollars, gross rather than net (D6)."""
        amount: float = income["gross_pay"]
        return amount

    def yearly(self, income: Seen) -> int:
        """Return the yearly amount of an income, in cents (D6 and T4)."""
        return to_cents(self.pay(income)) * int(self.code("pay_periods", income["pay_period"]))

    def yearly_income(self, customer: str | None = None) -> int:
        """Add up the counted yearly income of all persons, or of one, in cents (D6)."""
        rows = [row for row in self.case["incomes"] if customer in (None, row["recipient_id"])]
        return sum(self.yearly(row) for row in rows if self.counts(row))

    def monthly_income(self) -> int:
        """Return the counted monthly income, in cents (D6)."""
        return divide_half_up(self.yearly_income(), 12)

    def deciding_person(self) -> str:
        """Return the person with the highest income; between equal incomes, the one with the lower score (D7)."""
        return max(self.reports, key=lambda customer: (self.yearly_income(customer), -self.reports[customer]["score"]))

    def qualifying_score(self) -> int:
        """Return the credit score that decides the case (D7)."""
        return int(self.reports[self.deciding_person()]["score"])

    def main_factor(self) -> str:
        """Return the main factor of the deciding person's report (T6)."""
        factor: str = self.reports[self.deciding_person()]["main_factor"]
        return factor

    def score_ending(self) -> Ending | None:
        """Return the ending of a case with a score below the minimum (5.6.2 and T6)."""
        return Ending("deny", self.main_factor()) if self.qualifying_score() < self.policy.min_credit_score else None

    def is_anothers(self, line: Seen) -> bool:
        """Return True if a tradeline belongs to another person (D8)."""
        return bool(line["role"] == "authorized_user")

    def is_this_account(self, line: Seen) -> bool:
        """Return True if a tradeline is the card account itself (D8)."""
        return line["bank_account_id"] is not None and line["bank_account_id"] == self.case["account_id"]

    def monthly_cost(self, line: Seen) -> int:
        """Return the monthly cost of a tradeline, in cents (D8)."""
        if line["kind"] == "student_loan" and line["deferred"]:
            return divide_half_up(to_cents(line["balance"]) * self.policy.deferred_share, 10_000)
        return to_cents(line["monthly_payment"])

    def counted_lines(self) -> list[Seen]:
        """Return the tradelines of all reports, each once (D8)."""
        once = {line["tradeline_id"]: line for report in self.reports.values() for line in report["tradelines"]}
        return list(once.values())

    def obligations(self) -> int:
        """Add up the monthly costs of the tradelines that count, in cents (5.6.3)."""
        return sum(
            self.monthly_cost(line)
            for line in self.counted_lines()
            if not (self.is_anothers(line) or self.is_this_account(line))
        )

    def present_limit(self) -> int:
        """Return the present limit of an increase in cents, 0 for a new card."""
        return to_cents(self.account["credit_limit"]) if self.account else 0

    def band_share(self) -> int:
        """Return the limit that the score band allows as a share of yearly income, in cents (D9 and T2)."""
        return int(self.yearly_income() * Fraction(self.policy.band_of(self.qualifying_score()).share, 10_000))

    def caps(self) -> list[int]:
        """Return the upper bounds of a limit that do not depend on income, in cents (D9)."""
        return [self.policy.band_of(self.qualifying_score()).cap, self.product.max_limit]

    def is_student(self) -> bool:
        """Return True if the primary person is a student (D9)."""
        return bool(self.people[self.customers[0]]["student"])

    def most_raised(self) -> int:
        """Return the highest limit that an increase may reach, in cents (D9)."""
        return self.present_limit() * self.policy.increase_factor // 10_000

    def rounded_down(self, amount: int) -> int:
        """Round a limit down to a whole number of steps (D9)."""
        return amount // self.policy.limit_step * self.policy.limit_step

    def proposed_limit(self) -> int:
        """Return the limit to propose, in cents: the lowest of all bounds, rounded down (D9)."""
        bounds = [to_cents(self.case["requested_limit"]), self.band_share(), *self.caps()]
        if self.is_student():
            bounds.append(self.policy.student_cap)
        if self.kind == "limit_increase":
            bounds.append(self.most_raised())
        return self.rounded_down(min(bounds))

    def is_too_low(self, limit: int) -> bool:
        """Return True if a limit is below the product's minimum or is no increase (5.6.4, 5.6.5 and T6)."""
        if self.kind == "limit_increase":
            return limit <= self.present_limit()
        return limit < self.product.min_limit

    def limit_ending(self, limit: int, *, within: bool) -> Ending:
        """Return the ending that grants a limit, in full or in part (5.6.5 and T6)."""
        if limit >= to_cents(self.case["requested_limit"]):
            return Ending("approve", "none", limit)
        return Ending("partial", "limit_by_policy" if within else "excessive_obligations", limit)

    # -- 5.10 and 5.11 ------------------------------------------------------------------------------------------------

    def is_beyond(self, amount: int) -> bool:
        """Return True if an amount is above the officer's authority (5.10.1, T3)."""
        return amount > int(self.code("authority", self.kind))

    def letter(self, decision: str) -> str:
        """Return the code of the decision's letter (T3)."""
        codes = self.code("letters", self.kind)
        return str(
            {"approve": codes.granted, "partial": codes.granted, "deny": codes.refused}.get(decision, codes.other)
        )

    def denial_start(self) -> date:
        """Return the day from which the deadline of a denial is counted (T8)."""
        completed = self.case["completed_date"]
        if self.kind in ("new_card", "limit_increase") and completed is not None:
            return date.fromisoformat(completed)
        return self.received

    def referral_days(self, reason: str) -> int:
        """Return the number of business days for a referral (T8)."""
        return int(self.code("referral_business_days", reason))

    def setup_days(self) -> int:
        """Return the number of business days for setting up the card or limit (T8)."""
        return int(self.code("setup_business_days", self.kind))

    def due_date(self, ending: Ending, opened: list[date], closing: date | None) -> date:
        """Return the due date of an ending (T8).

        Args:
            ending: The ending.
            opened: Resolution dates of the opened disputes.
            closing: The next closing day, None if no account was read.
        """
        if ending.decision == "refer":
            return self.after_business_days(self.today, self.referral_days(ending.reason))
        if ending.decision == "incomplete":
            return self.after_business_days(self.today, self.policy.completion_business_days)
        if ending.decision == "deny":
            return self.rolled_back(self.denial_start() + timedelta(days=self.policy.denial_days))
        if opened:
            return min(opened)
        if self.kind == "interest_review" and closing is not None:
            return closing
        return self.after_business_days(self.today, self.setup_days())
