"""The investments expert: works a request with the tools, from the request, the policy and tool results only."""

from __future__ import annotations

import re
from collections.abc import Generator

from teller_gym.base.money import to_cents, usd
from teller_gym.procedure.officer import Asking, CaseEndedError, Seen, Steps, nodes_of
from teller_gym.scenarios.banking.officer.intake import Intake
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.payout_judgement import IN_KIND, LEFT, LIQUIDATED, PayoutJudgement
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.scenarios.investments.sale_judgement import SaleJudgement, Sold
from teller_gym.tools.call import Call

Found = Generator[Call, Seen, Ending]


def work(request: str, policy: InvestmentPolicy) -> Steps:
    """Work the case that the request names, up to its final review."""
    yield from Officer(request, policy).work()


class Officer(PayoutJudgement, SaleJudgement, Intake):
    """Makes the calls of the SOP's steps; the inherited judgements choose the arguments and end the case early."""

    case_argument = "request_id"
    nodes = nodes_of(__package__)

    def __init__(self, request: str, policy: InvestmentPolicy) -> None:
        super().__init__(policy)
        self.case_id = re.findall(r"IR-\d{6}", request)[0]
        self.account_id = re.findall(r"AC-\d{6}", request)[0]
        self.customers = re.findall(r"CU-\d{6}", request)
        self.stated_value = to_cents(float(re.findall(r"\$([\d,]+\.\d\d)", request)[0].replace(",", "")))

    def work(self) -> Steps:
        """Run the SOP's steps in order; a case that ends early continues with the decision."""
        try:
            yield from self.take_in()
            yield from self.identify()
            yield from self.screen()
            yield from self.open_file()
            steps = {
                "purchase": self.buy, "sale": self.sell, "withdrawal": self.withdraw, "transfer": self.transfer,
                "distribution": self.distribute,
            }  # fmt: skip
            ending = yield from steps[self.request_type]()
        except CaseEndedError as end:
            ending = end.ending
        yield from self.close(ending)

    # -- 5.1 to 5.3 ---------------------------------------------------------------------------------------------------

    def take_in(self) -> Steps:
        """Read the request and its signers (5.1.1)."""
        self.case = yield from self.about_case("get_application_data")
        self.request_type = self.case["request_type"]
        self.people = {person["customer_id"]: person for person in self.case["signers"]}

    def open_file(self) -> Steps:
        """Open the account file, and check restrictions and authority (5.3)."""
        self.file = yield from self.fill_in(
            "check_account_authority",
            signer_ids=self.customers,
            screening_ids=[one["screening_id"] for one in self.screenings.values()],
            cleared_entry_ids=self.cleared(),
        )
        yield from self.end(self.file_ending())

    def value_accounts(self) -> Steps:
        """Value the positions of the accounts that count for the request (5.5)."""
        self.value = yield from self.fill_in(
            "value_positions", account_ids=self.valued(), valuation_date=self.price_date().isoformat()
        )

    # -- purchase -----------------------------------------------------------------------------------------------------

    def buy(self) -> Found:
        """Process a purchase (5.4 to 5.6 and 5.11)."""
        self.questionnaire = self.current_questionnaire()
        yield from self.end(self.questionnaire_ending())
        self.profile = yield from self.fill_in(
            "assess_risk_profile", questionnaire_id=self.questionnaire["questionnaire_id"], **self.points()
        )
        yield from self.end(self.suitability_ending())
        yield from self.value_accounts()
        room = yield from self.fill_in(
            "check_concentration", held_value=usd(self.held_value()), portfolio_value=usd(self.portfolio_value())
        )
        permitted: int = room["permitted_quantity"]
        yield from self.end(self.permitted_ending(permitted))
        price, fee = room["order_price"], self.order_fee()
        cash = yield from self.check_cash(permitted * to_cents(price) + fee, price, fee)
        return self.purchase_ending(permitted, cash)

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        """Check whether the available cash covers an amount (5.11)."""
        return (
            yield from self.fill_in(
                "check_available_cash",
                cash_balance=self.own_row()["cash_balance"],
                counted_credits=usd(self.counted_credits()),
                reserved_debits=usd(self.reserved_debits()),
                cash_reserve=usd(self.cash_reserve()),
                amount_needed=usd(needed),
                unit_price=price,
                order_fee=usd(fee),
            )
        )

    # -- sale ---------------------------------------------------------------------------------------------------------

    def sell(self) -> Found:
        """Process a sale (5.7)."""
        self.listed = {}
        yield from self.list_lots(self.account_id, None)
        sold = self.sold()
        yield from self.end(self.lots_ending(sold))
        gain = yield from self.work_out_gain(sold)
        if self.loss_lots(sold):
            for account in self.searched():
                yield from self.list_lots(account, self.window_start().isoformat())
        replaced = self.replacements(sold)
        result = yield from self.fill_in(
            "check_wash_sale",
            symbol=self.file["asked_symbol"],
            window_start=self.window_start().isoformat(),
            loss_lot_ids=self.loss_lots(sold),
            replacement_lot_ids=list(replaced),
            replacement_quantity=sum(replaced.values()),
        )
        return self.sale_ending(gain["sold_quantity"], result)

    def list_lots(self, account: str, first: str | None) -> Steps:
        """List the lots of an account, and keep the reference price (5.7.1 and 5.7.5)."""
        found = yield from self.fill_in(
            "list_tax_lots",
            lot_account_id=account,
            acquired_from=first,
            acquired_to=self.sold_on().isoformat(),
            price_date=self.price_date().isoformat(),
        )
        self.listed[account] = found["lots"]
        self.price = to_cents(found["reference_price"])

    def work_out_gain(self, sold: list[Sold]) -> Asking:
        """Calculate the realised gain of the lots sold (5.7.3 and 5.7.4)."""
        return (
            yield from self.fill_in(
                "calculate_realized_gain",
                symbol=self.file["asked_symbol"],
                sale_price=usd(self.price),
                sold_on=self.sold_on().isoformat(),
                lot_sales=[f"{one.lot['lot_id']}:{one.shares}" for one in sold],
                long_term_lot_ids=[one.lot["lot_id"] for one in sold if self.is_long_term(one.lot)],
            )
        )

    # -- withdrawal, transfer and distribution ------------------------------------------------------------------------

    def withdraw(self) -> Found:
        """Process a withdrawal (5.8)."""
        yield from self.value_accounts()
        values = self.values_by_class()
        margin = yield from self.fill_in(
            "calculate_margin_requirement",
            debit_balance=usd(self.debit_balance()),
            **{f"{name}_value": usd(value) for name, value in values.items()},
        )
        return self.withdrawal_ending(margin)

    def transfer(self) -> Found:
        """Process a transfer (5.9)."""
        check = yield from self.fill_in(
            "validate_transfer",
            in_kind_assets=self.assets(IN_KIND),
            liquidated_assets=self.assets(LIQUIDATED),
            left_assets=self.assets(LEFT),
        )
        return self.transfer_ending(check)

    def distribute(self) -> Found:
        """Process a distribution (5.10 and 5.11)."""
        yield from self.value_accounts()
        remaining = 0
        if self.is_required_at_all():
            result = yield from self.work_out_required()
            remaining = to_cents(result["remaining_distribution"])
        needed = self.needed(remaining)
        cash = yield from self.check_cash(needed, 0.0, 0)
        return self.distribution_ending(needed, cash)

    def work_out_required(self) -> Asking:
        """Calculate the required minimum distribution (5.10)."""
        return (
            yield from self.fill_in(
                "calculate_required_distribution",
                account_ids=[row["account_id"] for row in self.required_rows()],
                year_end_balance=usd(self.year_end_balance()),
                taken_this_year=usd(self.taken_this_year()),
            )
        )

    # -- 5.12 to 5.14 -------------------------------------------------------------------------------------------------

    def close(self, ending: Ending) -> Steps:
        """Record the decision, release the instruction, and file the review."""
        amount = self.amount_of(ending)
        record = yield from self.fill_in(
            "record_investment_decision",
            decision=ending.decision,
            reason=ending.reason,
            quantity=ending.quantity,
            decided_amount=usd(amount),
            review_desk=self.review_desk(ending.decision, amount),
        )
        yield from self.release(record)
        yield from self.fill_in("submit_final_review")

    def release(self, record: Seen) -> Asking:
        return (
            yield from self.fill_in(
                "release_instruction",
                instruction_type=self.instruction_type(record),
                effective_date=self.effective_date(record).isoformat(),
                delivery_method=record["delivery_method"],
            )
        )
