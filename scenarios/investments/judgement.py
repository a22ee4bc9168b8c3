"""Judgements of the investments expert that all types of request use, one method for each.

Every method cites the clause that it applies. A lapse overrides one of these methods to skip the judgement or make it
naively (see :mod:`teller_gym.scenarios.investments.lapses`).
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

from teller_gym.base.dates import on_or_before_business_day
from teller_gym.base.money import to_cents
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.banking.officer.intake import IntakeJudgement
from teller_gym.scenarios.investments.policy import InvestmentPolicy

CARRIED_OUT = ("proceed", "adjust")


class Ending(NamedTuple):
    """A row of T8, with the number of shares and the amount in cents."""

    decision: str
    reason: str
    quantity: int = 0
    amount: int = 0


class Judgement(IntakeJudgement):
    """Known facts of a case and the conclusions from them; computed amounts are in cents."""

    policy: InvestmentPolicy

    def __init__(self, policy: InvestmentPolicy) -> None:
        super().__init__(policy)
        self.request_type = ""
        self.account_id = ""
        self.stated_value = 0
        self.file: Seen = {}

    # -- dates: D1 and D2 ---------------------------------------------------------------------------------------------

    def is_late(self, instructed_at: str) -> bool:
        """Return True if the instruction came at or after the cutoff of the business date (D2)."""
        return instructed_at >= f"{self.today.isoformat()} {self.policy.order_cutoff}"

    def trade_date(self, instructed_at: str) -> date:
        """Return the business date, or the next business day for a late instruction (D2)."""
        return self.after_business_days(self.today, 1) if self.is_late(instructed_at) else self.today

    def price_date(self) -> date:
        """Return the last business day before the trade date (D2)."""
        day = self.trade_date(self.file["instructed_at"]) - timedelta(days=1)
        return on_or_before_business_day(day, self.policy.holidays)

    def price_basis(self) -> str:
        """Return the code of the price that the request uses (T10)."""
        return str(self.code("price_bases", self.request_type))

    # -- 5.1 identity -------------------------------------------------------------------------------------------------

    def identity_ending(self) -> Ending | None:
        """Return the ending if an identity was not confirmed, otherwise None (5.1.3 and T8)."""
        return Ending("refuse", "identity_not_verified") if self.unverified() else None

    # -- 5.2 watch lists ----------------------------------------------------------------------------------------------

    def match_ending(self) -> Ending | None:
        """Return the ending if a signer is a true match, otherwise None (5.2.3 and T8)."""
        matched = self.matched()
        return Ending("refer", f"{matched[0]['entry_list']}_match") if matched else None

    def cleared(self) -> list[str]:
        """Return the entry ids of false positives, without duplicates (5.2.2)."""
        return list(dict.fromkeys(one["list_entry_id"] for one in self.possible() if not self.is_true_match(one)))

    # -- 5.3 account file ---------------------------------------------------------------------------------------------

    def in_force(self, row: Seen) -> bool:
        """Return True if a restriction or an authority is in force (D6)."""
        return row["until"] is None or date.fromisoformat(row["until"]) >= self.today

    def restrictions(self) -> list[str]:
        """Return the kinds of restriction in force (T3)."""
        return [row["kind"] for row in self.file["restrictions"] if self.in_force(row)]

    def is_stopped(self, kind: str) -> bool:
        """Return True if a kind of restriction stops the request (T3)."""
        return self.request_type in self.policy.restrictions[kind]

    def may_instruct(self, row: Seen) -> bool:
        """Return True if the authority permits this type of request (T2)."""
        if not self.in_force(row) or self.request_type not in self.policy.authority.get(row["authority"], ()):
            return False
        return not self.lacks_signature(row)

    def lacks_signature(self, row: Seen) -> bool:
        """Return True if a joint account's withdrawal is missing an owner's signature (T2)."""
        joint = row["authority"] == "joint_owner" and self.request_type == "withdrawal"
        return joint and bool(self.file["owners_not_signing"])

    def file_ending(self) -> Ending | None:
        """Return the ending for a restriction or else for missing authority, otherwise None (5.3.2 and 5.3.3)."""
        return self.restriction_ending() or self.authority_ending()

    def restriction_ending(self) -> Ending | None:
        """Return the ending if a restriction stops the request, otherwise None (5.3.2)."""
        if any(self.is_stopped(kind) for kind in self.restrictions()):
            return Ending("refer", "account_restricted")
        return None

    def authority_ending(self) -> Ending | None:
        """Return the ending if no signer may instruct, otherwise None (5.3.3)."""
        if any(self.may_instruct(row) for row in self.file["authorities"]):
            return None
        return Ending("refuse", "no_authority")

    def is_open(self, row: Seen) -> bool:
        """Return True if a linked account is open (D7)."""
        return bool(row["status"] == "open")

    def relations(self, purpose: str) -> tuple[str, ...]:
        """Return the relations whose accounts count for a purpose (D7)."""
        return {
            "purchase": ("self", "joint"), "sale": ("self", "joint", "spouse"), "distribution": ("self",),
        }[purpose]  # fmt: skip

    def is_counted(self, row: Seen, purpose: str) -> bool:
        """Return True if a linked account counts for a purpose (D7)."""
        if not self.is_open(row) or row["relation"] not in self.relations(purpose):
            return False
        return purpose != "distribution" or self.is_required(row)

    def is_required(self, row: Seen) -> bool:
        """Return True if the account type shares in the required distribution (D7)."""
        return row["account_type"] in ("traditional_ira", "sep_ira")

    def counted(self, purpose: str) -> list[str]:
        """Return the accounts that count for a purpose (D7)."""
        return [row["account_id"] for row in self.file["linked_accounts"] if self.is_counted(row, purpose)]

    # -- 5.12 decision ------------------------------------------------------------------------------------------------

    def amount_of(self, ending: Ending) -> int:
        """Return the amount to record for an ending, in cents (T8)."""
        if ending.decision in CARRIED_OUT or ending.reason == "margin_deficiency":
            return ending.amount
        return self.refused_amount()

    def refused_amount(self) -> int:
        """Return the amount to record for a refusal or referral, in cents (T8)."""
        return self.stated_value

    def review_desk(self, decision: str, amount: int) -> str:
        """Return the desk that reviews the closed file (5.12.3)."""
        if decision == "refer":
            return "compliance"
        return "principal" if self.is_large(amount) else "branch"

    def is_large(self, amount: int) -> bool:
        """Return True if an amount is above the branch's limit (5.12.3)."""
        return amount > self.policy.review_amount

    # -- 5.13 release -------------------------------------------------------------------------------------------------

    def instruction_type(self, record: Seen) -> str:
        """Return the code of the instruction to release (T10)."""
        if record["decision"] == "refer":
            return str(self.code("instructions", "referral"))
        refused = record["decision"] == "refuse"
        return str(self.code("instructions", self.refusal_of(record) if refused else record["decided_type"]))

    def refusal_of(self, record: Seen) -> str:
        """Return the kind of refusal, which determines the instruction (T10)."""
        if record["reason"] == "margin_deficiency":
            return "margin_deficiency"
        if record["reason"] in ("identity_not_verified", "no_authority", "registration_mismatch"):
            return "refusal_person"
        return "refusal_order" if record["decided_type"] in ("purchase", "sale") else "refusal_payment"

    def effective_date(self, record: Seen) -> date:
        """Return the date on which the instruction takes effect (T8)."""
        reason: str = record["reason"]
        if record["decision"] == "refer":
            return self.after_business_days(self.today, self.policy.referral_days[reason])
        if record["decision"] == "refuse":
            return self.after_business_days(self.today, self.answer_days(reason))
        return self.after_business_days(self.trade_date(record["instructed_at"]), self.working_days(record))

    def answer_days(self, reason: str) -> int:
        """Return the business days until a refusal takes effect (T8)."""
        return self.policy.call_days if reason == "margin_deficiency" else self.policy.notice_days

    def working_days(self, record: Seen) -> int:
        """Return the business days until an accepted request takes effect (T8)."""
        match record["decided_type"]:
            case "purchase" | "sale":
                return self.policy.settlement_days
            case "transfer":
                return self.policy.validation_days + self.policy.transfer_days + self.liquidation_days(record)
            case _:
                return self.payment_days(record["payment_method"])

    def liquidation_days(self, record: Seen) -> int:
        """Return the extra days if an asset is liquidated (T8)."""
        return self.policy.liquidation_days if record["assets_liquidated"] else 0

    def payment_days(self, method: str) -> int:
        """Return the business days that a payment method takes (T8)."""
        return self.policy.payment_days[method]


def total(rows: list[Seen], name: str) -> int:
    """Add up a dollar field over rows, in cents."""
    return sum(to_cents(row[name]) for row in rows)
