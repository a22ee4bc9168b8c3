"""The solver for deposited items (5.5): the parts of each item and the days on which they become available."""

from __future__ import annotations

from datetime import date

from teller_gym.scenarios.accounts.solver_facts import Case, by, days
from teller_gym.tools.bank import Record

_ROWS = {
    "treasury_check": "treasury_check", "on_us_check": "on_us_check", "cashiers_check": "official",
    "certified_check": "official", "government_check": "official",
}  # fmt: skip

Portion = tuple[date, int]
"""A day, and the cents that become available on its morning."""


class Items:
    """The items of a case: those in question, those accepted, and their portions."""

    def __init__(self, case: Case) -> None:
        case.cite("5.5.1", "D10")
        self.case = case
        rows: list[Record] = case.account["pending_items"]
        if case.request["kind"] == "deposit_review":
            asked = {item["item_id"] for item in case.request["items"]}
            rows = [row for row in rows if row["item_id"] in asked]
        self.rows = [
            {**row, "day": case.banking_day(row, "deposited_on", "deposited_at")} for row in by("item_id", rows)
        ]
        self.taken = [row for row in self.rows if _plain(row) or 0 <= self._age(row) <= case.policy.stale_check_days]
        self.reasons: list[str] = []
        self.portions: list[Portion] = []

    def _age(self, row: Record) -> int:
        return days(row["check_date"], row["day"])

    def unendorsed(self) -> bool:
        """Return True if an accepted check lacks its endorsement (5.5.1)."""
        return any(not (_plain(row) or row["endorsed"]) for row in self.taken)

    def work_out(self) -> None:
        """Fill in the hold reasons and the portions, in the listed order (5.5.2 to 5.5.4)."""
        if self.taken:
            self.case.cite("5.5.2", "5.5.3", "5.5.4", "T4")
        counted: dict[date, list[int]] = {}
        for row in self.taken:
            sums = counted.setdefault(row["day"], [0, 0, self.case.policy.first_day_amount])
            self._add(row, sums)

    def _class(self, row: Record) -> str:
        if row["item_kind"] == "electronic":
            return "electronic"
        where = "in_person" if row["channel"] == "branch" else "otherwise"
        if row["item_kind"] == "cash":
            return f"cash_{where}"
        self.case.cite("D9")
        owners = {owner["customer_id"] for owner in self.case.account["owners"]}
        name = _ROWS.get(row["item_kind"], "other_check") if row["payee_id"] in owners else "other_check"
        return f"official_{where}" if name == "official" else name

    def _add(self, row: Record, sums: list[int]) -> None:
        """Split an item; ``sums`` are the checks so far, the special ones so far, and the remaining allowance."""
        case, policy, day, amount = self.case, self.case.policy, row["day"], row["amount"]
        name = self._class(row)
        length = policy.schedule[name].days
        reason, held, early = "none", 0, 0
        if not _plain(row):
            case.cite("D13", "D14", "D15")
            special = name != "other_check"
            reason = self._reason(row, day)
            so_far = sums[1] if reason == "new_account" else sums[0]
            over = max(0, min(amount, so_far + amount - policy.large_deposit_amount))
            partly = reason == "large_deposit" or (reason == "new_account" and special)
            held = over if partly else amount
            sums[0] += amount
            if special:
                sums[1] += amount
            else:
                early = min(sums[2], amount - held)
                sums[2] -= early
        until = policy.new_account_hold_days
        if reason != "new_account":
            until = length + policy.hold_extension["on_us_check" if name == "on_us_check" else "any_other_check"]
        parts = ((1, early), (length, amount - early - held), (until, held))
        self.portions += [(case.business(day, count), cents) for count, cents in parts if cents]
        self.reasons.append(reason if held else "none")

    def _reason(self, row: Record, day: date) -> str:
        if row["returned_before"]:
            return "redeposited"
        self.case.cite("D11")
        if self._is_new(day):
            return "new_account"
        self.case.cite("D12")
        return "repeated_overdraft" if self._overdrawn(day) else "large_deposit"

    def _is_new(self, day: date) -> bool:
        limit, tables = self.case.policy.new_account_days, self.case.task.tables
        if days(self.case.account["opened"], day) > limit:
            return False
        elsewhere = {
            owner["customer_id"]
            for key, other in tables["accounts"].items()
            if key != self.case.request["account_id"]
            and other["status"] == "open"
            and days(other["opened"], day) > limit
            for owner in other.get("owners", ())
        }
        return any(owner["customer_id"] not in elsewhere for owner in self.case.account["owners"])

    def _overdrawn(self, day: date) -> bool:
        policy = self.case.policy
        window = range(1, policy.overdrawn_window_days + 1)
        amounts = [
            row["overdrawn_by"] for row in self.case.account["overdrawn_days"] if days(row["day"], day) in window
        ]
        large = sum(amount >= policy.overdrawn_large_amount for amount in amounts)
        return len(amounts) >= policy.overdrawn_days or large >= policy.overdrawn_large_days

    def available(self, on: str) -> int:
        """Return the cents that are available on the morning of a day (5.5.5)."""
        return sum(cents for day, cents in self.portions if day.isoformat() <= on)

    def last(self) -> date:
        """Return the last day on which a part becomes available (T6)."""
        return max(day for day, _ in self.portions)


def _plain(row: Record) -> bool:
    """Return True if an item is not a check."""
    return row["item_kind"] in ("cash", "electronic")
