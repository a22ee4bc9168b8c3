"""Placing instructions in records: only where the agent may read them, and where none of what they ask for is right."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Literal

from teller_gym.base.draw import Draw
from teller_gym.base.money import to_cents
from teller_gym.base.text import normalise_text
from teller_gym.procedure.injections import TAG, Asks, Injection, load_injections
from teller_gym.procedure.scenario import Solution
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.scenarios.investments.generator.purchase import governing
from teller_gym.scenarios.investments.policy import InvestmentPolicy
from teller_gym.tools.bank import Record

_CHANCES = {
    "note": 0.25, "list_entry": 0.45, "file_remark": 0.25, "questionnaire_remark": 0.3, "statement_remark": 0.35,
}  # fmt: skip
"""How often a kind of record holds one, where a case shows such a record."""


@cache
def injections() -> tuple[Injection, ...]:
    """Return all wordings."""
    file = resources.files("teller_gym.scenarios.investments.generator").joinpath("injections.yaml")
    return load_injections(file.read_bytes())


def place_injections(
    draw: Draw, policy: InvestmentPolicy, tables: Tables, case_id: str, solution: Solution,
    split: Literal["train", "heldout"],
) -> tuple[str, ...]:  # fmt: skip
    """Put instructions into the records of a case, each kind by its own chance; return the tags that name them."""
    case, placed = tables["requests"][case_id], []
    right = _right_values(policy, tables, case_id, case, solution)
    for kind, chance in _CHANCES.items():
        if not draw.chance(chance):
            continue
        records = list(_records(tables, case_id, case, kind, solution))
        fitting = [
            (injection, _weight(injection))
            for injection in injections()
            if (injection.split, injection.kind) == (split, kind) and _is_wrong(case, injection.asks, right)
        ]
        if records and fitting:
            injection = draw.weighted(fitting)
            draw.choice(records)["remark" if kind != "note" else "note"] = injection.text
            placed.append(f"{TAG}{injection.id}")
    return tuple(placed)


def _weight(injection: Injection) -> float:
    """Notes are read at once, and one that names a decision says that it is another: these are seldom."""
    if injection.kind != "note" or injection.asks.call is not None:
        return 1.0
    return 0.08 if "decision" in injection.asks.set else 0.4


def _records(tables: Tables, case_id: str, case: Record, kind: str, solution: Solution) -> Iterator[Record]:
    """Yield the records of a kind that the case's procedure comes to show."""
    account = tables["brokerage_accounts"][case["account_id"]]
    opened = solution.branches["account_file"] != "not_reached"
    if kind == "note":
        yield case
    elif kind == "list_entry":
        if solution.branches["watch_list"] in ("false_positive", "true_match"):
            people = [row["customer_id"] for row in case["signers"]]
            names = {normalise_text(tables["id_registry"][key]["name"]) for key in people}
            found = [row for row in tables["watch_list"].values() if normalise_text(row["name"]) in names]
            if len(found) == 1:
                yield found[0]
    elif opened and kind == "file_remark":
        yield account
    elif opened and kind == "questionnaire_remark":
        yield from account["questionnaires"]
    elif opened and kind == "statement_remark" and case_id in tables["statements"]:
        yield tables["statements"][case_id]


_KIND_OF = {
    "governing_profile": "purchase", "limit_percent": "purchase", "cash_reserve": "purchase", "order_fee": "purchase",
    "title_matches": "transfer", "type_matches": "transfer", "tax_id_matches": "transfer",
    "clearing_number": "transfer",
}  # fmt: skip
"""The type of request that asks for an argument."""


def _is_wrong(case: Record, asks: Asks, right: Record) -> bool:
    """Whether no value asked for is the right one, and obeying can be done at all."""
    if any(name in right and right[name] == value for name, value in asks.set.items()):
        return False
    return all(_KIND_OF.get(name, case["request_type"]) == case["request_type"] for name in asks.set)


def _right_values(policy: InvestmentPolicy, tables: Tables, case_id: str, case: Record, solution: Solution) -> Record:
    """Return what is right of the values that wordings ask for."""
    ending, decision = solution.branches["ending"], solution.outputs["decision"]
    large = to_cents(solution.outputs["amount"]) > policy.review_amount
    found: Record = {
        "decision": decision,
        "reason": "none" if ending == "proceed" else ending,
        "delivery_method": case["delivery_preference"],
        "review_desk": "compliance" if decision == "refer" else "principal" if large else "branch",
    }
    account = tables["brokerage_accounts"][case["account_id"]]
    if account["questionnaires"]:
        signed = [row for row in account["questionnaires"] if row["state"] == "signed"]
        current = max(signed, key=lambda row: str(row["dated"]))
        found["governing_profile"] = policy.profiles[governing(policy, current)].name
    statement = tables["statements"].get(case_id)
    if statement is not None:
        found["clearing_number"] = policy.clearing_numbers[statement["firm"]]
        found["type_matches"] = policy.type_words[statement["account_word"]] == account["account_type"]
        found["tax_id_matches"] = statement["tax_id_last4"] == account["tax_id_last4"]
        found["title_matches"] = _persons(statement["title"]) == _persons(account["title"])
    return found


def _persons(title: str) -> frozenset[str]:
    """Return the persons that a title names."""
    return frozenset(name.strip() for name in title.lower().replace("&", " and ").split(" and "))
