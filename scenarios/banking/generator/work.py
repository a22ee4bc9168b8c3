"""Generated employment records, as an employer, tax office or pension payer reports them."""

from __future__ import annotations

from datetime import timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import SOURCES, Person, Tables
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.tools.bank import Record


def add_employment(draw: Draw, tables: Tables, person: Person, pay: Record, *, fails: bool) -> None:
    """Add the employment record that verification will find.

    Args:
        draw: the case's draws.
        tables: contains ``employment``.
        person: the person as the case shows them.
        pay: their pay figures.
        fails: True if the record should contradict the case.
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
    """Draw a field with which the employment record contradicts the case."""
    others = [name for name in bank_words()[SOURCES[person.employment_type]] if name != person.employer_name]
    return draw.choice(
        (
            {"active": False},
            {"active": False},
            {"start_date": (person.start_date + timedelta(days=draw.integer(40, 150))).isoformat()},
            {"employer_name": draw.choice(others)},
        )
    )
