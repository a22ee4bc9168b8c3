"""The judgements of a brokerage case that every request asks for, each a method of its own, from what was seen so far.

Every method cites the clause that it applies. Whoever leaves one of them out, or makes it in a naive way, overrides
that method alone (see :mod:`teller_gym.scenarios.investments.lapses`).
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
    """A row of T8, with the shares and the amount in cents."""

    decision: str
    reason: str
    quantity: int = 0
    amount: int = 0


class Judgement(IntakeJudgement):
    """What is known of the case, and what follows from it. Amounts are in cents once they are worked with."""

    policy: InvestmentPolicy

    def __init__(self, policy: InvestmentPolicy) -> None:
        super().__init__(policy)
        self.request_type = ""
        self.account_id = ""
        self.stated_value = 0
        self.file: Seen = {}

    # -- dates: D1 and D2 ---------------------------------------------------------------------------------------------

    def is_late(self, instructed_at: str) -> bool:
        """D2: at the cutoff of the business date or later."""
        return instructed_at >= f"{self.today.isoformat()} {self.policy.order_cutoff}"

    def trade_date(self, instructed_at: str) -> date:
        """D2."""
        return self.after_business_days(self.today, 1) if self.is_late(instructed_at) else self.today

    def price_date(self) -> date:
        """D2: the last business day before the trade date."""
        day = self.trade_date(self.file["instructed_at"]) - timedelta(days=1)
        return on_or_before_business_day(day, self.policy.holidays)

    def price_basis(self) -> str:
        """T10."""
        return str(self.code("price_bases", self.request_type))

    # -- 5.1 identity -------------------------------------------------------------------------------------------------

    def identity_ending(self) -> Ending | None:
        """5.1.3 and T8."""
        return Ending("refuse", "identity_not_verified") if self.unverified() else None

    # -- 5.2 watch lists ----------------------------------------------------------------------------------------------

    def match_ending(self) -> Ending | None:
        """5.2.3 and T8."""
        matched = self.matched()
        return Ending("refer", f"{matched[0]['entry_list']}_match") if matched else None

    def cleared(self) -> list[str]:
        """5.2.2: the entries of false positives, each once."""
        return list(dict.fromkeys(one["list_entry_id"] for one in self.possible() if not self.is_true_match(one)))

    # -- 5.3 account file ---------------------------------------------------------------------------------------------

    def in_force(self, row: Seen) -> bool:
        """D6."""
        return row["until"] is None or date.fromisoformat(row["until"]) >= self.today

    def restrictions(self) -> list[str]:
        """T3: kinds in force."""
        return [row["kind"] for row in self.file["restrictions"] if self.in_force(row)]

    def is_stopped(self, kind: str) -> bool:
        """T3."""
        return self.request_type in self.policy.restrictions[kind]

    def may_instruct(self, row: Seen) -> bool:
        """T2."""
        if not self.in_force(row) or self.request_type not in self.policy.authority.get(row["authority"], ()):
            return False
        return not self.lacks_signature(row)

    def lacks_signature(self, row: Seen) -> bool:
        """T2: a joint account's withdrawal needs every owner."""
        joint = row["authority"] == "joint_owner" and self.request_type == "withdrawal"
        return joint and bool(self.file["owners_not_signing"])

    def file_ending(self) -> Ending | None:
        """5.3.2 and 5.3.3, restrictions first."""
        return self.restriction_ending() or self.authority_ending()

    def restriction_ending(self) -> Ending | None:
        """5.3.2."""
        if any(self.is_stopped(kind) for kind in self.restrictions()):
            return Ending("refer", "account_restricted")
        return None

    def authority_ending(self) -> Ending | None:
        """5.3.3."""
        if any(self.may_instruct(row) for row in self.file["authorities"]):
            return None
        return Ending("refuse", "no_authority")

    def is_open(self, row: Seen) -> bool:
        """D7."""
        return bool(row["status"] == "open")

    def relations(self, purpose: str) -> tuple[str, ...]:
        """D7."""
        return {
            "purchase": ("self", "joint"), "sale": ("self", "joint", "spouse"), "distribution": ("self",),
        }[purpose]  # fmt: skip

    def is_counted(self, row: Seen, purpose: str) -> bool:
        """D7."""
        if not self.is_open(row) or row["relation"] not in self.relations(purpose):
            return False
        return purpose != "distribution" or self.is_required(row)

    def is_required(self, row: Seen) -> bool:
        """D7: the account types for which distributions are required together."""
        return row["account_type"] in ("traditional_ira", "sep_ira")

    def counted(self, purpose: str) -> list[str]:
        """D7: the accounts that count for a purpose."""
        return [row["account_id"] for row in self.file["linked_accounts"] if self.is_counted(row, purpose)]

    # -- 5.12 decision ------------------------------------------------------------------------------------------------

    def amount_of(self, ending: Ending) -> int:
        """T8: of what is refused or referred the stated value, but for a margin call."""
        if ending.decision in CARRIED_OUT or ending.reason == "margin_deficiency":
            return ending.amount
        return self.refused_amount()

    def refused_amount(self) -> int:
        """T8."""
        return self.stated_value

    def review_desk(self, decision: str, amount: int) -> str:
        """5.12.3."""
        if decision == "refer":
            return "compliance"
        return "principal" if self.is_large(amount) else "branch"

    def is_large(self, amount: int) -> bool:
        """5.12.3."""
        return amount > self.policy.review_amount

    # -- 5.13 release -------------------------------------------------------------------------------------------------

    def instruction_type(self, record: Seen) -> str:
        """T10."""
        if record["decision"] == "refer":
            return str(self.code("instructions", "referral"))
        refused = record["decision"] == "refuse"
        return str(self.code("instructions", self.refusal_of(record) if refused else record["decided_type"]))

    def refusal_of(self, record: Seen) -> str:
        """T10."""
        if record["reason"] == "margin_deficiency":
            return "margin_deficiency"
        if record["reason"] in ("identity_not_verified", "no_authority", "registration_mismatch"):
            return "refusal_person"
        return "refusal_order" if record["decided_type"] in ("purchase", "sale") else "refusal_payment"

    def effective_date(self, record: Seen) -> date:
        """T8."""
        reason: str = record["reason"]
        if record["decision"] == "refer":
            return self.after_business_days(self.today, self.policy.referral_days[reason])
        if record["decision"] == "refuse":
            return self.after_business_days(self.today, self.answer_days(reason))
        return self.after_business_days(self.trade_date(record["instructed_at"]), self.working_days(record))

    def answer_days(self, reason: str) -> int:
        """T8, of a refusal."""
        return self.policy.call_days if reason == "margin_deficiency" else self.policy.notice_days

    def working_days(self, record: Seen) -> int:
        """T8, of what is carried out."""
        match record["decided_type"]:
            case "purchase" | "sale":
                return self.policy.settlement_days
            case "transfer":
                return self.policy.validation_days + self.policy.transfer_days + self.liquidation_days(record)
            case _:
                return self.payment_days(record["payment_method"])

    def liquidation_days(self, record: Seen) -> int:
        """T8: more if any asset is liquidated."""
        return self.policy.liquidation_days if record["assets_liquidated"] else 0

    def payment_days(self, method: str) -> int:
        """T8."""
        return self.policy.payment_days[method]


def total(rows: list[Seen], name: str) -> int:
    """Return the sum of an amount over rows, in cents."""
    return sum(to_cents(row[name]) for row in rows)
