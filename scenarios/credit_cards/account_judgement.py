"""The expert's judgements on a card account's lines and statements (5.7 to 5.10), one method each."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.dates import is_business_day
from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.credit_cards.judgement import Ending, Judgement

_WRITTEN = ("letter", "secure_message")
_IN_PERSON = ("chip", "contactless", "swipe")


class Finding(NamedTuple):
    """Result of assessing a complaint: its row of T7 and the accepted amount in cents."""

    name: str
    amount: int = 0


class Dispute(NamedTuple):
    """A dispute to be opened."""

    track: str
    code: str
    lines: list[Seen]
    amount: int


def _day(text: str) -> date:
    return date.fromisoformat(text)


def _in_month(year: int, month: int, number: int) -> date:
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(year, month, min(number, monthrange(year, month)[1]))


class AccountJudgement(Judgement):
    """Judgements on lines, statements and complaints."""

    # -- lines and statements -----------------------------------------------------------------------------------------

    def lines(self) -> list[Seen]:
        """Return all lines of the account that the agent has read."""
        return list(self.account["lines"])

    def line_of(self, complaint: Seen) -> Seen:
        """Return the line that a complaint is about."""
        return next(line for line in self.lines() if line["line_id"] == complaint["line_id"])

    def first_statement(self, line: Seen) -> str | None:
        """Return the closing date of the first statement that shows a line, None if none does yet (D11)."""
        closings = [row["closing_date"] for row in self.account["statements"]]
        return next((closing for closing in closings if closing >= line["posted"]), None)

    def next_closing(self, day: date) -> date:
        """Return the first closing day after a given day."""
        number: int = self.account["closing_day"]
        closing = _in_month(day.year, day.month, number)
        return closing if closing > day else _in_month(day.year, day.month + 1, number)

    # -- 5.7 complaints -----------------------------------------------------------------------------------------------

    def track(self, complaint: Seen) -> str:
        """Return the dispute track of a complaint: claim and defense, or billing error (5.7.1 and T5)."""
        kind, goods = complaint["complaint"], complaint["goods"]
        if (kind == "not_delivered" and goods == "accepted") or (
            kind == "faulty" and goods in ("accepted", "returned")
        ):
            return "claim_and_defense"
        return "billing_error"

    def is_written(self) -> bool:
        """Return True if the notice was given in writing (5.7.2)."""
        return self.case["channel"] in _WRITTEN

    def notice_ending(self) -> Ending | None:
        """Return the ending of a dispute that lacks the required written notice (5.7.2 and T6)."""
        errors = [item for item in self.case["complaints"] if self.track(item) == "billing_error"]
        return Ending("incomplete", "written_notice_missing") if errors and not self.is_written() else None

    def base_amount(self, complaint: Seen, line: Seen) -> int:
        """Return the amount of a complaint before credits, in cents (D12)."""
        charged, agreed = to_cents(line["amount"]), to_cents(complaint["agreed_amount"])
        return {"wrong_amount": charged - agreed, "credit_missing": agreed}.get(complaint["complaint"], charged)

    def credits_of(self, line: Seen) -> int:
        """Add up the merchant's credits posted on the line's day or later, in cents (D12)."""
        return sum(
            to_cents(other["amount"])
            for other in self.lines()
            if other["type"] == "credit" and other["merchant"] == line["merchant"] and other["posted"] >= line["posted"]
        )

    def disputed_amount(self, complaint: Seen, line: Seen) -> int:
        """Return the disputed amount after credits, in cents (D12)."""
        return max(0, self.base_amount(complaint, line) - self.credits_of(line))

    def has_twin(self, line: Seen) -> bool:
        """Return True if another purchase has the same merchant, amount and transaction date (T7)."""
        return any(
            other["type"] == "purchase" and other["line_id"] != line["line_id"]
            and all(other[name] == line[name] for name in ("merchant", "amount", "transaction_date"))
            for other in self.lines()
        )  # fmt: skip

    def is_by_chip(self, line: Seen) -> bool:
        """Return True if the card's chip was read (T7)."""
        return bool(line["entry_mode"] == "chip")

    def is_known_merchant(self, line: Seen) -> bool:
        """Return True if an earlier purchase at the same merchant was posted (T7)."""
        return any(
            other["type"] == "purchase" and other["merchant"] == line["merchant"] and other["posted"] < line["posted"]
            for other in self.lines()
        )

    def is_no_error(self, complaint: Seen, line: Seen) -> bool:
        """Return True if the facts refute the complaint: no billing error was made (T7)."""
        if complaint["complaint"] == "charged_twice":
            return not self.has_twin(line)
        return complaint["complaint"] == "not_mine" and (self.is_by_chip(line) or self.is_known_merchant(line))

    def is_late(self, line: Seen) -> bool:
        """Return True if the notice came after the period that starts with the first statement (T7)."""
        first = self.first_statement(line)
        return first is not None and (self.received - _day(first)).days > self.policy.notice_window_days

    def is_small(self, amount: int) -> bool:
        """Return True if the amount is too small for a claim (T7)."""
        return amount <= self.policy.claim_over

    def is_home(self, line: Seen) -> bool:
        """Return True if the merchant is in the holder's home state (T7)."""
        return bool(line["state"] == self.account["home_state"])

    def is_near(self, line: Seen) -> bool:
        """Return True if the merchant is within the distance that a claim allows (T7)."""
        return line["miles"] is not None and line["miles"] <= self.policy.claim_miles

    def has_tried(self, complaint: Seen) -> bool:
        """Return True if the holder tried to settle with the merchant before the request (T7)."""
        tried = complaint["merchant_contacted_on"]
        return tried is not None and _day(tried) <= self.received

    def payments_after(self, line: Seen) -> int:
        """Add up payments and credits posted after the line and by the day of receipt, in cents (D13)."""
        return sum(
            to_cents(other["amount"])
            for other in self.lines()
            if other["type"] in ("payment", "credit")
            and other["posted"] > line["posted"]
            and _day(other["posted"]) <= self.received
        )

    def outstanding(self, line: Seen, disputed: int) -> int:
        """Return the unpaid part of the disputed amount, in cents (D13)."""
        return min(disputed, max(0, to_cents(line["balance"]) - self.payments_after(line)))

    def finding(self, complaint: Seen) -> Finding:
        """Assess a complaint and return its finding with the accepted amount (5.7.3 and T7)."""
        line = self.line_of(complaint)
        disputed = self.disputed_amount(complaint, line)
        if disputed == 0:
            return Finding("already_credited")
        if self.track(complaint) == "claim_and_defense":
            return self.claim_finding(complaint, line, disputed)
        if self.is_no_error(complaint, line):
            return Finding("no_error_found")
        return Finding("notice_too_late") if self.is_late(line) else Finding("none", disputed)

    def claim_finding(self, complaint: Seen, line: Seen, disputed: int) -> Finding:
        """Assess a claim and return its finding with the accepted amount (5.7.3 and T7)."""
        if self.is_small(disputed):
            return Finding("claim_too_small")
        if not (self.is_home(line) or self.is_near(line)):
            return Finding("merchant_too_far")
        if not self.has_tried(complaint):
            return Finding("no_attempt_to_settle")
        left = self.outstanding(line, disputed)
        if left == 0:
            return Finding("paid_off")
        return Finding("none" if left == disputed else "partly_paid_off", left)

    def complaint_ending(self, findings: list[Finding]) -> Ending:
        """Return the ending of a dispute, given the findings on its complaints (5.7.4 and T6)."""
        total = sum(finding.amount for finding in findings)
        flawed = [finding.name for finding in findings if finding.name != "none"]
        if not total:
            return Ending("deny", flawed[0])
        return Ending("partial", flawed[0], total) if flawed else Ending("approve", "none", total)

    # -- 5.8 use of a lost card ---------------------------------------------------------------------------------------

    def is_of_reported_card(self, line: Seen) -> bool:
        """Return True if a line was made with a reported card (D14)."""
        return line["card_last4"] in [card["card_last4"] for card in self.reported_cards()]

    def is_after_own_use(self, line: Seen) -> bool:
        """Return True if a line was made after the holder's own last use (D14)."""
        return bool(line["transaction_date"] > self.case["last_own_use_date"])

    def is_recurring(self, line: Seen) -> bool:
        """Return True if a line is a recurring charge, as of a subscription (D14)."""
        return bool(line["entry_mode"] == "recurring")

    def unauthorized(self) -> list[Seen]:
        """Return the unauthorized lines: reported cards, after the own last use, not recurring (D14)."""
        return [
            line
            for line in self.lines()
            if line["type"] in ("purchase", "cash_advance")
            and self.is_of_reported_card(line)
            and self.is_after_own_use(line)
            and not self.is_recurring(line)
        ]

    def is_before_notice(self, line: Seen) -> bool:
        """Return True if a line was made no later than the day of receipt (D14)."""
        return _day(line["transaction_date"]) <= self.received

    def is_lent(self) -> bool:
        """Return True if the holder lent the card to someone (D16)."""
        return bool(self.case["card_lent_to"] != "nobody")

    def is_at_holders_risk(self, line: Seen) -> bool:
        """Return True if a line counts toward the holder's liability (D15)."""
        return line["entry_mode"] in _IN_PERSON and self.is_before_notice(line)

    def most_borne(self) -> int:
        """Return the product's limit of liability, in cents (D15 and T1)."""
        return self.product.liability

    def credited_lines(self) -> list[Seen]:
        """Return the unauthorized lines to credit: all but those that a borrower made before the notice (5.8.1)."""
        return [line for line in self.unauthorized() if not (self.is_lent() and self.is_before_notice(line))]

    def liability(self, credited: list[Seen]) -> int:
        """Return the amount that the holder bears, in cents (D15)."""
        borne = sum(to_cents(line["amount"]) for line in credited if self.is_at_holders_risk(line))
        return min(borne, self.most_borne())

    def loss_ending(self, credited: list[Seen]) -> Ending:
        """Return the ending of a report of loss (5.8.2 and T6)."""
        found = self.unauthorized()
        total = sum(to_cents(line["amount"]) for line in credited) - self.liability(credited)
        lent = self.is_lent() and any(self.is_before_notice(line) for line in found)
        if not found:
            return Ending("deny", "no_unauthorized_use")
        if not total:
            return Ending("deny", "card_lent" if lent else "cardholder_liability")
        if lent or self.liability(credited):
            return Ending("partial", "card_lent" if lent else "cardholder_liability", total)
        return Ending("approve", "none", total)

    # -- 5.9 charges of a statement ----------------------------------------------------------------------------------

    def before(self, closing: str, steps: int) -> Seen:
        """Return the statement that precedes another by some steps."""
        rows = self.account["statements"]
        place = next(number for number, row in enumerate(rows) if row["closing_date"] == closing)
        found: Seen = rows[place - steps]
        return found

    def charged(self, closing: str) -> Seen:
        """Return a statement with the charges that it showed."""
        return self.before(closing, 0)

    def payment_day(self, row: Seen) -> date:
        """Return the payment day of a statement: the due date or the next business day (D17)."""
        day = _day(row["due_date"])
        while not is_business_day(day, self.policy.holidays):
            day += timedelta(days=1)
        return day

    def paid(self, row: Seen, *types: str) -> int:
        """Add up the lines of some types between a statement's closing and payment days, in cents (D17 and D21)."""
        closing, last = _day(row["closing_date"]), self.payment_day(row)
        return sum(
            to_cents(line["amount"])
            for line in self.lines()
            if line["type"] in types and closing < _day(line["posted"]) <= last
        )

    def is_paid_in_full(self, row: Seen) -> bool:
        """Return True if a statement was paid in full by its payment day (D17)."""
        return self.paid(row, "payment", "credit") >= to_cents(row["closing_balance"])

    def basis(self, closing: str) -> str:
        """Return the basis on which a statement bears interest: full, carried or none (5.9.1 and D18)."""
        if not self.is_paid_in_full(self.before(closing, 1)):
            return "full"
        return "none" if self.is_paid_in_full(self.before(closing, 2)) else "carried"

    def is_in_dispute(self, line: Seen) -> bool:
        """Return True if a line is marked as disputed (D19)."""
        return bool(line["mark"] == "disputed")

    def is_promotional(self, line: Seen, closing: str) -> bool:
        """Return True if a promotion keeps a line free of interest on this closing date (D19)."""
        mark: str = line["mark"]
        return mark.startswith("promo:") and mark.removeprefix("promo:") >= closing

    def without_interest(self, closing: str) -> list[str]:
        """Return the IDs of purchases that bear no interest on a statement (5.9.2 and D19)."""
        return [
            line["line_id"]
            for line in self.lines()
            if line["type"] == "purchase"
            and line["posted"] <= closing
            and (self.is_in_dispute(line) or self.is_promotional(line, closing))
        ]

    def is_raise_in_force(self, first: date) -> bool:
        """Return True if the rate increase applies from the first day of a statement (D20)."""
        effective, notice = _day(self.account["rate_effective_date"]), _day(self.account["rate_notice_date"])
        return first >= effective and self.is_announced(first, notice) and self.is_old_enough_account(first)

    def is_announced(self, first: date, notice: date) -> bool:
        """Return True if a rate increase was announced early enough (D20)."""
        return (first - notice).days >= self.policy.rate_notice_days

    def is_old_enough_account(self, first: date) -> bool:
        """Return True if the account is past its first year, so that its rate may rise (D20)."""
        return (first - _day(self.account["opened_date"])).days >= self.policy.first_year_days

    def purchase_rate(self, closing: str) -> float:
        """Return the purchase rate of a statement, in percent (5.9.3 and D20)."""
        first = _day(self.before(closing, 1)["closing_date"]) + timedelta(days=1)
        in_force = self.account["rate_effective_date"] is None or self.is_raise_in_force(first)
        rate: float = self.account["purchase_rate" if in_force else "previous_rate"]
        return rate

    def is_minimum_paid(self, row: Seen) -> bool:
        """Return True if a statement's minimum payment was made in time (D21)."""
        return self.paid(row, "payment") >= to_cents(row["minimum_due"])

    def is_repeated(self, closing: str) -> bool:
        """Return True if one of the preceding statements already had a late fee (D21)."""
        rows = self.account["statements"]
        place = next(number for number, row in enumerate(rows) if row["closing_date"] == closing)
        earlier = rows[max(0, place - self.policy.fee_lookback) : place]
        return any(row["late_fee"] > 0 for row in earlier)

    def late_fee(self, closing: str) -> int:
        """Return the late fee that a statement may charge, in cents (5.9.4 and D21)."""
        row = self.before(closing, 1)
        if self.is_minimum_paid(row):
            return 0
        fee = self.policy.fee_repeat if self.is_repeated(closing) else self.policy.fee_first
        return min(fee, self.most_of_fee(row))

    def most_of_fee(self, row: Seen) -> int:
        """Return the upper limit of a late fee: the minimum payment missed, in cents (D21)."""
        return to_cents(row["minimum_due"])

    def given_back(self, closing: str, interest: float, late_fee: int) -> int:
        """Return the refund of interest and late fee for a statement, in cents (5.9.5)."""
        row = self.charged(closing)
        return max(0, to_cents(row["interest_charged"]) - to_cents(interest)) + max(
            0, to_cents(row["late_fee"]) - late_fee
        )

    def review_ending(self, closings: list[str], total: int) -> Ending:
        """Return the ending of an interest review, given the total refund (5.9.5 and T6)."""
        rows = [self.charged(closing) for closing in closings]
        charged = sum(to_cents(row["interest_charged"]) + to_cents(row["late_fee"]) for row in rows)
        if not total:
            return Ending("deny", "charges_due")
        return Ending("approve", "none", total) if total == charged else Ending("partial", "charges_partly_due", total)

    def at_issue(self) -> int:
        """Return the amount at issue, in cents (5.11.1 and D26)."""
        if self.kind in ("new_card", "limit_increase"):
            return to_cents(self.case["requested_limit"])
        if not self.account:
            return 0
        if self.kind == "charge_dispute":
            return sum(to_cents(self.line_of(complaint)["amount"]) for complaint in self.case["complaints"])
        if self.kind == "lost_card":
            return sum(to_cents(line["amount"]) for line in self.unauthorized())
        rows = [self.charged(closing) for closing in self.statements]
        return sum(to_cents(row["interest_charged"]) + to_cents(row["late_fee"]) for row in rows)

    # -- 5.10 disputes and T8 -----------------------------------------------------------------------------------------

    def last_complete_closing(self) -> date:
        """Return the end of the last complete statement period in which a dispute may be resolved (T8)."""
        day = self.under_way(self.received)
        for _ in range(self.policy.resolution_cycles):
            day = self.next_closing(day)
        return day

    def under_way(self, day: date) -> date:
        """Return the end of the statement period that contains a day (T8)."""
        return self.next_closing(day - timedelta(days=1))

    def billing_error_due(self) -> date:
        """Return the day by which a billing error must be resolved (T8)."""
        longest = self.received + timedelta(days=self.policy.resolution_cap_days)
        return self.rolled_back(min(self.last_complete_closing(), longest))

    def resolve_by(self, track: str) -> date:
        """Return the day by which a dispute must be resolved (5.10.2 and T8)."""
        if track == "unauthorized_use":
            return self.after_business_days(self.received, self.policy.unauthorized_business_days)
        if track == "claim_and_defense":
            return self.rolled_back(self.received + timedelta(days=self.policy.claim_days))
        return self.billing_error_due()

    def first_of(self, lines: list[Seen]) -> str | None:
        """Return the closing date of the earliest statement that shows one of the lines (5.10.2)."""
        found = [first for line in lines if (first := self.first_statement(line)) is not None]
        return min(found, default=None)
