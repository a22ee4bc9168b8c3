"""Generated accounts of customers with the bank."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Person, Tables, of_age


def add_account(draw: Draw, tables: Tables, person: Person, kind: str, product: str, balance: int) -> str:
    """Add an account of a person, opened after they became a customer; return its id.

    Args:
        draw: the case's draws.
        tables: contains ``accounts``, and the person in ``customers``.
        person: the owner.
        kind: ``deposit`` or ``loan``.
        product: such as ``savings``.
        balance: in cents.
    """
    since = max(of_age(person), date.fromisoformat(tables["customers"][person.customer_id]["customer_since"]))
    key = draw.identifier("AC")
    tables["accounts"][key] = {
        "customer_id": person.customer_id,
        "kind": kind,
        "product": product,
        "opened": draw.day(since, max(since, person.received - timedelta(days=20))).isoformat(),
        "status": "open",
        "balance": balance,
    }
    return key
