"""Lapses of codes: a row of a table taken for its neighbour."""

from __future__ import annotations

from importlib import resources
from typing import Any

import msgspec

from teller_gym.procedure.lapses import Lapse, as_expert
from teller_gym.scenarios.accounts.lapses.careless import Careless
from teller_gym.scenarios.accounts.policy import AccountPolicy

_ROWS = {
    "registries": ("T2", 1, "5.2.1", "verify_identity.registry"),
    "schedule": ("T4", 1, "5.5.2", "calculate_availability.schedule_class"),
}
"""By field of the policy: the table, the first row, and the clause and argument that a code is for."""


class Mistaken(Careless):
    """Takes the next row's code for one situation of a table."""

    table, situation = "", ""

    def code(self, table: str, situation: str) -> Any:
        right = super().code(table, situation)
        if (table, situation) != (self.table, self.situation):
            return right
        codes: dict[str, Any] = getattr(self.policy, table)
        names = list(codes)
        return codes[names[(names.index(situation) + 1) % len(names)]]


def mistaken_rows() -> dict[str, Lapse]:
    """Return a lapse for each row of T2 (lists apart) and T4."""
    text = resources.files("teller_gym.scenarios.accounts").joinpath("policy.yaml").read_bytes()
    policy = msgspec.yaml.decode(text, type=AccountPolicy)
    found = {}
    for field, (table, first, *where) in _ROWS.items():
        for row, situation in enumerate(getattr(policy, field)):
            name = f"{field}_of_{situation}_mistaken"
            sentence = f"Takes another row's code for {situation.replace('_', ' ')} ({field.replace('_', ' ')})."
            worker = type("Mistaken", (Mistaken,), {"table": field, "situation": situation})
            found[name] = Lapse(name, (f"{table}.{first + row}", *where), sentence, as_expert(worker))
    return found
