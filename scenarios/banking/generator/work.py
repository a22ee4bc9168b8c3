"""Records of employers, businesses and pension payers about a customer's work."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import SOURCES, Person, Tables
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.tools.bank import Record


def add_employment(draw: Draw, tables: Tables, person: Person, pay: Record, *, fails: bool) -> None:
    """Add the record that the source of the person's income has.

    Args:
        draw: the case's draws.
        tables: has ``employment``.
        person: as the case shows them.
        pay: the figures of their pay.
        fails: True if the source contradicts the case.
    """
    employment = {
        "active": True,
        "employer_name": person.employer_name,
        "employment_type": person.employment_type,
        "start_date": person.start_date.isoformat(),
        "pay_type": person.pay_type,
        **pay,
        "remark": draw.choice(bank_words()["remarks"]) if draw.chance(0.35) else None,
    }
    if fails:
        employment |= _denial(draw, person)
    tables["employment"][person.customer_id] = employment


def _denial(draw: Draw, person: Person) -> Record:
    """Return a field in which the source of income contradicts the case."""
    others = [name for name in bank_words()[SOURCES[person.employment_type]] if name != person.employer_name]
    return draw.choice(
        (
            {"active": False},
            {"active": False},
            {"start_date": (person.start_date + timedelta(days=draw.integer(40, 150))).isoformat()},
            {"employer_name": draw.choice(others)},
        )
    )
