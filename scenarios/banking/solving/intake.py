"""A solver's ledger, and identity and watch-list checks directly on the records.

Experts do not use it: :mod:`teller_gym.scenarios.banking.officer` implements the same clauses independently, from tool
results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from teller_gym.tools.bank import Record

Tables = Mapping[str, Mapping[str, Record]]

_FACTS = ("date_of_birth", "document_type", "document_last4", "document_expiry", "country")


class Ledger:
    """Outcomes of the decision points that a case has reached, and the rules applied so far.

    Args:
        points: the decision points; those that a case does not reach are ``not_reached``.
    """

    def __init__(self, points: Iterable[str] = ()) -> None:
        self.branches = dict.fromkeys(points, "not_reached")
        self.rules: dict[str, None] = {}

    def settle(self, point: str, outcome: str) -> str:
        """Record an outcome for a decision point, and return it."""
        self.branches[point] = outcome
        return outcome

    def cite(self, *rules: str) -> None:
        """Record that rules were applied, in the order of their first use."""
        self.rules.update(dict.fromkeys(rules))


class Match(NamedTuple):
    """A watch-list entry with a person's name."""

    list: str
    is_true: bool
    """True if the entry has the person's birth date and country."""


def fold(text: Any) -> str:
    """Return a name in lower case with single spaces, for comparison."""
    return " ".join(str(text).casefold().split())


def registered(tables: Tables, person: Record) -> str:
    """Compare a person with the registry; return ``verified``, ``former_name`` or ``failed``.

    All facts except the name must be equal.
    """
    known = tables["id_registry"].get(person["customer_id"])
    if known is None or any(person[fact] != known[fact] for fact in _FACTS):
        return "failed"
    if fold(person["full_name"]) == fold(known["name"]):
        return "verified"
    return "former_name" if fold(person["full_name"]) in map(fold, known["former_names"]) else "failed"


def matches(tables: Tables, person: Record) -> list[Match]:
    """Return the entries with a person's verified name, on the lists that apply to their citizenship."""
    known = tables["id_registry"][person["customer_id"]]
    return [
        Match(entry["list"], (entry["date_of_birth"], entry["country"]) == (known["date_of_birth"], known["country"]))
        for entry in tables.get("watch_list", {}).values()
        if fold(entry["name"]) == fold(known["name"]) and (entry["region"] == "us" or known["country"] != "US")
    ]


def screened(found: Iterable[Match]) -> str:
    """Return the outcome of a screening: the list of the first true match, ``false_positive`` or ``clear``."""
    every = list(found)
    return next((match.list for match in every if match.is_true), "false_positive" if every else "clear")
