"""Facts that the credit cards expert collects for its notes: dates and sums from tools, and each judgement in turn."""

from __future__ import annotations

from collections.abc import Generator
from datetime import date, timedelta
from typing import Any

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.scenarios.banking.officer.notes import IntakeNotes
from teller_gym.scenarios.credit_cards.account_judgement import Dispute
from teller_gym.scenarios.credit_cards.expert import Officer, Settling
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.call import Call

GRANTED = ("approve", "partial")
_MOST_ROWS = 10
"""Maximum number of lines that a search returns."""


def day_after(day: str) -> str:
    """Return the day after an ISO date: the start of a search for lines posted later."""
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


class Findings(IntakeNotes, Officer):
    """Asks tools for dates, ages and sums before judging, and keeps the results for the next call's note."""

    def __init__(self, request: str, policy: CardPolicy) -> None:
        super().__init__(request, policy)
        self.years: dict[str, int] = {}
        self.summed: dict[str, Seen] = {}
        """Amounts paid on a statement, by its closing date."""
        self.parts: dict[str, Seen] = {}
        """Components of a complaint's amount, by its line."""
        self.charges: dict[str, Seen] = {}
        self.ability: Seen = {}
        self.rough: Seen = {}
        self.ending = Ending("", "")

    # -- the calendar and the sums of lines ---------------------------------------------------------------------------

    def total(self, line_type: str, **asked: Any) -> Generator[Call, Seen, float]:
        """Ask for the total of the lines of a type, in dollars."""
        arguments = {"account_id": self.account_id, **asked, "line_type": line_type, "limit": 1}
        total: float = (yield from self.ask("search_card_transactions", **arguments))["total_amount"]
        return total

    # -- 5.2 to 5.5 ---------------------------------------------------------------------------------------------------

    def block(self) -> Steps:
        """Note the cards and ask for the age of the address, then block the cards (5.2.1)."""
        changed = self.case["address_changed_on"]
        names = ("card_id", "status", "reported")
        self.jot(cards=[{**of(card, *names), "block": card in self.reported_cards()} for card in self.case["cards"]])
        if changed is not None:
            yield from self.span(changed, self.case["business_date"])
        yield from super().block()

    def read_account(self) -> Steps:
        """Ask for the end of the waiting period, then read the account (5.4.2)."""
        if self.kind == "limit_increase":
            yield from self.day_from(self.case["received_date"], -self.policy.increase_wait_days)
        yield from super().read_account()

    def account_ending(self) -> Ending | None:
        """Note the account's history up to the fact that ends the case (5.4.2)."""
        account, ending = self.account, super().account_ending()
        reason = ending.reason if ending else ""
        self.jot(**of(account, "opened_date"), too_new=self.is_too_soon(account["opened_date"]))
        if reason == "account_too_new":
            return ending
        self.jot(**of(account, "last_increase_date"), too_soon=self.is_too_soon(account["last_increase_date"]))
        if reason == "recent_increase":
            return ending
        for row in self.recent_statements():
            if row["late_fee"] > 0:
                self.jot_row(
                    "late_fees", **of(row, "closing_date", "late_fee"), back=self.is_taken_back(row["late_fee"])
                )
        if reason != "late_payment":
            balances = [row["closing_balance"] for row in self.recent_statements()]
            self.jot(**of(account, "credit_limit"), closing_balances=balances, over_limit=self.was_over_limit())
        return ending

    def paper_ending(self) -> Ending | None:
        """Note the documents on file, then return the ending (5.5.1)."""
        ending = super().paper_ending()
        self.jot(documents=self.case["documents"], complete=ending is None)
        return ending

    def alert_ending(self) -> Ending | None:
        """Note each fraud alert, then return the ending (5.5.3)."""
        for customer, report in self.reports.items():
            alert = report["alert_type"]
            if alert != "none":
                channel = of(self.case, "channel") if alert == "initial" else {}
                self.jot_row("alerts", customer_id=customer, alert_type=alert, **channel, stops=self.stops(alert))
        return super().alert_ending()

    # -- 5.6 ----------------------------------------------------------------------------------------------------------

    def settle_limit(self) -> Settling:
        """Note incomes and the deciding score, and ask the preview tool for a rough limit (5.6.1 to 5.6.4)."""
        yield from self.read_incomes()
        if len(self.reports) > 1:
            self.jot(higher_income=self.deciding_person())
        self.jot(score=self.qualifying_score(), enough=self.score_ending() is None)
        if self.score_ending() is None and self.yearly_income():
            self.rough = yield from self.ask(
                "preview_card_limit",
                **of(self.case, "product"),
                credit_score=self.qualifying_score(),
                stated_yearly_income=usd(self.yearly_income()),
                stated_monthly_debts=self.case["monthly_housing_cost"],
                wished_limit=self.case["requested_limit"],
                is_student=self.is_student(),
                share_of_income=self.policy.band_of(self.qualifying_score()).share / 100,
            )
        return (yield from super().settle_limit())

    def read_incomes(self) -> Steps:
        """Note each income up to the deciding fact; ages and dates come from the calendar tool (D6)."""
        for income in self.case["incomes"]:
            known = of(income, "recipient_id", "documented")
            if self.is_documented(income):
                known |= of(income, "ends_on")
                if income["ends_on"] is not None:
                    yield from self.day_from(self.case["business_date"], self.policy.income_horizon_days)
                if self.lasts(income):
                    known |= of(income, "earner")
                    if income["earner"] != "self":
                        known |= {"whole_years": (yield from self.age_asked(income["recipient_id"]))}
                        known |= of(income, "paid_into")
            pay = of(income, "gross_pay", "pay_period") if self.counts(income) else {}
            self.jot_row("incomes", **known, counts=self.counts(income), **pay)

    def age_asked(self, customer: str) -> Generator[Call, Seen, int]:
        """Return a person's age in years, asking the calendar only once (D1)."""
        if customer not in self.years:
            born = self.people[customer]["date_of_birth"]
            self.years[customer] = (yield from self.span(born, self.case["business_date"]))["whole_years"]
        return self.years[customer]

    def assess(self, limit: int) -> Asking:
        """Note each tradeline, then assess the limit (D8)."""
        met: list[str] = []
        for report in self.reports.values():
            for line in report["tradelines"]:
                self.jot_row("tradelines", **self.walked(line, again=line["tradeline_id"] in met))
                met.append(line["tradeline_id"])
        self.ability = yield from super().assess(limit)
        return self.ability

    def walked(self, line: Seen, *, again: bool) -> Seen:
        """Return a tradeline's note: whether it counts and with what amount, up to the deciding fact (D8)."""
        known = of(line, "tradeline_id", "role")
        if again:
            return {**known, "again": True, "counts": False}
        if self.is_anothers(line):
            return {**known, "counts": False}
        if line["bank_account_id"] is not None:
            known |= of(line, "bank_account_id")
            if self.is_this_account(line):
                return {**known, "counts": False}
        if line["kind"] == "student_loan" and line["deferred"]:
            return {**known, "counts": True, **of(line, "kind", "deferred", "balance")}
        return {**known, "counts": True, **of(line, "monthly_payment")}

    # -- 5.7 ----------------------------------------------------------------------------------------------------------

    def judge_complaints(self) -> Settling:
        """Note the tracks, then read all credits, then note each complaint (5.7)."""
        for complaint in self.case["complaints"]:
            error = self.track(complaint) == "billing_error"
            self.jot_row("complaints", **of(complaint, "line_id", "complaint", "goods"), billing_error=error)
        self.jot(**of(self.case, "channel"), written=self.is_written())
        if self.notice_ending() is None:
            yield from self.ask(
                "search_card_transactions", account_id=self.account_id, line_type="credit", limit=_MOST_ROWS
            )
            for complaint in self.case["complaints"]:
                yield from self.walk(complaint)
        return (yield from super().judge_complaints())

    def walk(self, complaint: Seen) -> Steps:
        """Note the facts of a complaint up to the finding that applies (5.7.3)."""
        line = self.line_of(complaint)
        same = [other for other in self.credits_from(line["posted"]) if other["merchant"] == line["merchant"]]
        agreed = of(complaint, "agreed_amount") if complaint["complaint"] in ("wrong_amount", "credit_missing") else {}
        self.parts[line["line_id"]] = {**of(line, "amount"), **agreed, "credits": [other["amount"] for other in same]}
        row = {**of(complaint, "line_id", "complaint"), **self.parts[line["line_id"]]}
        disputed = self.disputed_amount(complaint, line)
        if disputed and self.track(complaint) == "claim_and_defense":
            row |= self.near_and_tried(complaint, line, disputed)
            if self.claim_finding(complaint, line, disputed).name in ("none", "partly_paid_off", "paid_off"):
                self.jot_row("walked", **row)
                row = {**of(line, "line_id"), **(yield from self.read_payments_after(line))}
        elif disputed:
            row |= self.seen_of_error(complaint, line)
            if not self.is_no_error(complaint, line):
                since = yield from self.day_from(self.case["received_date"], -self.policy.notice_window_days)
                first = {"first_statement": self.first_statement(line), "notice_from": since}
                row |= {**first, "late": self.is_late(line)}
        found = self.finding(complaint)
        row |= {"accepted": True} if found.name == "none" else {found.name: True}
        self.jot_row("walked", **row)

    def near_and_tried(self, complaint: Seen, line: Seen, disputed: int) -> Seen:
        """Return the conditions of a claim, up to the first that fails (T7)."""
        row: Seen = {"small": self.is_small(disputed)}
        if not row["small"]:
            near = self.is_home(line) or self.is_near(line)
            row |= {**of(self.account, "home_state"), **of(line, "state", "miles"), "near": near}
            if near:
                row |= {**of(complaint, "merchant_contacted_on"), "tried": self.has_tried(complaint)}
        return row

    def seen_of_error(self, complaint: Seen, line: Seen) -> Seen:
        """Return the facts that could refute a billing error (T7)."""
        if complaint["complaint"] == "charged_twice":
            return {"twin": self.has_twin(line)}
        if complaint["complaint"] == "not_mine":
            return {**of(line, "entry_mode"), "known_merchant": self.is_known_merchant(line)}
        return {}

    def read_payments_after(self, line: Seen) -> Generator[Call, Seen, Seen]:
        """Ask for the payments after a line's day, and return them with the line's balance (D13)."""
        first, received = day_after(line["posted"]), self.case["received_date"]
        sums: Seen = {}
        if first <= received:
            sums = {"payments_after": (yield from self.total("payment", posted_from=first, posted_to=received))}
        back = [other["amount"] for other in self.credits_from(first) if other["posted"] <= received]
        found = {**of(line, "balance"), **sums, **({"credits_after": back} if back else {})}
        self.parts[line["line_id"]] |= found
        return found

    def credits_from(self, day: str) -> list[Seen]:
        """Return the credit lines posted on a day or later (D12 and D13)."""
        return [line for line in self.lines() if line["type"] == "credit" and line["posted"] >= day]

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def credited_lines(self) -> list[Seen]:
        """Note each line of a reported card after the own last use, up to the deciding fact (5.8.1)."""
        credited = super().credited_lines()
        if "use" not in self.summed:
            self.summed["use"] = {}
            self.jot(lent=self.is_lent())
            for line in self.lines():
                if line["type"] not in ("purchase", "cash_advance"):
                    continue
                if self.is_of_reported_card(line) and self.is_after_own_use(line):
                    self.jot_row("use", **self.used(line, line in credited))
        return credited

    def used(self, line: Seen, credited: bool) -> Seen:
        """Return a line's note: whether it was unauthorized, and who bears it (D14 to D16)."""
        known = of(line, "line_id", "transaction_date", "entry_mode")
        if self.is_recurring(line):
            return {**known, "unauthorized": False}
        known |= {"before_notice": self.is_before_notice(line), "credited": credited, **of(line, "amount")}
        return {**known, "borne": self.is_at_holders_risk(line)} if credited else known

    # -- 5.9 ----------------------------------------------------------------------------------------------------------

    def review(self, closing: str) -> Generator[Call, Seen, int]:
        """Ask for the payments on the preceding statements and the age of a rate increase, then review (5.9)."""
        yield from self.read_payments(self.before(closing, 1))
        if self.is_paid_in_full(self.before(closing, 1)):
            yield from self.read_payments(self.before(closing, 2))
        yield from self.read_raise(day_after(self.before(closing, 1)["closing_date"]))
        return (yield from super().review(closing))

    def read_payments(self, row: Seen) -> Steps:
        """Ask for the payments on a statement; credits only if payments do not cover it (D17 and D21)."""
        closing, balance = row["closing_date"], to_cents(row["closing_balance"])
        if closing in self.summed:
            return
        known = of(row, "closing_date", "closing_balance")
        if balance:
            last = yield from self.day_from(row["due_date"], 0, "calendar", "next")
            window = {"posted_from": day_after(closing), "posted_to": last}
            known["payments"] = yield from self.total("payment", **window)
            if to_cents(known["payments"]) < balance and any(line["type"] == "credit" for line in self.lines()):
                known["credits"] = yield from self.total("credit", **window)
        self.summed[closing] = known
        self.jot_row("statements", **known, paid_in_full=self.is_paid_in_full(row))

    def read_raise(self, first: str) -> Steps:
        """Ask for the days since the announcement and the opening if a rate increase is effective (D20)."""
        account = self.account
        effective = account["rate_effective_date"]
        if effective is None or first < effective or first < account["rate_notice_date"]:
            return
        self.jot(rate_effective_date=effective)
        yield from self.span(account["rate_notice_date"], first)
        announced = self.is_announced(date.fromisoformat(first), date.fromisoformat(account["rate_notice_date"]))
        self.jot(announced=announced)
        if announced:
            yield from self.span(account["opened_date"], first)

    def given_back(self, closing: str, interest: float, late_fee: int) -> int:
        """Keep the charged and the due amounts for the notes, and return the refund (5.9.5)."""
        due = {"interest_due": interest, "charges_due": usd(to_cents(interest) + late_fee)}
        self.charges[closing] = {**of(self.charged(closing), "closing_date", "interest_charged", "late_fee"), **due}
        return super().given_back(closing, interest, late_fee)

    # -- 5.10 and T8 --------------------------------------------------------------------------------------------------

    def check_authority(self, ending: Ending) -> Steps:
        """Note whether the amount is above the authority (5.10.1)."""
        if ending.decision in GRANTED:
            self.jot(above_authority=self.is_beyond(ending.amount))
        yield from super().check_authority(ending)

    def open_dispute(self, dispute: Dispute) -> Steps:
        """Ask for the resolution date of a dispute, then open it (5.10.2)."""
        received, policy = self.case["received_date"], self.policy
        if dispute.track == "unauthorized_use":
            yield from self.day_from(received, policy.unauthorized_business_days, "business")
        elif dispute.track == "claim_and_defense":
            yield from self.day_from(received, policy.claim_days, "calendar", "previous")
        else:
            yield from self.error_days()
        yield from super().open_dispute(dispute)

    def error_days(self) -> Steps:
        """Ask for both limits of a billing error: the maximum days, and the second complete statement period (T8)."""
        yield from self.day_from(self.case["received_date"], self.policy.resolution_cap_days, "calendar", "previous")
        closing = self.last_complete_closing().isoformat()
        if (closing, 0, "calendar", "previous") not in self.days_asked:
            self.jot(**of(self.case, "received_date"), **of(self.account, "closing_day"), second_closing=closing)
        yield from self.day_from(closing, 0, "calendar", "previous")

    def close(self, ending: Ending) -> Steps:
        """Ask for the due date, then close the case (5.11.3)."""
        self.ending = ending
        today, policy = self.case["business_date"], self.policy
        match ending.decision:
            case "refer":
                yield from self.day_due(today, self.referral_days(ending.reason), "business")
            case "incomplete":
                yield from self.day_due(today, policy.completion_business_days, "business")
            case "deny":
                yield from self.day_due(self.denial_start().isoformat(), policy.denial_days, "calendar", "previous")
            case _ if not self.opened and self.kind != "interest_review":
                yield from self.day_due(today, self.setup_days(), "business")
        yield from super().close(ending)

    def day_due(self, start: str, days: int, unit: str, roll: str = "none") -> Steps:
        """Note how the case ends, then ask for the due date (T8)."""
        ending = {self.ending.decision: True}
        if self.ending.reason != "none":
            ending[self.ending.reason] = True
        self.jot(kind=self.kind, **ending)
        yield from self.day_from(start, days, unit, roll)
