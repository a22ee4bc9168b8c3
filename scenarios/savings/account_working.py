"""Notes of the savings expert on bonus interest, custodial accounts and coverage (5.6 to 5.8)."""

from __future__ import annotations

from teller_gym.procedure.officer import Seen, of
from teller_gym.procedure.working import Note
from teller_gym.scenarios.banking.officer.notes import FailureNotes
from teller_gym.scenarios.savings.expert import Officer, Settling
from teller_gym.scenarios.savings.findings import Ending

DEPOSITORS = ("single", "joint", "retirement", "trust")
"""Ownership categories, in the order of the totals (D17)."""


class AccountWorking(FailureNotes, Officer):
    """Notes on bonus savers, custodial accounts and coverage; ages come from the calendar tool."""

    years = 0

    # -- 5.6 ----------------------------------------------------------------------------------------------------------

    def note_get_account_activity(self, arguments: Seen) -> Note:
        """Note the period of a custodial payout, which is not copied from the request (5.6.1)."""
        if self.kind != "custodial_payout":
            return {}
        return {**of(self.case, "business_date"), **of(arguments, "posted_from", "posted_to")}

    def note_assess_bonus_months(self, arguments: Seen) -> Note:
        """Note each month in turn, then the rate (5.6.2, 5.6.3)."""
        plan = {**of(self.record, "bonus_plan"), "opening_balance": self.tier_balance()}
        return {
            "months": [self.month(row) for row in self.activity["months"]],
            **of(arguments, "qualifying_months", "required_months"),
            **plan,
            **of(arguments, "bonus_rate"),
        }

    def month(self, month: Seen) -> Note:
        """Note a month's movements and its three conditions (D14)."""
        rows = [row for row in self.activity["movements"] if self.month_of(row) == month["month"]]
        return {
            **of(month, "month", "lowest_balance"),
            "balance_kept": self.keeps_balance(month),
            "movements": [self.movement(row) for row in rows],
            "enough_deposits": self.has_deposits(rows),
            "few_withdrawals": self.has_few_withdrawals(rows),
            "qualifies": self.qualifies(month),
        }

    def movement(self, row: Seen) -> Note:
        """Note whether a movement counts as a deposit or a withdrawal; other kinds are only named (D14)."""
        if self.is_counted_withdrawal(row):
            return {**of(row, "kind"), "withdrawal": True}
        if not self.is_deposit_kind(row):
            return of(row, "kind")
        back = of(row, "reversed_on") if self.is_reversed(row) else {}
        return {**of(row, "kind", "amount"), **back, "deposit": self.is_counted_deposit(row)}

    def assess_bonus(self) -> Settling:
        """Note whether every month qualified, which determines the recorded decision (5.6.3)."""
        ending = yield from super().assess_bonus()
        if ending.value == "credit":
            self.jot(every_month=len(self.qualifying_months()) == len(self.activity["months"]))
        return ending

    # -- 5.7 ----------------------------------------------------------------------------------------------------------

    def pay_custodial(self) -> Settling:
        """Ask the calendar for the beneficiary's age, then pay (5.7.1)."""
        child = next(row for row in self.record["owners"] if row["role"] == "beneficiary")
        self.jot(**of(child, "customer_id", "role", "date_of_birth"))
        span = yield from self.span(child["date_of_birth"], self.case["business_date"])
        self.years = span["whole_years"]
        self.jot(
            **of(self.record, "custodial_state"),
            **of(span, "whole_years"),
            of_age=self.is_of_age(self.record),
            asking=self.customers[0],
            custodian_asks=self.asks_as_custodian(self.record),
        )
        return (yield from super().pay_custodial())

    def is_of_age(self, record: Seen) -> bool:
        """Return True if the age that the calendar returned is the age of majority or more (5.7.1)."""
        return self.years >= self.policy.custodial_ages[self.governing_state(record)]

    def purpose_ending(self, record: Seen) -> Ending | None:
        """Note the purpose, then its document (5.7.2)."""
        self.jot(**of(self.case, "purpose"), permitted=self.is_permitted())
        if self.is_permitted():
            self.jot(**of(self.case, "documents"), on_file=self.is_purpose_proved())
        return super().purpose_ending(record)

    def custodian_ending(self, record: Seen) -> Ending:
        """Note each of the year's withdrawals, and whether they leave the requested amount (5.7.2)."""
        rows = [row for row in self.activity["movements"] if self.is_counted_withdrawal(row)]
        counted = [
            {**of(row, "kind", "amount", "reversed_on"), "counts": self.is_yearly_withdrawal(row)} for row in rows
        ]
        ending = super().custodian_ending(record)
        self.jot(withdrawals=counted, anything_left=self.yearly_rest() > 0, requested_amount=self.asked(record))
        self.jot(enough_left=ending.reason != "yearly_limit")
        return ending

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def review_coverage(self) -> Settling:
        """Note each account and whether it counts (5.8.1)."""
        self.jot(
            accounts=[
                {**of(record, "account_id", "ownership"), "counts": self.category_of(record) is not None}
                for record in self.records.values()
            ]
        )
        return (yield from super().review_coverage())

    def note_calculate_coverage(self, arguments: Seen) -> Note:
        """Note the balances of each category and their total (5.8.3)."""
        counted: list[str] = arguments["accounts_counted"]
        found: Seen = {"accounts_counted": counted}
        for category in DEPOSITORS:
            rows = [self.balance(key) for key in counted if self.category_of(self.records[key]) == category]
            found |= {category: rows, **of(arguments, f"{category}_total")} if rows else {}
        if "trust" in found:
            found |= {"living_beneficiaries": self.beneficiary_ids(counted)}
        return {**found, **of(arguments, "trust_beneficiaries")}

    def balance(self, account_id: str) -> Note:
        """Note an account's balance; also the owners of a joint account and the deceased of a trust (D17)."""
        owners, found = self.records[account_id]["owners"], self.interests[account_id]
        note = {"account_id": account_id, **of(found, "balance_with_interest")}
        match self.category_of(self.records[account_id]):
            case "joint":
                note["owners"] = [row["customer_id"] for row in owners if row["role"] == "owner"]
            case "trust":
                note["died"] = [row["customer_id"] for row in owners if not self.is_living(row)]
        return note
