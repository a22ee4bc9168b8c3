"""Lapses of decision and release (5.12 and 5.13)."""

from __future__ import annotations

from teller_gym.procedure.lapses import lapse
from teller_gym.procedure.officer import Asking, Seen, Steps
from teller_gym.scenarios.investments.judgement import Ending
from teller_gym.scenarios.investments.lapses.careless import Careless


@lapse("5.12.1", "T8.8", "T8.11", "record_investment_decision.decision")
class PartsRefused(Careless):
    """Refuses what can be done in part."""

    def close(self, ending: Ending) -> Steps:
        partly = ending.decision == "adjust"
        yield from super().close(Ending("refuse", ending.reason) if partly else ending)


@lapse("5.12.1", "T8.2", "T8.3", "record_investment_decision.decision")
class ReferralsRefused(Careless):
    """Refuses what is to be referred."""

    def close(self, ending: Ending) -> Steps:
        refers = ending.decision == "refer"
        yield from super().close(Ending("refuse", ending.reason) if refers else ending)

    def effective_date(self, record: Seen) -> object:  # type: ignore[override]
        return super().effective_date(
            {**record, "decision": "refer"} if record["reason"] in self.policy.referral_days else record
        )


@lapse("5.13.1", "T10.7", "release_instruction.instruction_type")
class RefusalByRequestTypeAlone(Careless):
    """Sends a refusal by request type, whatever the reason."""

    def refusal_of(self, record: Seen) -> str:
        right = super().refusal_of(record)
        orders = record["decided_type"] in ("purchase", "sale")
        return ("refusal_order" if orders else "refusal_payment") if right == "refusal_person" else right


@lapse("5.13.1", "T10.7", "T10.8", "T10.9", "T10.10", "release_instruction.instruction_type")
class InstructionOfTheRequestType(Careless):
    """Releases the instruction of the request's type, whatever the decision."""

    def instruction_type(self, record: Seen) -> str:
        return self.code("instructions", record["decided_type"])


@lapse("5.13.2", "D20")
class ReleasedTwice(Careless):
    """Releases what is carried out only in part twice, to be sure."""

    def release(self, record: Seen) -> Asking:
        if record["decision"] == "adjust":
            yield from super().release(record)
        return (yield from super().release(record))
