"""Lapses about insurance coverage (5.8)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.expert import Settling
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D17", "calculate_coverage.accounts_counted", "calculate_coverage.single_total")
class SoleProprietorLeftOut(Careless):
    """Takes the account of a sole proprietor for a company's."""

    def category_of(self, record: Seen) -> str | None:
        return None if record["ownership"] == "sole_proprietor" else super().category_of(record)


@lapse("D17", "calculate_coverage.joint_total")
class JointAccountsHalved(Careless):
    """Halves every joint account, however many own it."""

    def share_of(self, record: Seen, cents: int) -> int:
        return (cents + 1) // 2


@lapse("D17", "5.8.2", "5.7.1", "T7.18")
class AccruedInterestLeftOut(Careless):
    """Takes principals without their interest, for coverage and for a beneficiary of age."""

    def pay_custodial(self) -> Settling:
        ending = yield from super().pay_custodial()
        return ending._replace(amount=self.record["principal"]) if ending.reason == "of_age" else ending

    def covered_balance(self, account_id: str) -> int:
        return to_cents(self.records[account_id]["principal"])


@lapse("D17", "calculate_coverage.trust_beneficiaries")
class BeneficiariesAsListed(Careless):
    """Counts every beneficiary of every trust account, also those who have died or stand twice."""

    def beneficiary_ids(self, counted: list[str]) -> list[str]:
        trusts = [self.records[key] for key in counted if self.category_of(self.records[key]) == "trust"]
        return [row["customer_id"] for record in trusts for row in record["owners"] if row["role"] == "beneficiary"]


@lapse("D17", "calculate_coverage.trust_beneficiaries", "5.8.3")
class BeneficiariesWithoutCap(Careless):
    """Gives all beneficiaries, also beyond the most that count."""

    def beneficiaries(self, counted: list[str]) -> int:
        return len(self.beneficiary_ids(counted))
