"""Lapses of codes: a row of a table taken for its neighbour."""

from __future__ import annotations

from importlib import resources
from typing import Any

import msgspec

from teller_gym.procedure.lapses import Lapse, as_expert
from teller_gym.procedure.officer import Seen
from teller_gym.scenarios.savings.lapses.careless import Careless
from teller_gym.scenarios.savings.policy import Product, SavingsPolicy


class Mistaken(Careless):
    """Takes the next row's code for one situation of T10."""

    table, situation = "", ""

    def code(self, table: str, situation: str) -> Any:
        right = super().code(table, situation)
        if (table, situation) != (self.table, self.situation):
            return right
        codes: dict[str, Any] = getattr(self.policy, table)
        names = list(codes)
        return codes[names[(names.index(situation) + 1) % len(names)]]


class MistakenProduct(Careless):
    """Works out the interest of one product by the next row of T1."""

    mistaken: tuple[str, ...] = ()

    def earning(self, record: Seen) -> Product:
        if record["product"] not in self.mistaken:
            return super().earning(record)
        names = list(self.policy.products)
        return self.policy.products[names[(names.index(record["product"]) + 1) % len(names)]]


_MISTAKEN = (("fixed_term",), ("growth_term",), ("monthly_term",), ("bonus_saver", "young_saver"))
"""Products that one lapse mistakes for the next row's."""


def mistaken_rows() -> dict[str, Lapse]:
    """Return a lapse for each registry of T10 and each row of T1."""
    text = resources.files("teller_gym.scenarios.savings").joinpath("policy.yaml").read_bytes()
    policy = msgspec.yaml.decode(text, type=SavingsPolicy)
    found = {}
    for row, kind in enumerate(policy.file_codes):
        name = f"file_code_of_{kind}_mistaken"
        sentence = f"Files a {kind.replace('_', ' ')} under the next row's code."
        worker = type("Mistaken", (Mistaken,), {"table": "file_codes", "situation": kind})
        places = (f"T11.{row + 1}", "5.9.4", "record_savings_decision.file_code")
        found[name] = Lapse(name, places, sentence, as_expert(worker))
    for row, situation in enumerate(policy.registries):
        name = f"registry_of_{situation}_mistaken"
        sentence = f"Asks another registry than that for a {situation.replace('_', ' ')}."
        worker = type("Mistaken", (Mistaken,), {"table": "registries", "situation": situation})
        clauses = (f"T10.{row + 1}", "5.2.1", "verify_identity.registry")
        found[name] = Lapse(name, clauses, sentence, as_expert(worker))
    products = list(policy.products)
    for mistaken in _MISTAKEN:
        name = f"interest_of_{mistaken[0]}_mistaken"
        sentence = f"Works out the interest of a {mistaken[0].replace('_', ' ')} by another row."
        worker = type("MistakenProduct", (MistakenProduct,), {"mistaken": mistaken})
        rows = [f"T1.{products.index(product) + 1}" for product in mistaken]
        arguments = ("5.4.4", "calculate_interest.method", "calculate_interest.day_count")
        found[name] = Lapse(name, (*rows, *arguments), sentence, as_expert(worker))
    return found
