"""The investments expert with a worksheet: notes on payouts and transfers; ``order_working`` has those on orders."""

from __future__ import annotations

from collections.abc import Mapping

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Asking, Seen, Steps, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.order_working import OrderWorking
from teller_gym.scenarios.investments.policy import InvestmentPolicy


def work(request: str, policy: InvestmentPolicy) -> Steps:
    """Work the case that the request names up to its final review, with notes before the calls."""
    yield from Thorough(request, policy).work()


class Thorough(OrderWorking):
    """Notes the basis of each argument (5.8 to 5.11), and lets tools count days and add up positions."""

    age = remaining = 0
    classes: Mapping[str, int]

    def value_accounts(self) -> Steps:
        """Value the accounts, then ask for the further values that a payout needs."""
        yield from super().value_accounts()
        if self.request_type == "withdrawal":
            yield from self.ask_classes()
        if self.request_type == "distribution":
            yield from self.ask_age()

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def ask_classes(self) -> Steps:
        """Ask for the market value and its concentrated share, then for the value of each class (T6)."""
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
        """Return the values of the classes that the tool reported (5.8.2)."""
        return dict(self.classes)

    def note_calculate_margin_requirement(self, arguments: Seen) -> Note:
        """Note the parts of the debit balance, and the values of the classes (5.8.1, the values, 5.8.2)."""
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
        """Note the firm, the three comparisons, and each asset (5.9)."""
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
        """Ask for the owner's age at the end of the year (5.10.1)."""
        self.age = (yield from self.span(self.own_row()["owner_birth_date"], f"{self.tax_year()}-12-31"))["whole_years"]
        self.jot(whole_years=self.age, required=self.is_required_at_all())

    def age_reached(self) -> int:
        """Return the age that the calendar reported (5.10.1)."""
        return self.age

    def note_calculate_required_distribution(self, arguments: Seen) -> Note:
        """Note each account that counts, and the divisor (5.10)."""
        names = ("account_id", "prior_year_end_value", "rollover_in_transit", "distributions_this_year")
        return {
            **of(arguments, "age_reached", "divisor"),
            "accounts": [of(row, *names) for row in self.required_rows()],
            **of(arguments, "account_ids", "year_end_balance", "taken_this_year"),
        }

    def check_cash(self, needed: int, price: float, fee: int) -> Asking:
        """Note whether the required amount is higher than the requested one (5.11.3)."""
        if self.request_type == "distribution":
            self.jot(**of(self.file, "asked_amount"), required_is_higher=needed > to_cents(self.file["asked_amount"]))
        return (yield from super().check_cash(needed, price, fee))

    def distribution_ending(self, needed: int, cash: Seen) -> Ending:
        """Note whether the cash covers the need, then return the ending (T8)."""
        covered = to_cents(cash["covered_amount"]) == needed
        above = needed > to_cents(self.file["asked_amount"])
        self.jot(all_covered=covered, required_is_higher=above)
        return super().distribution_ending(needed, cash)
