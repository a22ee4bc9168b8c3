"""Judgements of the investments expert on withdrawals, transfers and distributions."""

from __future__ import annotations

import re

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.investments.judgement import Ending, total
from teller_gym.scenarios.investments.purchase_judgement import PurchaseJudgement

_DOLLAR = 100
LEFT, LIQUIDATED, IN_KIND = "left", "liquidated", "in_kind"


class PayoutJudgement(PurchaseJudgement):
    """Judgements on withdrawals, transfers and distributions (5.8 to 5.11)."""

    # -- 5.8 margin ---------------------------------------------------------------------------------------------------

    def debit_balance(self) -> int:
        """Add up the debit balance, in cents (5.8.1)."""
        row = self.own_row()
        return to_cents(row["margin_debit"]) + self.interest(row) + self.pending(row)

    def interest(self, row: Seen) -> int:
        """Return the accrued interest of an account, in cents (D16)."""
        return to_cents(row["accrued_interest"])

    def pending(self, row: Seen) -> int:
        """Add up the pending withdrawals of an account (D16)."""
        return total([item for item in row["cash_items"] if item["kind"] == "pending_withdrawal"], "amount")

    def margin_class(self, row: Seen, market: int) -> str:
        """Return a position's margin class, the first that applies (T6)."""
        if self.is_low_priced(row):
            return "full"
        if row["product_kind"] == "leveraged_fund":
            return "leveraged"
        return "concentrated" if self.is_concentrated(row, market) else "standard"

    def is_low_priced(self, row: Seen) -> bool:
        """Return True if a position's price is below the low-price limit (T6)."""
        return to_cents(row["price"]) < self.policy.low_price

    def is_concentrated(self, row: Seen, market: int) -> bool:
        """Return True if a position's share of the market value is above the concentration limit (T6)."""
        return to_cents(row["value"]) * 10_000 > market * self.policy.concentrated_share

    def values_by_class(self) -> dict[str, int]:
        """Add up the position values of each margin class (5.8.2)."""
        rows = self.value["positions"]
        market = total(rows, "value")
        found = dict.fromkeys(("full", "leveraged", "concentrated", "standard"), 0)
        for row in rows:
            found[self.margin_class(row, market)] += to_cents(row["value"])
        return found

    def withdrawal_ending(self, margin: Seen) -> Ending:
        """Return the ending of a withdrawal (5.8.3 and T8)."""
        deficiency = to_cents(margin["margin_deficiency"])
        if deficiency:
            return Ending("refuse", "margin_deficiency", 0, self.called(deficiency))
        asked = to_cents(self.file["asked_amount"])
        payable = min(asked, self.rounded_down(to_cents(margin["withdrawable_amount"])))
        if self.is_too_little(payable):
            return Ending("refuse", "margin_limit")
        return (
            Ending("proceed", "none", 0, payable) if payable == asked else Ending("adjust", "margin_limit", 0, payable)
        )

    def called(self, deficiency: int) -> int:
        """Return the amount of a margin call, rounded up to whole dollars (T8)."""
        return -(-deficiency // _DOLLAR) * _DOLLAR

    def rounded_down(self, amount: int) -> int:
        """Round an amount down to whole dollars (D18)."""
        return amount // _DOLLAR * _DOLLAR

    def is_too_little(self, payable: int) -> bool:
        """Return True if an amount is below the minimum payment (D18)."""
        return payable < self.policy.min_payment

    # -- 5.9 transfer -------------------------------------------------------------------------------------------------

    @property
    def statement(self) -> Seen:
        """Statement of the delivering firm."""
        found: Seen = self.file["delivering_statement"]
        return found

    def people_of(self, title: str) -> list[str]:
        """Return the sorted names in an account title, in lower case and without the conjunction (5.9.1)."""
        return sorted(re.split(r"\s+and\s+|\s*&\s*", title.casefold().strip()))

    def title_matches(self) -> bool:
        """Return True if both titles name the same persons (5.9.1)."""
        return self.people_of(self.statement["title"]) == self.people_of(self.file["account_title"])

    def type_matches(self) -> bool:
        """Return True if both accounts are of the same type (5.9.1)."""
        return bool(self.code("type_words", self.statement["account_word"]) == self.file["account_type"])

    def tax_id_matches(self) -> bool:
        """Return True if both tax ids end in the same four digits (5.9.1)."""
        return bool(self.statement["tax_id_last4"] == self.file["tax_id_last4"])

    def clearing_number(self) -> str:
        """Return the clearing number of the delivering firm (T7)."""
        return str(self.code("clearing_numbers", self.statement["firm"]))

    def fate(self, asset: Seen) -> str:
        """Return how an asset is transferred: in kind, liquidated, or left behind (T7)."""
        return str(self.code("asset_rules", asset["asset_kind"]))

    def assets(self, fate: str) -> list[str]:
        """Return the ids of the assets with a given treatment (5.9.2)."""
        return [asset["asset_id"] for asset in self.statement["assets"] if self.fate(asset) == fate]

    def transfer_ending(self, check: Seen) -> Ending:
        """Return the ending of a transfer (T8)."""
        if check["transfer_status"] == "rejected":
            return Ending("refuse", "registration_mismatch")
        amount = to_cents(check["transfer_value"])
        if len(self.assets(IN_KIND)) == len(self.statement["assets"]):
            return Ending("proceed", "none", 0, amount)
        return Ending("adjust", "assets_not_transferable", 0, amount)

    # -- 5.10 required distribution -----------------------------------------------------------------------------------

    def valued(self) -> list[str]:
        """Return the accounts to value for the request (5.5.1)."""
        if self.request_type == "purchase":
            return self.counted("purchase")
        if self.request_type == "withdrawal":
            return [self.account_id]
        return list(dict.fromkeys([self.account_id, *self.counted("distribution")]))

    def required_rows(self) -> list[Seen]:
        """Return the valued accounts that share in the required distribution (D7)."""
        counted = self.counted("distribution")
        return [row for row in self.value["accounts"] if row["account_id"] in counted]

    def age_reached(self) -> int:
        """Return the age that the owner reaches in the tax year (5.10.1)."""
        return self.tax_year() - int(self.own_row()["owner_birth_date"][:4])

    def tax_year(self) -> int:
        """Return the year of the business date (5.10.1)."""
        return self.today.year

    def is_required_at_all(self) -> bool:
        """Return True if the owner has reached the age of required distributions (5.10.1)."""
        return self.age_reached() >= self.policy.distribution_age

    def divisor(self) -> float:
        """Return the divisor for the owner's age (T9)."""
        return self.policy.divisors[self.age_reached()] / 100

    def year_end_balance(self) -> int:
        """Add up the relevant accounts' balances at the end of last year, with rollovers (5.10.2)."""
        return total(self.required_rows(), "prior_year_end_value") + self.rollovers()

    def rollovers(self) -> int:
        """Add up the rollovers in transit (5.10.2)."""
        return total(self.required_rows(), "rollover_in_transit")

    def taken_this_year(self) -> int:
        """Add up this year's distributions; conversions do not count (5.10.3)."""
        return total(self.required_rows(), "distributions_this_year")

    def needed(self, remaining: int) -> int:
        """Return the requested amount or the remaining required one, whichever is higher (D18)."""
        return max(to_cents(self.file["asked_amount"]), remaining)

    def distribution_ending(self, needed: int, cash: Seen) -> Ending:
        """Return the ending of a distribution (T8)."""
        asked, payable = to_cents(self.file["asked_amount"]), to_cents(cash["covered_amount"])
        if self.is_too_little(payable):
            return Ending("refuse", "insufficient_cash")
        if payable < needed:
            return Ending("adjust", "insufficient_cash", 0, payable)
        if needed > asked:
            return Ending("adjust", "required_minimum", 0, payable)
        return Ending("proceed", "none", 0, payable)
