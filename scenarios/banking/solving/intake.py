"""A solver's notes on a case, and identity and watch lists, straight from the records.

No expert uses it: :mod:`teller_gym.scenarios.banking.officer` reads the same clauses a second time, from results of
tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from teller_gym.tools.bank import Record

Tables = Mapping[str, Mapping[str, Record]]

_FACTS = ("date_of_birth", "document_type", "document_last4", "document_expiry", "country")


class Ledger:
    """The outcome of each decision point that a case has come to, and the rules applied on the way.

    Args:
        points: the decision points; one that a case never comes to is ``not_reached``.
    """

    def __init__(self, points: Iterable[str] = ()) -> None:
        self.branches = dict.fromkeys(points, "not_reached")
        self.rules: dict[str, None] = {}

    def settle(self, point: str, outcome: str) -> str:
        """Note and return the outcome of a decision point."""
        self.branches[point] = outcome
        return outcome

    def cite(self, *rules: str) -> None:
        """Note that rules are applied; the first time counts."""
        self.rules.update(dict.fromkeys(rules))


class Match(NamedTuple):
    """An entry of a watch list under a person's name."""

    list: str
    is_true: bool
    """The entry has the person's birth date and country."""


def fold(text: Any) -> str:
    """Return a name without regard to case and white space."""
    return " ".join(str(text).casefold().split())


def registered(tables: Tables, person: Record) -> str:
    """Compare a person with the registry: ``verified``, ``former_name`` or ``failed``.

    Everything but the name must be equal.
    """
    known = tables["id_registry"].get(person["customer_id"])
    if known is None or any(person[fact] != known[fact] for fact in _FACTS):
        return "failed"
    if fold(person["full_name"]) == fold(known["name"]):
        return "verified"
    return "former_name" if fold(person["full_name"]) in map(fold, known["former_names"]) else "failed"


def matches(tables: Tables, person: Record) -> list[Match]:
    """Return the entries of a person's verified name, on the lists that are searched for a citizen of the country."""
    known = tables["id_registry"][person["customer_id"]]
    return [
        Match(entry["list"], (entry["date_of_birth"], entry["country"]) == (known["date_of_birth"], known["country"]))
        for entry in tables.get("watch_list", {}).values()
        if fold(entry["name"]) == fold(known["name"]) and (entry["region"] == "us" or known["country"] != "US")
    ]


def screened(found: Iterable[Match]) -> str:
    """Return what matches come to: the list of the first true one, ``false_positive`` or ``clear``."""
    every = list(found)
    return next((match.list for match in every if match.is_true), "false_positive" if every else "clear")
