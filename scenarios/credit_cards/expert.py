"""The expert: works a card request with the tools, given only its text, the policy that the SOP shows, and results."""

from __future__ import annotations

import re
from collections.abc import Generator
from datetime import date
from operator import itemgetter

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Asking, CaseEndedError, Seen, Steps, nodes_of
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.scenarios.credit_cards.account_judgement import AccountJudgement, Dispute
from teller_gym.scenarios.credit_cards.judgement import Ending
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.call import Call

Settling = Generator[Call, Seen, Ending]


def work(request: str, policy: CardPolicy) -> Steps:
    """Work a request to its final review."""
    yield from Officer(request, policy).work()


class Officer(AccountJudgement, Intake):
    """Makes the calls of the SOP's steps; the judgements choose their arguments and when to stop."""

    case_argument = "request_id"
    nodes = nodes_of(__package__)

    def __init__(self, request: str, policy: CardPolicy) -> None:
        super().__init__(policy)
        self.case_id = re.findall(r"CC-\d{6}", request)[0]
        self.customers = re.findall(r"CU-\d{6}", request)
        self.account_id = next(iter(re.findall(r"KA-\d{6}", request)), "")
        asked, _, _ = request.partition(". The business date is ")
        self.statements = re.findall(r"\d{4}-\d{2}-\d{2}", asked)
        self.kind = re.findall(r"\((\w+)\)", request)[0]
        self.opened: list[date] = []

    def work(self) -> Steps:
        """Follow the SOP's steps; a case that ends early skips to its decision."""
        try:
            yield from self.take_in()
            if self.kind == "lost_card":
                yield from self.block()
            yield from self.identify()
            if self.kind == "new_card":
                yield from self.screen()
            else:
                yield from self.read_account()
            ending = yield from self.settle()
            yield from self.check_authority(ending)
        except CaseEndedError as end:
            ending = end.ending
        yield from self.close(ending)

    # -- 5.1 to 5.4 ---------------------------------------------------------------------------------------------------

    def take_in(self) -> Steps:
        """Read the case, sort its complaints and index its people by customer ID (5.1)."""
        shown = yield from self.about_case("get_application_data")
        self.case = {**shown, "complaints": sorted(shown["complaints"], key=itemgetter("line_id"))}
        self.people = {person["customer_id"]: person for person in self.case["people"]}

    def block(self) -> Steps:
        """Block the reported cards (5.2)."""
        yield from self.fill_in(
            "block_card",
            card_ids=[card["card_id"] for card in self.reported_cards()],
            reissue_method=str(self.code("reissue_methods", self.loss())),
            hold_replacement=self.holds_replacement(),
        )

    def read_account(self) -> Steps:
        """Read the card account, and end a limit increase that the account rules out (5.4)."""
        shown = yield from self.fill_in("get_card_activity")
        # The tool may return statements in any order.
        self.account = {**shown, "statements": sorted(shown["statements"], key=itemgetter("closing_date"))}
        if self.kind == "limit_increase":
            yield from self.end(self.account_ending())

    # -- 5.5 and 5.6 --------------------------------------------------------------------------------------------------

    def settle(self) -> Settling:
        """Work the step for the kind of request, and return how the case ends (5.5 to 5.9)."""
        if self.kind == "charge_dispute":
            return (yield from self.judge_complaints())
        if self.kind == "lost_card":
            return self.loss_ending(self.credited_lines())
        if self.kind == "interest_review":
            return (yield from self.review_charges())
        yield from self.check_credit()
        return (yield from self.settle_limit())

    def check_credit(self) -> Steps:
        """Pull the credit reports, and end the case if an alert stops it (5.5)."""
        yield from self.end(self.paper_ending())
        for customer in self.checks:
            yield from self.pull_report(customer)
        yield from self.end(self.alert_ending())

    def pull_report(self, customer: str) -> Steps:
        """Pull one person's credit report (5.5.2)."""
        self.reports[customer] = yield from self.fill_in(
            "pull_credit_report", customer_id=customer, inquiry_type=self.inquiry()
        )

    def settle_limit(self) -> Settling:
        """Propose a limit, assess it, and return the ending (5.6)."""
        yield from self.end(self.score_ending())
        limit = self.proposed_limit()
        if self.is_too_low(limit):
            yield from self.end(Ending("deny", "income_insufficient"))
        found = yield from self.assess(limit)
        if found["within_limit"]:
            return self.limit_ending(limit, within=True)
        limit = self.affordable_limit(found)
        if self.is_too_low(limit):
            yield from self.end(Ending("deny", "excessive_obligations"))
        return self.limit_ending(limit, within=False)

    def affordable_limit(self, found: Seen) -> int:
        """Return the largest limit that the income supports, in cents (5.6.5)."""
        return to_cents(found["largest_limit"])

    def assess(self, limit: int) -> Asking:
        """Assess whether the income supports a limit (5.6.5)."""
        return (
            yield from self.fill_in(
                "assess_ability_to_pay",
                report_ids=[report["report_id"] for report in self.reports.values()],
                monthly_income=usd(self.monthly_income()),
                monthly_housing_cost=self.housing_cost(),
                monthly_obligations=usd(self.obligations()),
                proposed_limit=usd(limit),
            )
        )

    def product_rate(self) -> float:
        """Return the product's purchase rate, in percent (5.6.5 and T1)."""
        return self.product.purchase_rate / 100

    def housing_cost(self) -> float:
        """Return the stated monthly housing cost, in dollars (D10)."""
        cost: float = self.case["monthly_housing_cost"]
        return cost

    # -- 5.7 and 5.9 -------------------------------------------------------------------------------------------------

    def judge_complaints(self) -> Settling:
        """Judge each complaint, and return how the dispute ends (5.7)."""
        yield from self.end(self.notice_ending())
        return self.complaint_ending([self.finding(complaint) for complaint in self.case["complaints"]])

    def review_charges(self) -> Settling:
        """Review each statement in question, and return the ending (5.9)."""
        total = 0
        for closing in self.statements:
            total += yield from self.review(closing)
        return self.review_ending(self.statements, total)

    def review(self, closing: str) -> Generator[Call, Seen, int]:
        """Recompute a statement's charges, and return the refund in cents (5.9)."""
        late_fee = self.late_fee(closing)
        found = yield from self.fill_in(
            "calculate_finance_charge",
            statement_date=closing,
            interest_basis=self.basis(closing),
            excluded_line_ids=self.without_interest(closing),
            purchase_rate=self.purchase_rate(closing),
            late_fee=usd(late_fee),
        )
        return self.given_back(closing, found["interest_due"], late_fee)

    # -- 5.10 to 5.12 -------------------------------------------------------------------------------------------------

    def check_authority(self, ending: Ending) -> Steps:
        """Refer an amount above the authority, otherwise open the disputes (5.10)."""
        if self.is_beyond(ending.amount):
            yield from self.end(Ending("refer", "above_authority", ending.amount))
        for dispute in self.disputes(ending):
            yield from self.open_dispute(dispute)

    def disputes(self, ending: Ending) -> list[Dispute]:
        """Return the disputes to open for an ending (5.10.2)."""
        if self.kind == "lost_card" and ending.amount:
            code = str(self.code("reason_codes", self.loss()))
            return [Dispute("unauthorized_use", code, self.credited_lines(), ending.amount)]
        if self.kind != "charge_dispute":
            return []
        judged = [(complaint, self.finding(complaint)) for complaint in self.case["complaints"]]
        return [
            Dispute(
                self.track(complaint),
                str(self.code("reason_codes", complaint["complaint"])),
                [self.line_of(complaint)],
                finding.amount,
            )
            for complaint, finding in judged
            if finding.amount
        ]

    def open_dispute(self, dispute: Dispute) -> Steps:
        """Open a dispute and keep its resolution date (5.10.2)."""
        due = self.resolve_by(dispute.track)
        yield from self.fill_in(
            "open_dispute",
            track=dispute.track,
            reason_code=dispute.code,
            line_ids=[line["line_id"] for line in dispute.lines],
            credited_amount=usd(dispute.amount),
            first_statement_date=self.first_of(dispute.lines),
            resolve_by=due.isoformat(),
        )
        self.opened.append(due)

    def close(self, ending: Ending) -> Steps:
        """Issue the decision and submit the final review (5.11 and 5.12)."""
        closing = self.next_closing(self.today) if self.account else None
        if ending.decision in ("deny", "incomplete", "refer") and ending.reason != "above_authority":
            ending = ending._replace(amount=self.at_issue())
        yield from self.fill_in(
            "issue_card_decision",
            decision=ending.decision,
            principal_reason=ending.reason,
            letter_code=self.letter(ending.decision),
            amount=usd(ending.amount),
            due_date=self.due_date(ending, self.opened, closing).isoformat(),
        )
        yield from self.fill_in("submit_final_review")
