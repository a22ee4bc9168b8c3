"""The expert's judgements on deposited items (5.5): banking day, schedule class, holds and next-day amounts."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.judgement import Ending, Judgement

OFFICIAL = ("cashiers_check", "certified_check", "government_check")
SPECIAL = ("treasury_check", "on_us_check", *OFFICIAL)
"""Checks that fall into ``other_check`` if they are not payable to an owner."""


class Split(NamedTuple):
    """Parts of an item in cents: available the next day, and held, with the reason for the hold."""

    early: int
    held: int
    reason: str


class Deposits(Judgement):
    """Judgements on deposited items."""

    def items(self) -> list[Seen]:
        """Return the account's pending items; in a deposit review only those of the request (5.5)."""
        rows: list[Seen] = self.account["pending_items"]
        if self.kind != "deposit_review":
            return rows
        asked = [row["item_id"] for row in self.case["items"]]
        return [row for row in rows if row["item_id"] in asked]

    def day_of(self, item: Seen) -> date:
        """Return the banking day of an item (D5)."""
        return self.banking_day(date.fromisoformat(item["deposited_on"]), item["deposited_at"], item["channel"])

    def is_check(self, item: Seen) -> bool:
        return item["item_kind"] not in ("cash", "electronic")

    def is_postdated(self, item: Seen) -> bool:
        """Return True if a check is dated after its deposit (D10)."""
        return date.fromisoformat(item["check_date"]) > self.day_of(item)

    def is_stale(self, item: Seen) -> bool:
        """Return True if a check is older than the bank accepts (D10)."""
        return (self.day_of(item) - date.fromisoformat(item["check_date"])).days > self.policy.stale_check_days

    def is_taken(self, item: Seen) -> bool:
        """Return True if an item is accepted for deposit (D10)."""
        return not self.is_check(item) or not (self.is_postdated(item) or self.is_stale(item))

    def taken(self) -> list[Seen]:
        """Return the items accepted for deposit (5.5)."""
        return [item for item in self.items() if self.is_taken(item)]

    def lacks_endorsement(self) -> bool:
        """Return True if an accepted check is not endorsed (5.5.1)."""
        return any(self.is_check(item) and not item["endorsed"] for item in self.taken())

    def item_ending(self) -> Ending | None:
        """Return the ending of a deposit review that the items alone determine (5.5.1 and T5)."""
        if self.lacks_endorsement():
            return Ending("pend", "endorsement_missing")
        return None if self.taken() else Ending("decline", "item_not_payable")

    def is_payable_to_owner(self, item: Seen) -> bool:
        """Return True if an item is payable to an owner of the account (D9)."""
        return item["payee_id"] in [row["customer_id"] for row in self.account["owners"]]

    def is_in_person(self, channel: str) -> bool:
        """Return True if a channel is in person, at the branch (T4 and T6)."""
        return channel == "branch"

    def class_of(self, item: Seen) -> str:
        """Return the name of an item's row in the availability schedule (5.5.2 and T4)."""
        kind, in_person = item["item_kind"], self.is_in_person(item["channel"])
        if kind == "cash":
            return "cash_in_person" if in_person else "cash_otherwise"
        if kind == "electronic":
            return "electronic"
        if kind not in SPECIAL or not self.is_payable_to_owner(item):
            return "other_check"
        if kind in OFFICIAL:
            return "official_in_person" if in_person else "official_otherwise"
        return str(kind)

    def schedule_code(self, name: str) -> str:
        """Return the code of a row of the availability schedule (T4)."""
        return str(self.code("schedule", name).code)

    # -- 5.5.3 holds --------------------------------------------------------------------------------------------------

    def is_redeposited(self, item: Seen) -> bool:
        """Return True if an item was returned before (D13)."""
        return bool(item["returned_before"])

    def is_young(self, day: date) -> bool:
        """Return True if the account was opened recently (D11)."""
        return (day - date.fromisoformat(self.account["opened_on"])).days <= self.policy.new_account_days

    def has_older_account(self, owner: str, day: date) -> bool:
        """Return True if an owner has had another open account for long enough (D11)."""
        return any(
            row["owner_id"] == owner
            and row["status"] == "open"
            and (day - date.fromisoformat(row["opened_on"])).days > self.policy.new_account_days
            for row in self.account["related_accounts"]
        )

    def are_known(self, day: date) -> bool:
        """Return True if every owner has had another account for long enough (D11)."""
        return all(self.has_older_account(row["customer_id"], day) for row in self.account["owners"])

    def is_new_account(self, day: date) -> bool:
        """Return True if the account is young and its owners are not all known to the bank (D11)."""
        return self.is_young(day) and not self.are_known(day)

    def days_overdrawn(self, day: date) -> list[Seen]:
        """Return the overdrawn days within the window before a day (D12)."""
        window = self.policy.overdrawn_window_days
        return [
            row for row in self.account["overdrawn_days"] if 0 < (day - date.fromisoformat(row["day"])).days <= window
        ]

    def is_often_overdrawn(self, rows: list[Seen]) -> bool:
        """Return True if the account was overdrawn on many days (D12)."""
        return len(rows) >= self.policy.overdrawn_days

    def is_deeply_overdrawn(self, rows: list[Seen]) -> bool:
        """Return True if the account had large overdrafts on several days (D12)."""
        large = [row for row in rows if to_cents(row["overdrawn_by"]) >= self.policy.overdrawn_large_amount]
        return len(large) >= self.policy.overdrawn_large_days

    def is_overdrawn(self, day: date) -> bool:
        """Return True if the account was repeatedly overdrawn (D12)."""
        rows = self.days_overdrawn(day)
        return self.is_often_overdrawn(rows) or self.is_deeply_overdrawn(rows)

    def reason_of(self, item: Seen, day: date) -> str:
        """Return the reason for a hold; ``large_deposit`` is the default if no other reason applies (D13)."""
        if self.is_redeposited(item):
            return "redeposited"
        if self.is_new_account(day):
            return "new_account"
        return "repeated_overdraft" if self.is_overdrawn(day) else "large_deposit"

    def beyond(self, amount: int, before: int) -> int:
        """Return the part of an amount above the large-deposit threshold, given the total before it (D14)."""
        return max(0, before + amount - max(before, self.policy.large_deposit_amount))

    def first_day_allowance(self) -> int:
        """Return the amount that is available the next day in any case, in cents (D15)."""
        return self.policy.first_day_amount

    def splits(self, items: list[Seen], day: date) -> dict[str, Split]:
        """Split the items of one banking day into next-day and held parts, by item ID (5.5.3)."""
        found: dict[str, Split] = {}
        all_checks = special = 0
        allowance = self.first_day_allowance()
        for item in items:
            amount = to_cents(item["amount"])
            if not self.is_check(item):
                found[item["item_id"]] = Split(0, 0, "none")
                continue
            other = self.class_of(item) == "other_check"
            reason, held = self.reason_of(item, day), amount
            if reason == "large_deposit":
                held = self.beyond(amount, all_checks)
            elif reason == "new_account" and not other:
                held = self.beyond(amount, special)
            all_checks += amount
            special += 0 if other else amount
            early = min(allowance, amount - held) if other else 0
            allowance -= early
            found[item["item_id"]] = Split(early, held, reason if held else "none")
        return found

    # -- 5.5.5 --------------------------------------------------------------------------------------------------------

    def available_by(self, part: Seen, day: str) -> int:
        """Return the part of an item that is available on the morning of a day, in cents (5.5.5)."""
        pairs = (("next_day_amount", "next_day_on"), ("regular_amount", "regular_on"), ("held_amount", "held_until"))
        return sum(to_cents(part[amount]) for amount, on in pairs if part[on] is not None and part[on] <= day)

    def available(self) -> float:
        """Return the amount available on the day in question, in dollars (5.5.5)."""
        return sum(self.available_by(part, self.case["asked_date"]) for part in self.parts) / 100

    def held_reason(self) -> str | None:
        """Return the hold reason of the first item that has one (T5)."""
        return next((part["hold_reason"] for part in self.parts if part["hold_reason"] != "none"), None)

    def deposit_ending(self) -> Ending:
        """Return the ending of a deposit review (5.5.5 and T5)."""
        amount = self.available()
        if len(self.taken()) < len(self.items()):
            return Ending("in_part", "item_not_payable", amount)
        reason = self.held_reason()
        return Ending("in_part", reason, amount) if reason else Ending("carry_out", "none", amount)
