"""Generated customers, with their records at the bank and the identity registry."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.tools.bank import Record

Tables = dict[str, dict[str, Record]]

RETIREMENT_AGE = 60
"""Lowest age of a retired customer on the business date, in years."""

SOURCES = {"employed": "employers", "self_employed": "businesses", "retired": "pension_payers"}
"""Word list for the source of income, by type of employment."""

_ID_DOCUMENTS = ("passport", "driver_license", "state_id")
_PAY_TYPES = {
    "employed": ("hourly", "weekly", "biweekly", "semimonthly", "salaried"),
    "self_employed": ("self_employed",),
    "retired": ("pension",),
}


class Person(msgspec.Struct, kw_only=True):
    """A customer who takes part in the case under construction."""

    customer_id: str
    first_name: str
    full_name: str
    registry_name: str
    born: date
    country: str
    city: str
    state: str
    document_type: str
    document_last4: str
    document_expiry: date
    employment_type: str
    employer_name: str
    start_date: date
    pay_type: str
    received: date
    """Date on which the case was received."""


def draw_person(draw: Draw, today: date, received: date, place: list[str], last_name: str) -> Person:
    """Draw a customer; one in eight has a new name at the registry, different from the one given to the bank.

    Args:
        draw: the case's draws.
        today: the business date.
        received: date on which the case was received.
        place: city and state.
        last_name: the name given to the bank.
    """
    names = bank_words()
    first = draw.choice(draw.choice(names["first_names"]))
    employment_type = draw.weighted((("employed", 66), ("self_employed", 18), ("retired", 16)))
    age = draw.integer(RETIREMENT_AGE, 78) if employment_type == "retired" else draw.integer(22, 63)
    born = draw.day(
        date(today.year - age - 1, today.month, 28), date(today.year - age, today.month, 1) - timedelta(days=1)
    )
    first_working_day = date(born.year + (RETIREMENT_AGE if employment_type == "retired" else 18), 12, 31)
    latest = today - timedelta(days=200)
    if employment_type == "self_employed":
        # The records contain two whole years of profit.
        latest = date(today.year - 3, 12, 31)
    start = draw.day(min(first_working_day, latest - timedelta(days=50)), latest)
    full_name = f"{first} {last_name}"
    other_name = f"{first} {draw.choice([name for name in names['last_names'] if name != last_name])}"
    expiry = draw.day(today + timedelta(days=1), today + timedelta(days=2500))
    return Person(
        customer_id=draw.identifier("CU"),
        first_name=first,
        full_name=full_name,
        registry_name=other_name if draw.chance(0.125) else full_name,
        born=born,
        country=draw.choice(names["countries"]),
        city=place[0],
        state=place[1],
        document_type=draw.choice(_ID_DOCUMENTS),
        document_last4=draw.digits(4),
        document_expiry=today if draw.chance(0.07) else expiry,
        employment_type=employment_type,
        employer_name=draw.choice(names[SOURCES[employment_type]]),
        start_date=start,
        pay_type=draw.choice(_PAY_TYPES[employment_type]),
        received=received,
    )


def add_person(draw: Draw, tables: Tables, person: Person, *, street: str, identity_fails: bool) -> None:
    """Add the person's records at the bank and the identity registry.

    Args:
        draw: the case's draws.
        tables: contains ``customers`` and ``id_registry``.
        person: the person as the case shows them.
        street: their address.
        identity_fails: True if the registry should contradict the case.
    """
    key = person.customer_id
    tables["customers"][key] = {
        "full_name": person.full_name,
        "date_of_birth": person.born.isoformat(),
        "street_address": street,
        "city": person.city,
        "state": person.state,
        "phone": f"***-***-{draw.digits(4)}",
        "email": _email(person.first_name),
        "customer_since": draw.day(
            max(date(2005, 1, 1), of_age(person)), person.received - timedelta(days=60)
        ).isoformat(),
        "segment": draw.choice(("retail", "retail", "premium")),
    }
    registry = {
        "name": person.registry_name,
        "former_names": [person.full_name] if person.registry_name != person.full_name else [],
        "date_of_birth": person.born.isoformat(),
        "document_type": person.document_type,
        "document_last4": person.document_last4,
        "document_expiry": person.document_expiry.isoformat(),
        "country": person.country,
    }
    if identity_fails:
        registry |= _contradiction(draw, person)
    tables["id_registry"][key] = registry


def papers_of(person: Person, tax_id_last4: str) -> Record:
    """Return a person's name, birth date and identity document as a case shows them."""
    return {
        "full_name": person.full_name,
        "date_of_birth": person.born.isoformat(),
        "country": person.country,
        "tax_id": f"***-**-{tax_id_last4}",
        "document_type": person.document_type,
        "document_last4": person.document_last4,
        "document_expiry": person.document_expiry.isoformat(),
    }


def street_of(draw: Draw) -> str:
    """Draw a street address."""
    return f"{draw.integer(10, 990)} {draw.choice(bank_words()['streets'])}"


def of_age(person: Person) -> date:
    """Return a day shortly after the person's 18th birthday."""
    return person.born + timedelta(days=18 * 366)


def rename_as_neighbour(draw: Draw, tables: Tables, customer_id: str, person: Person) -> str:
    """Give a customer nearly the same name as another person; return the new name.

    Args:
        draw: the case's draws.
        tables: contains ``customers`` and ``id_registry``.
        customer_id: the customer to rename.
        person: the person with whom the customer may be confused.
    """
    group = next(names for names in bank_words()["first_names"] if person.first_name in names)
    name = f"{draw.choice([first for first in group if first != person.first_name])} {person.full_name.split()[1]}"
    customers, registry = tables["customers"], tables["id_registry"]
    customers[customer_id] = {**customers[customer_id], "full_name": name, "email": _email(name)}
    registry[customer_id] = {**registry[customer_id], "name": name, "former_names": []}
    return name


def _email(name: str) -> str:
    return f"{name[0].lower()}***@example.org"


def _contradiction(draw: Draw, person: Person) -> Record:
    """Draw a registry field that contradicts the case."""
    first, last = person.full_name.split()
    other = draw.choice([name for name in bank_words()["last_names"] if name != last])
    return draw.choice(
        (
            {"date_of_birth": (person.born + timedelta(days=draw.integer(1, 900))).isoformat()},
            {"document_last4": f"{(int(person.document_last4) + draw.integer(1, 9998)) % 10_000:04d}"},
            {"document_expiry": (person.document_expiry - timedelta(days=draw.integer(30, 900))).isoformat()},
            {"name": f"{first} {other}", "former_names": []},
        )
    )
