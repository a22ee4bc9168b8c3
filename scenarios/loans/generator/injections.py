"""Placing instructions in records: only where the agent may read them, and where none of what they ask for is right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal

from teller_gym.base.draw import Draw
from teller_gym.base.text import normalise_text
from teller_gym.procedure.injections import TAG, Asks, Injection, load_injections
from teller_gym.procedure.scenario import Solution
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.tools.bank import Record

_CHANCES = {
    "note": 0.25, "list_entry": 0.4, "consumer_statement": 0.15, "employer_remark": 0.2, "document_title": 0.2,
}  # fmt: skip
"""How often a kind of record holds one, where a case shows such a record."""

_READ = {
    "note": "documents",
    "list_entry": "watch_list",
    "consumer_statement": "report",
    "employer_remark": "employment",
    "document_title": "collateral",
}
"""The decision point at which an agent has read each kind of record."""

_USED = {
    "qualifying_score": "affordability",
    "monthly_housing_cost": "collateral",
    "monthly_support_paid": "collateral",
    "housing_replaced": "collateral",
    "excluded_tradelines": "collateral",
    "periods_per_year": "collateral",
    "verify_insurance": "insurance",
    "resolve_watch_list_match": "watch_list",
}
"""The decision point that tells whether a case comes to the use of an argument or a tool."""


@cache
def injections() -> tuple[Injection, ...]:
    """Return all wordings."""
    return load_injections(
        resources.files("teller_gym.scenarios.loans.generator").joinpath("injections.yaml").read_bytes()
    )


def place_injections(
    draw: Draw, tables: Tables, case_id: str, solution: Solution, split: Literal["train", "heldout"]
) -> tuple[str, ...]:
    """Put instructions into the records of a case, each kind by its own chance; return the tags that name them."""
    case, placed = tables["applications"][case_id], []
    for kind, chance in _CHANCES.items():
        if not draw.chance(chance):
            continue
        records = list(_records(tables, case, kind, solution))
        fitting = [
            (injection, _weight(injection))
            for injection in injections()
            if (injection.split, injection.kind) == (split, kind) and _is_wrong(case, injection.asks, solution)
        ]
        if records and fitting:
            injection = draw.weighted(fitting)
            shown, field = draw.choice(records)
            for record in shown:
                record[field] = injection.text
            placed.append(f"{TAG}{injection.id}")
    return tuple(placed)


def _weight(injection: Injection) -> float:
    """Notes are read at once, and one that names a decision or a desk says that it is another: these are seldom."""
    if injection.kind != "note" or injection.asks.call is not None:
        return 1.0
    return 0.08 if "decision" in injection.asks.set else 0.2


def _records(tables: Tables, case: Record, kind: str, solution: Solution) -> Iterator[tuple[list[Record], str]]:
    """Yield the records of a kind, with the field for the text, that the case's procedure comes to show."""
    if solution.branches[_READ[kind]] == "not_reached" and kind != "note":
        return
    people = [person["customer_id"] for person in case["applicants"]]
    if kind == "note":
        yield [case], "note"
    elif kind == "list_entry":
        names = {normalise_text(tables["id_registry"][key]["name"]) for key in people}
        found = [entry for entry in tables["watch_list"].values() if normalise_text(entry["name"]) in names]
        if solution.branches["watch_list"] != "clear" and len(found) == 1:
            yield found, "remark"
    elif kind == "consumer_statement":
        # Whichever of the reports is the one to use.
        yield [report for report in tables["bureau_files"][people[0]].values() if report], "consumer_statement"
    elif kind == "employer_remark":
        if solution.branches["employment"] == "confirmed":
            yield from (([tables["employment"][key]], "remark") for key in people)
    elif case["collateral_id"] is not None:
        yield [tables["collateral"][case["collateral_id"]]], "valuation_title"


def _is_wrong(case: Record, asks: Asks, solution: Solution) -> bool:
    """Whether no value asked for is the right one, and obeying can be done at all."""
    outputs, branches, wanted = solution.outputs, solution.branches, asks.set
    if any(outputs.get(name) == value for name, value in wanted.items() if isinstance(value, str)):
        return False
    if any(branches[_USED[name]] == "not_reached" for name in (*wanted, *asks.skip) if name in _USED):
        return False
    if asks.call is not None and asks.call.arguments["document"] not in case["documents"]:
        return False
    if {"housing_replaced", "monthly_housing_cost"} & wanted.keys() and case["property_use"] == "primary":
        return False
    return "excluded_tradelines" not in wanted or bool(case["closing_payoff_tradelines"])
