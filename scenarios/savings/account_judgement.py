"""The expert's judgements on bonus interest, custodial accounts and coverage (5.6 to 5.8), one method each."""

from __future__ import annotations

from datetime import date

from teller_gym.base.dates import whole_years
from teller_gym.base.money import divide_half_up, to_cents, usd
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.findings import Ending, Findings


class AccountJudgement(Findings):
    """Judgements on bonus savers, custodial accounts and coverage that the SOP leaves to the officer."""

    # -- 5.6 ----------------------------------------------------------------------------------------------------------

    def month_of(self, row: Seen) -> str:
        """Return the month to which a movement counts, as YYYY-MM: the month in which it was posted (D14)."""
        return str(row["posted_on"])[:7]

    def is_counted_deposit(self, row: Seen) -> bool:
        """Return True if a movement counts as a deposit: right kind, large enough, not reversed (D14 (b))."""
        return self.is_deposit_kind(row) and self.is_large_enough(row) and not self.is_reversed(row)

    def is_deposit_kind(self, row: Seen) -> bool:
        """Return True if movements of this kind count as deposits (D14 (b))."""
        return row["kind"] in self.policy.counted_deposits

    def is_large_enough(self, row: Seen) -> bool:
        """Return True if a deposit reaches the minimum amount (D14 (b))."""
        return to_cents(row["amount"]) >= self.policy.bonus_deposit_minimum

    def is_reversed(self, row: Seen) -> bool:
        """Return True if a movement was reversed at any time (D14 (b))."""
        return row["reversed_on"] is not None

    def is_counted_withdrawal(self, row: Seen) -> bool:
        """Return True if movements of this kind count as withdrawals (D14 (c))."""
        return row["kind"] in self.policy.counted_withdrawals

    def keeps_balance(self, month: Seen) -> bool:
        """Return True if the month's lowest balance reached the required one (D14 (a))."""
        return to_cents(month["lowest_balance"]) >= self.policy.bonus_lowest_balance

    def has_deposits(self, rows: list[Seen]) -> bool:
        """Return True if a month's movements contain enough deposits (D14 (b))."""
        return sum(self.is_counted_deposit(row) for row in rows) >= self.policy.bonus_deposits

    def has_few_withdrawals(self, rows: list[Seen]) -> bool:
        """Return True if a month's movements contain no more withdrawals than allowed (D14 (c))."""
        return sum(self.is_counted_withdrawal(row) for row in rows) <= self.policy.bonus_withdrawals

    def qualifies(self, month: Seen) -> bool:
        """Return True if a month meets all three conditions of the bonus (D14)."""
        rows = [row for row in self.activity["movements"] if self.month_of(row) == month["month"]]
        return self.keeps_balance(month) and self.has_deposits(rows) and self.has_few_withdrawals(rows)

    def qualifying_months(self) -> list[str]:
        """Return the months of the period that meet the conditions of the bonus (5.6.2)."""
        return [month["month"] for month in self.activity["months"] if self.qualifies(month)]

    def required_months(self) -> int:
        """Return the number of months that must qualify: all but those that may be missed (5.6.3)."""
        return len(self.activity["months"]) - self.policy.bonus_missed_allowed

    def tier_balance(self) -> float:
        """Return the balance that selects the tier: the opening balance of the period (T4)."""
        return float(self.activity["opening_balance"])

    def plan_of(self, record: Seen) -> str:
        """Return the name of the account's bonus plan (T4)."""
        return str(record["bonus_plan"])

    def bonus_rate(self, record: Seen) -> float:
        """Return the bonus rate of the account's plan and tier, in percent (5.6.3)."""
        tiers = self.policy.bonus_plans[self.plan_of(record)]
        return [tier.rate for tier in tiers if tier.balance <= to_cents(self.tier_balance())][-1] / 100

    # -- 5.7 ----------------------------------------------------------------------------------------------------------

    def governing_state(self, record: Seen) -> str:
        """Return the state whose age of majority applies: the account's custodial state (T5)."""
        return str(record["custodial_state"])

    def is_of_age(self, record: Seen) -> bool:
        """Return True if the beneficiary has reached the age of majority of the governing state (5.7.1)."""
        child = next(row for row in record["owners"] if row["role"] == "beneficiary")
        years = whole_years(date.fromisoformat(child["date_of_birth"]), self.today)
        return years >= self.policy.custodial_ages[self.governing_state(record)]

    def asks_as_custodian(self, record: Seen) -> bool:
        """Return True if the custodian makes the request (5.7.1)."""
        asking = self.case["persons"][0]["customer_id"]
        return any(row["customer_id"] == asking and row["role"] == "custodian" for row in record["owners"])

    def purpose_ending(self, record: Seen) -> Ending | None:
        """Return the ending of a payout with a purpose that is not permitted or not proved (5.7.2)."""
        if not self.is_permitted():
            return Ending("decline", "purpose_not_permitted", self.asked(record), "answer")
        if not self.is_purpose_proved():
            return Ending("pend", "document_missing", self.asked(record), "pend")
        return None

    def is_permitted(self) -> bool:
        """Return True if the stated purpose is one that the policy permits (T6)."""
        return self.case["purpose"] in self.policy.purposes

    def is_purpose_proved(self) -> bool:
        """Return True if the document that proves the purpose is on file (T6)."""
        return self.policy.purposes.get(self.case["purpose"]) in self.case["documents"]

    def is_yearly_withdrawal(self, row: Seen) -> bool:
        """Return True if a movement counts toward the yearly limit (D16)."""
        return self.is_counted_withdrawal(row) and not self.is_reversed(row)

    def year_start(self) -> date:
        """Return January 1 of the current year, the start of the yearly limit (5.6.1)."""
        return date(self.today.year, 1, 1)

    def yearly_rest(self) -> int:
        """Return the unused part of the yearly limit, in cents; negative if it is exceeded (D16)."""
        drawn = sum(to_cents(row["amount"]) for row in self.activity["movements"] if self.is_yearly_withdrawal(row))
        return self.policy.yearly_limit - drawn

    def custodian_ending(self, record: Seen) -> Ending:
        """Return the ending of a custodian's payout: in full, in part or referred, by the yearly limit (5.7.2)."""
        asked, rest = self.asked(record), self.yearly_rest()
        if rest <= 0:
            return Ending("refer", "yearly_limit", asked, "refer")
        if rest < to_cents(asked):
            return Ending("in_part", "yearly_limit", usd(rest), "payout")
        return Ending("carry_out", "for_beneficiary", asked, "payout")

    # -- 5.8 ----------------------------------------------------------------------------------------------------------

    def category_of(self, record: Seen) -> str | None:
        """Return the ownership category of an account, None if it does not count (D17)."""
        ownership = str(record["ownership"])
        if ownership in ("corporation", "custodial"):
            return None
        return "single" if ownership == "sole_proprietor" else ownership

    def share_of(self, record: Seen, cents: int) -> int:
        """Return the depositor's share of a joint balance, in cents: equal for each owner (D17)."""
        owners = sum(row["role"] == "owner" for row in record["owners"])
        return divide_half_up(cents, owners)

    def covered_balance(self, account_id: str) -> int:
        """Return the balance that is insured: principal and accrued interest, in cents (D17)."""
        return to_cents(self.interests[account_id]["balance_with_interest"])

    def totals(self, counted: list[str]) -> dict[str, float]:
        """Add up the covered balances by category, in dollars (5.8.3)."""
        sums = {"single": 0, "joint": 0, "retirement": 0, "trust": 0}
        for account_id in counted:
            record = self.records[account_id]
            category = self.category_of(record) or "single"
            balance = self.covered_balance(account_id)
            sums[category] += self.share_of(record, balance) if category == "joint" else balance
        return {f"{name}_total": usd(cents) for name, cents in sums.items()}

    def is_living(self, row: Seen) -> bool:
        """Return True if no death of the beneficiary is on record (D17)."""
        return row["died_on"] is None

    def beneficiary_ids(self, counted: list[str]) -> list[str]:
        """Return the living beneficiaries of the trust accounts, each once (D17)."""
        rows = [
            row
            for account_id in counted
            if self.category_of(self.records[account_id]) == "trust"
            for row in self.records[account_id]["owners"]
            if row["role"] == "beneficiary" and self.is_living(row)
        ]
        return list(dict.fromkeys(row["customer_id"] for row in rows))

    def beneficiaries(self, counted: list[str]) -> int:
        """Return the number of beneficiaries that raise the trust limit, up to the policy's maximum (5.8.3)."""
        return min(len(self.beneficiary_ids(counted)), self.policy.most_beneficiaries)
