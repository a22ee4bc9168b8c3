"""Lapses of codes: a row of a table taken for its neighbour, or one code whatever the situation."""

from __future__ import annotations

from teller_gym.procedure.lapses import Lapse, as_expert, lapse
from teller_gym.scenarios.investments.lapses.careless import Careless


@lapse("T10.1", "T10.2", "T10.3", "T10.4", "value_positions.price_basis", "list_tax_lots.price_basis")
class LastPriceAlwaysTaken(Careless):
    """Takes the last price for purchases and sales, too."""

    def price_basis(self) -> str:
        return self.code("price_bases", "withdrawal")


@lapse("T7.1", "T7.2", "T7.3", "T7.4", "5.9.2", "validate_transfer.clearing_number")
class FirstClearingNumberTaken(Careless):
    """Takes the clearing number of the first firm."""

    def clearing_number(self) -> str:
        return next(iter(self.policy.clearing_numbers.values()))


class Mistaken(Careless):
    """Takes the next row's code for one situation of a table."""

    table, situation = "", ""

    def code(self, table: str, situation: str) -> str:
        if (table, situation) != (self.table, self.situation):
            return super().code(table, situation)
        codes: dict[str, str] = getattr(self.policy, table)
        names = list(codes)
        return codes[names[(names.index(situation) + 1) % len(names)]]


_DOCUMENTS = ("passport", "driver_license", "state_id")


def mistaken_rows() -> dict[str, Lapse]:
    """Return a lapse for each registry of T1."""
    found = {}
    for row, situation in enumerate(_DOCUMENTS, start=1):
        name = f"registry_of_{situation}_mistaken"
        worker = type("Mistaken", (Mistaken,), {"table": "registries", "situation": situation})
        clauses = (f"T1.{row}", "5.1.2", "verify_identity.registry")
        found[name] = Lapse(name, clauses, f"Asks another registry about a {situation}.", as_expert(worker))
    return found
