"""Lapses of savings requests that need code; the others are in ``lapses.yaml``."""

from __future__ import annotations

from teller_gym.base.money import to_cents
from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking
from teller_gym.scenarios.savings.expert import Settling
from teller_gym.scenarios.savings.findings import Ending
from teller_gym.scenarios.savings.lapses.careless import Careless

# -- coverages -------------------------------------------------------------------------------------------------------


@lapse("D17", "5.8.2", "5.7.1", "T7.18")
class AccruedInterestLeftOut(Careless):
    """Uses principals without accrued interest, for coverage and for a beneficiary of age."""

    def pay_custodial(self) -> Settling:
        ending = yield from super().pay_custodial()
        return ending._replace(amount=self.record["principal"]) if ending.reason == "of_age" else ending

    def covered_balance(self, account_id: str) -> int:
        return to_cents(self.records[account_id]["principal"])


@lapse("D17", "calculate_coverage.trust_beneficiaries")
class BeneficiariesAsListed(Careless):
    """Counts every listed beneficiary of every trust account, even if dead or listed twice."""

    def beneficiary_ids(self, counted: list[str]) -> list[str]:
        trusts = [self.records[key] for key in counted if self.category_of(self.records[key]) == "trust"]
        return [row["customer_id"] for record in trusts for row in record["owners"] if row["role"] == "beneficiary"]


# -- outcome ---------------------------------------------------------------------------------------------------------


@lapse("5.9.1", "T7", "record_savings_decision.decision", "record_savings_decision.reason")
class WaivedCalledGrace(Careless):
    """Gives the reason charged for every payout from a time deposit."""

    def record_decision(self, ending: Ending) -> Asking:
        plain = ending.reason in ("waived_death", "waived_incapacity", "grace_period", "below_minimum")
        return (yield from super().record_decision(ending._replace(reason="charged") if plain else ending))


@lapse("5.9.1", "T7", "record_savings_decision.decision")
class PendingDeclined(Careless):
    """Declines requests that are only incomplete or that must be referred."""

    def record_decision(self, ending: Ending) -> Asking:
        stopped = ending.decision in ("pend", "refer")
        return (yield from super().record_decision(ending._replace(decision="decline") if stopped else ending))


@lapse("5.9.1", "T7.10", "T7.26", "D22", "record_savings_decision.amount")
class NothingForWhatIsNotDone(Careless):
    """Records the amount 0 for every request that is not carried out."""

    def record_decision(self, ending: Ending) -> Asking:
        nothing = ending.decision in ("decline", "refer", "pend")
        return (yield from super().record_decision(ending._replace(amount=0.0) if nothing else ending))


@lapse("5.9.4")
class ChargeNotRecorded(Careless):
    """Records no charge."""

    def record_decision(self, ending: Ending) -> Asking:
        self.charge = 0.0
        return (yield from super().record_decision(ending))


@lapse("5.9.1", "T7.16", "record_savings_decision.decision")
class PartlyCalledWhole(Careless):
    """Records a request that is carried out in part as carried out in full."""

    def record_decision(self, ending: Ending) -> Asking:
        partly = ending.decision == "in_part"
        return (yield from super().record_decision(ending._replace(decision="carry_out") if partly else ending))


# -- withdrawals -----------------------------------------------------------------------------------------------------


@lapse("D10", "calculate_interest.principal", "5.4.4")
class InterestOnWholePrincipal(Careless):
    """Computes the interest on the whole principal although only a part is withdrawn."""

    def assess(self, waiver: str, to_date: str, reason: str) -> Settling:
        principal = float(self.record["principal"])
        yield from self.work_out_interest(self.account_ids[0], principal, to_date)
        return (yield from self.assess_withdrawal(waiver, self.withdrawn(self.record), reason))
