"""The expert's judgements on authority and on endings; deposits, claims and deadlines have their own modules.

Each judgement of the SOP is one method, so that a lapse can leave it out or change it by overriding just that method
(see :mod:`teller_gym.scenarios.accounts.lapses`).
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.dates import is_business_day, whole_years
from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.accounts.policy import AccountPolicy
from teller_gym.scenarios.banking.officer.intake import IntakeJudgement


class Ending(NamedTuple):
    """A row of T5, with the amount decided on in dollars."""

    decision: str
    reason: str
    amount: float = 0.0


_POST_BOXES = ("po box", "p.o. box", "post office box")
_MILITARY = ("apo", "fpo", "dpo")
_AT_THE_BRANCH = ("open_account", "stop_payment", "close_account")


_ORDERS = {
    "persons": ("customer_id",),
    "items": ("item_id",),
    "pending_items": ("item_id",),
    "restrictions": ("placed_on", "kind"),
}


def in_order(seen: Seen) -> Seen:
    """Return a record with the rows of its tables sorted in the order in which they count (D3)."""
    tables = {name: keys for name, keys in _ORDERS.items() if name in seen}
    return seen | {
        name: sorted(seen[name], key=lambda row: [row[key] for key in keys]) for name, keys in tables.items()
    }


class Judgement(IntakeJudgement):
    """The known facts of a case and the judgements that follow. Amounts are in dollars, as in the tools."""

    policy: AccountPolicy

    def __init__(self, policy: AccountPolicy) -> None:
        super().__init__(policy)
        self.account: Seen = {}
        self.others: list[Seen] = []
        self.basis = "not_checked"
        self.parts: list[Seen] = []
        """Availability of each accepted item, with its hold reason as ``hold_reason``."""
        self.assessed: list[Seen] = []
        """Activity row of each claimed transfer, with ``finding``, ``claim_type`` and ``counted_amount``."""
        self.stopped: list[str] = []
        self.stage = ""

    @property
    def kind(self) -> str:
        kind: str = self.case["kind"]
        return kind

    def age(self, day: str) -> int:
        """Return the calendar days from a day to the business date (D1)."""
        return (self.today - date.fromisoformat(day)).days

    # -- 5.1 intake ---------------------------------------------------------------------------------------------------

    def related_ids(self) -> list[str]:
        """Return the IDs of the owners' other accounts that must be read, each once (5.1.2)."""
        if self.kind != "dormancy_review":
            return []
        return list(dict.fromkeys(row["account_id"] for row in self.account["related_accounts"]))

    def is_in_force(self, row: Seen) -> bool:
        """Return True if a restriction is in force on the business date (5.1.3)."""
        lifted = row["lifted_on"]
        return self.age(row["placed_on"]) >= 0 and (lifted is None or self.age(lifted) < 0)

    def account_ending(self) -> Ending | None:
        """Return the ending of a case whose account is restricted or closed (5.1.3 and T5)."""
        kinds = [row["kind"] for row in self.account["restrictions"] if self.is_in_force(row)]
        if kinds:
            return Ending("refer", kinds[0])
        return Ending("decline", "account_closed") if self.account["account_status"] == "closed" else None

    # -- 5.2 identity -------------------------------------------------------------------------------------------------

    def identity_ending(self) -> Ending | None:
        """Return the ending of a case with an unverified identity (5.2.2 and T5)."""
        return Ending("decline", "identity_not_verified") if self.unverified() else None

    # -- 5.3 screening ------------------------------------------------------------------------------------------------

    def is_screened(self, person: Seen) -> bool:
        """Return True if a person must be screened: everyone in an opening, otherwise agents (5.3)."""
        return bool(self.kind == "open_account" or person["role"] == "agent")

    def history_from(self) -> date:
        """Return the first day of the reports to ask for (5.3.1)."""
        return self.today - timedelta(days=self.policy.misuse_lookback_days)

    def match_ending(self) -> Ending | None:
        """Return the ending of a case with a true match (5.3.2 and T5)."""
        matched = self.matched()
        return Ending("refer", f"{matched[0]['entry_list']}_match") if matched else None

    def is_misuse(self, report: Seen) -> bool:
        """Return True if another bank's report counts as misuse (5.3.3)."""
        if report["settled_on"] is not None:
            return False
        grave = to_cents(report["amount"]) >= self.policy.misuse_minimum
        return bool(report["report_kind"] == "suspected_fraud") or grave

    def misuse_ending(self) -> Ending | None:
        """Return the ending of an opening with reported misuse (5.3.3 and T5)."""
        if self.kind != "open_account":
            return None
        reports = [row for screening in self.screenings.values() for row in screening["history_reports"]]
        return Ending("decline", "account_misuse") if any(map(self.is_misuse, reports)) else None

    # -- 5.4 who may ask ----------------------------------------------------------------------------------------------

    def born(self, person: Seen) -> date:
        """Return a person's verified birth date (5.4.1)."""
        return date.fromisoformat(self.checks[person["customer_id"]]["date_of_birth"])

    def years_of(self, person: Seen) -> int:
        """Return a person's age in completed years (5.4.1)."""
        return whole_years(self.born(person), self.today)

    def is_of_right_age(self, person: Seen) -> bool:
        """Return True if a person has the age required for the role (5.4.1)."""
        years, policy = self.years_of(person), self.policy
        if person["role"] == "minor":
            return years < policy.adult_age
        return years >= (policy.custodian_age if person["role"] == "custodian" else policy.adult_age)

    def is_post_box(self, address: str) -> bool:
        """Return True if an address is a post box and not a military address (5.4.1)."""
        text = address.casefold()
        return any(box in text for box in _POST_BOXES) and not self.is_military(address)

    def is_military(self, address: str) -> bool:
        """Return True for a military address (5.4.1)."""
        return any(word in _MILITARY for word in address.casefold().replace(",", " ").split())

    def opening_ending(self) -> Ending:
        """Return the ending of an opening (5.4.1 and T5)."""
        if not all(map(self.is_of_right_age, self.people.values())):
            return Ending("decline", "age_not_met")
        if any(self.is_post_box(person["street_address"]) for person in self.people.values()):
            return Ending("pend", "address_missing")
        deposit = self.case["opening_deposit"]
        if to_cents(deposit) < self.policy.minimum_deposits[self.case["product"]]:
            return Ending("pend", "deposit_below_minimum")
        return Ending("carry_out", "none", deposit)

    def account_owners(self) -> list[str]:
        """Return the customers who count as owners of the account (D7)."""
        rows = self.account["owners"]
        if self.account["account_product"] != "custodial":
            return [row["customer_id"] for row in rows]
        role = "minor" if self.is_former_minor() else "custodian"
        return [row["customer_id"] for row in rows if row["role"] == role]

    def is_former_minor(self) -> bool:
        """Return True if the minor of a custodial account has come of age (D7)."""
        minor = next(row for row in self.account["owners"] if row["role"] == "minor")
        return whole_years(date.fromisoformat(minor["date_of_birth"]), self.today) >= self.policy.custodial_end_age

    def is_recent(self, mandate: Seen) -> bool:
        """Return True if a mandate is recent enough to be valid (D8)."""
        return self.age(mandate["dated"]) <= self.policy.mandate_max_age_days

    def is_revoked(self, mandate: Seen) -> bool:
        """Return True if a mandate has been revoked (D8)."""
        return mandate["revoked_on"] is not None and self.age(mandate["revoked_on"]) >= 0

    def has_power(self, mandate: Seen) -> bool:
        """Return True if a mandate includes the power required by the request (D8 and T2)."""
        return self.code("powers", self.kind) in mandate["powers"]

    def is_valid(self, mandate: Seen) -> bool:
        """Return True if a mandate is valid for the request (D8)."""
        return self.has_power(mandate) and self.is_recent(mandate) and not self.is_revoked(mandate)

    def signing(self) -> tuple[set[str], set[str]]:
        """Return the owners who sign themselves and those represented by an agent (D7)."""
        owners = set(self.account_owners())
        asking = set(self.people)
        own = owners & asking
        by_mandate = {
            row["owner_id"]
            for row in self.account["mandates"]
            if row["agent_id"] in asking and row["owner_id"] in owners and self.is_valid(row)
        }
        return own, by_mandate - own

    def needed_signatures(self) -> int:
        """Return the number of required signatures: by the signing rule for a closing, otherwise one (D7)."""
        owners = len(self.account_owners())
        if self.kind != "close_account":
            return 1
        return {"any_one": 1, "two": min(2, owners), "all": owners}[self.account["signing_rule"]]

    def authority(self) -> str:
        """Return the basis of the requesters' authority, ``none`` if it is insufficient (D7)."""
        own, by_mandate = self.signing()
        needed = self.needed_signatures()
        if len(own) + len(by_mandate) < needed:
            return "none"
        if self.account["account_product"] == "custodial":
            return "former_minor" if self.is_former_minor() else "custodian"
        return "owners" if len(own) >= needed else "agent"

    def authority_ending(self) -> Ending | None:
        """Return the ending of a request without sufficient authority (5.4.2 and T5)."""
        return Ending("decline", "not_authorized") if self.basis == "none" else None

    # -- 5.7 closing --------------------------------------------------------------------------------------------------

    def has_open_claim(self) -> bool:
        """Return True if a transfer claim on the account is still open (5.7.3 (a))."""
        return any(row["kind"] == "transfer_claim" and row["status"] == "open" for row in self.account["services"])

    def is_debt(self, row: Seen) -> bool:
        """Return True if a service would leave a debt (5.7.3 (b))."""
        owing = row["kind"] == "overdraft_line" and row["balance"] > 0
        return bool(owing or (row["kind"] == "loan_autopay" and row["status"] == "open"))

    def blocking_service(self) -> Ending | None:
        """Return the ending of a closing that a service blocks (5.7.3 (a), T5)."""
        if self.has_open_claim():
            return Ending("pend", "open_claim")
        return Ending("pend", "linked_debt") if any(map(self.is_debt, self.account["services"])) else None

    def last_day(self) -> date:
        """Return the last day on which part of an item becomes available (T6)."""
        days = [part[name] for part in self.parts for name in ("next_day_on", "regular_on", "held_until")]
        return max(date.fromisoformat(day) for day in days if day is not None)

    def is_uncollected(self) -> bool:
        """Return True if part of an item is not available yet (5.7.3 (c))."""
        return bool(self.parts) and self.last_day() > self.today

    def is_address_recent(self) -> bool:
        """Return True if the address changed too recently for a closing (5.7.3 (d))."""
        changed = self.account["address_changed_on"]
        return changed is not None and self.age(changed) < self.policy.clocks["address_wait"].counted

    def early_fee(self) -> int:
        """Return the fee for closing the account early, in cents (5.7.4)."""
        early = self.age(self.account["opened_on"]) <= self.policy.early_closing_days
        return self.policy.early_closing_fee if early else 0

    def payout(self) -> int:
        """Return the payout of a closing in cents, negative if the balance is too low (5.7.4)."""
        names = ("ledger_balance", "accrued_interest", "fees_due")
        ledger, interest, fees = (to_cents(self.account[name]) for name in names)
        return ledger + interest - fees - self.early_fee()

    def closing_ending(self) -> Ending:
        """Return the ending of a closing that no service blocks (5.7.3 (c), T5)."""
        if self.is_uncollected():
            return Ending("pend", "items_pending")
        if self.is_address_recent():
            return Ending("pend", "address_recent")
        payout = self.payout()
        if payout < 0:
            return Ending("pend", "balance_short", -payout / 100)
        return Ending("carry_out", "none", payout / 100)

    # -- 5.9 and 5.10 -------------------------------------------------------------------------------------------------

    def routing(self, ending: Ending) -> str:
        """Return the desk that reviews the closed file (5.9.2)."""
        if ending.decision == "refer":
            return "compliance"
        if to_cents(ending.amount) >= self.policy.senior_amount:
            return "senior_operations"
        return "branch" if self.kind in _AT_THE_BRANCH else "operations"

    def addressee(self, parties: list[Seen]) -> str:
        """Return the customer who gets the notice: the adult party with the lowest ID (5.10.1)."""
        key: str = min(row["customer_id"] for row in parties if row["role"] != "minor")
        return key

    # -- shared -------------------------------------------------------------------------------------------------------

    def banking_day(self, day: date, time: str, channel: str) -> date:
        """Return the banking day for a day, time and channel of receipt (D5)."""
        if is_business_day(day, self.policy.holidays) and self.is_in_time(time, channel):
            return day
        return self.after_business_days(day, 1)

    def is_in_time(self, time: str, channel: str) -> bool:
        """Return True for a time up to and including the channel's cut-off (T1)."""
        return time <= self.policy.cutoffs[channel]
