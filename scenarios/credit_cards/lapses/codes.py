"""Lapses of codes: a row of a table taken for its neighbour."""

from __future__ import annotations

from importlib import resources
from typing import Any

import msgspec

from teller_gym.procedure.lapses import Lapse, as_expert
from teller_gym.scenarios.credit_cards.lapses.careless import Careless
from teller_gym.scenarios.credit_cards.policy import CardPolicy

_ROWS = {
    "pay_periods": ("T4.{row}", 1, "5.6.1", "assess_ability_to_pay.monthly_income"),
    "registries": ("T4.{row}", 6, "5.2.2", "verify_identity.registry"),
    "referral_business_days": ("T8.{row}", 11, "5.11.3", "issue_card_decision.due_date"),
}
"""By field of the policy: where its codes stand, the first row, the clause that asks for one, and the argument."""


_SELDOM = ("yearly",)
"""Situations that too few cases show."""


class Mistaken(Careless):
    """Takes the next row's code for one situation of a table."""

    table, situation = "", ""

    def code(self, table: str, situation: str) -> Any:
        right = super().code(table, situation)
        if (table, situation) != (self.table, self.situation):
            return right
        codes: dict[str, Any] = getattr(self.policy, table)
        place = list(codes).index(situation)
        others = [*list(codes.values())[place:], *list(codes.values())[:place]]
        return next((code for code in others if code != right), right)


def mistaken_rows() -> dict[str, Lapse]:
    """Return a lapse for each row of some tables."""
    text = resources.files("teller_gym.scenarios.credit_cards").joinpath("policy.yaml").read_bytes()
    policy = msgspec.yaml.decode(text, type=CardPolicy)
    found: dict[str, Lapse] = {}
    for field, (table, first, *where) in _ROWS.items():
        for row, situation in enumerate(getattr(policy, field)):
            if situation in _SELDOM:
                continue
            found |= _mistaken(field, situation, (table.format(row=first + row), *where))
    return found


def _mistaken(field: str, situation: str, clauses: tuple[str, ...]) -> dict[str, Lapse]:
    name = f"{field}_of_{situation}_mistaken"
    sentence = f"Takes another row's code for {situation.replace('_', ' ')} ({field.replace('_', ' ')})."
    worker = type("Mistaken", (Mistaken,), {"table": field, "situation": situation})
    return {name: Lapse(name, clauses, sentence, as_expert(worker))}
