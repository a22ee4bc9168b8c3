"""The expert of Investments at a worksheet: notes on payouts and transfers; those on orders are in a module beside."""

from __future__ import annotations

from collections.abc import Mapping

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.order_working import OrderWorking
from teller_gym.scenarios.investments.policy import InvestmentPolicy


def work(request: str, policy: InvestmentPolicy) -> Steps:
    """Work the case that the request names, to its final review, showing the working."""
    yield from Thorough(request, policy).work()


class Thorough(OrderWorking):
    """Notes what an argument follows from (5.8 to 5.11), and counts no days and adds up no positions itself."""

    age = remaining = 0
    classes: Mapping[str, int]

    def value_accounts(self) -> Steps:
        """Ask for the valuation, and for what a payout needs besides."""
        yield from super().value_accounts()
        if self.request_type == "withdrawal":
            yield from self.ask_classes()
        if self.request_type == "distribution":
            yield from self.ask_age()

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def ask_classes(self) -> Steps:
        """Ask for the market value and the concentrated share of it, then for the value of each class (T6)."""
        rows = self.value["positions"]
        fall = 100 - self.policy.concentrated_share / 100
        market = yield from self.ask_value(rows, fall=fall)
        found = super().values_by_class()
        whole = to_cents(market["estimated_value"])
        sorted_rows = [(self.margin_class(row, whole), row) for row in rows]
        self.jot(
            **of(market, "value_after_fall"),
            positions=[{**of(row, "price", "product_kind", "value"), name: True} for name, row in sorted_rows],
        )
        for name in found:
            held = [row for kind, row in sorted_rows if kind == name]
            if len(held) > 1:
                self.jot(**{name: True})
                found[name] = to_cents((yield from self.ask_value(held))["estimated_value"])
        self.classes = found

    def values_by_class(self) -> dict[str, int]:
        """Return the values of the classes, as asked for (5.8.2)."""
        return dict(self.classes)

    def note_calculate_margin_requirement(self, arguments: Seen) -> Note:
        """Note the debit balance, and the values of the classes (5.8.1, the values, 5.8.2)."""
        row = self.own_row()
        pending = [item["amount"] for item in row["cash_items"] if item["kind"] == "pending_withdrawal"]
        values = [name for name in arguments if name.endswith("_value")]
        return {
            **of(row, "margin_debit", "accrued_interest"),
            "pending_withdrawal": pending,
            **of(arguments, "debit_balance", *values),
        }

    def withdrawal_ending(self, margin: Seen) -> Ending:
        """Note the deficiency, then return the ending (5.8.3)."""
        ending = super().withdrawal_ending(margin)
        self.jot(**of(margin, "margin_deficiency"))
        if ending.reason != "margin_deficiency":
            self.jot(**of(self.file, "asked_amount"), **of(margin, "withdrawable_amount"))
        return ending

    # -- 5.9 ----------------------------------------------------------------------------------------------------------

    def note_validate_transfer(self, arguments: Seen) -> Note:
        """Note the firm, the three comparisons, and one asset after the other (5.9)."""
        theirs = of(self.statement, "firm", "title", "account_word")
        fates = ("in_kind_assets", "liquidated_assets", "left_assets")
        return {
            "firm": theirs["firm"],
            **of(arguments, "clearing_number"),
            "title": theirs["title"],
            **of(self.file, "account_title"),
            **of(arguments, "title_matches"),
            "account_word": theirs["account_word"],
            **of(self.file, "account_type"),
            **of(arguments, "type_matches"),
            "tax_id_last4": [self.statement["tax_id_last4"], self.file["tax_id_last4"]],
            **of(arguments, "tax_id_matches"),
            "assets": [
                {**of(asset, "asset_id", "asset_kind"), self.fate(asset): True} for asset in self.statement["assets"]
            ],
            **of(arguments, *fates),
        }

    def transfer_ending(self, check: Seen) -> Ending:
        """Note the status, then return the ending (T8)."""
        ending = super().transfer_ending(check)
        self.jot(**of(check, "transfer_status"))
        if ending.reason != "registration_mismatch":
            self.jot(all_in_kind=ending.decision == "proceed")
        return ending

    # -- 5.10 and 5.11 ------------------------------------------------------------------------------------------------

    def ask_age(self) -> Steps:
        """Ask for the age at the end of the year (5.10.1)."""
        self.age = (yield from self.span(self.own_row()["owner_birth_date"], f"{self.tax_year()}-12-31"))["whole_years"]
        self.jot(whole_years=self.age, required=self.is_required_at_all())

    def age_reached(self) -> int:
        """Return the age that the calendar gave (5.10.1)."""
        return self.age

    def note_calculate_required_distribution(self, arguments: Seen) -> Note:
        """Note one account after the other, and the divisor (5.10)."""
        names = ("account_id", "prior_year_end_value", "rollover_in_transit", "distributions_this_year")
        return {
            **of(arguments, "age_reached", "divisor"),
            "accounts": [of(row, *names) for row in self.required_rows()],
            **of(arguments, "account_ids", "year_end_balance", "taken_this_year"),
        }

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        """Note the higher of what is asked for and what is required (5.11.3)."""
        if self.request_type == "distribution":
            self.jot(**of(self.file, "asked_amount"), required_is_higher=needed > to_cents(self.file["asked_amount"]))
        return (yield from super().check_cash(needed, price, fee))

    def distribution_ending(self, needed: int, cash: Seen) -> Ending:
        """Note what was covered, then return the ending (T8)."""
        covered = to_cents(cash["covered_amount"]) == needed
        above = needed > to_cents(self.file["asked_amount"])
        self.jot(all_covered=covered, required_is_higher=above)
        return super().distribution_ending(needed, cash)
