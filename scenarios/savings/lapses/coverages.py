"""Lapses about insurance coverage (5.8)."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless


@lapse("D17", "calculate_coverage.accounts_counted", "5.8.1")
class CorporationsCounted(Careless):
    """Counts a corporation's account as the depositor's."""

    def category_of(self, record: Seen) -> str | None:
        return "single" if record["ownership"] == "corporation" else super().category_of(record)


@lapse("D17", "calculate_coverage.accounts_counted", "5.8.1")
class CustodialCounted(Careless):
    """Counts a custodial account as the custodian's."""

    def category_of(self, record: Seen) -> str | None:
        return "single" if record["ownership"] == "custodial" else super().category_of(record)


@lapse("D17", "calculate_coverage.accounts_counted", "calculate_coverage.single_total")
class SoleProprietorLeftOut(Careless):
    """Takes the account of a sole proprietor for a company's."""

    def category_of(self, record: Seen) -> str | None:
        return None if record["ownership"] == "sole_proprietor" else super().category_of(record)


@lapse("D17", "calculate_coverage.joint_total", "5.8.3")
class JointAccountsWhole(Careless):
    """Counts joint accounts whole."""

    def share_of(self, record: Seen, cents: int) -> int:
        return cents


@lapse("D17", "calculate_coverage.joint_total")
class JointAccountsHalved(Careless):
    """Halves every joint account, however many own it."""

    def share_of(self, record: Seen, cents: int) -> int:
        return (cents + 1) // 2


@lapse("D17", "calculate_coverage.retirement_total", "calculate_coverage.single_total")
class RetirementAsSingle(Careless):
    """Puts retirement accounts under single ownership."""

    def category_of(self, record: Seen) -> str | None:
        found = super().category_of(record)
        return "single" if found == "retirement" else found


@lapse("D17", "calculate_coverage.trust_total", "calculate_coverage.single_total")
class TrustAsSingle(Careless):
    """Puts trust accounts under single ownership."""

    def category_of(self, record: Seen) -> str | None:
        found = super().category_of(record)
        return "single" if found == "trust" else found


@lapse("D17", "5.8.2")
class AccruedInterestLeftOut(Careless):
    """Counts principals without their interest."""

    def covered_balance(self, account_id: str) -> int:
        return to_cents(self.records[account_id]["principal"])


@lapse("D17", "calculate_coverage.trust_beneficiaries")
class DeadBeneficiariesCounted(Careless):
    """Counts beneficiaries who have died."""

    def is_living(self, row: Seen) -> bool:
        return True


@lapse("D17", "calculate_coverage.trust_beneficiaries")
class BeneficiariesCountedTwice(Careless):
    """Counts a beneficiary once for each account."""

    def beneficiary_ids(self, counted: list[str]) -> list[str]:
        return [
            row["customer_id"]
            for account_id in counted
            if self.category_of(self.records[account_id]) == "trust"
            for row in self.records[account_id]["owners"]
            if row["role"] == "beneficiary" and self.is_living(row)
        ]


@lapse("D17", "calculate_coverage.trust_beneficiaries", "5.8.3")
class BeneficiariesWithoutCap(Careless):
    """Gives all beneficiaries, also beyond the most that count."""

    def beneficiaries(self, counted: list[str]) -> int:
        return len(self.beneficiary_ids(counted))
