"""Applicants and what registry and employer know of them."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.tools.bank import Record

Tables = dict[str, dict[str, Record]]

RETIREMENT_AGE = 60
RETIRED_INCOME_LIMIT = 1_500_000
"""A retired applicant is at least 60 and has at most 15,000 dollars a month."""

_ID_DOCUMENTS = ("passport", "driver_license", "state_id")
_PAY_TYPES = {
    "employed": ("hourly", "weekly", "biweekly", "semimonthly", "salaried"),
    "self_employed": ("self_employed",),
    "retired": ("pension",),
}
_SOURCES = {"employed": "employers", "self_employed": "businesses", "retired": "pension_payers"}


@cache
def world() -> dict[str, Any]:
    """Return the lists of names, places and texts."""
    data: dict[str, Any] = msgspec.yaml.decode(
        resources.files("teller_gym.scenarios.loans.generator").joinpath("world.yaml").read_bytes()
    )
    return data


class Person(msgspec.Struct, kw_only=True):
    """One applicant while the instance is being built."""

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


def draw_person(draw: Draw, today: date, received: date, place: list[str], last_name: str) -> Person:
    """Draw an applicant; one in eight has another name by now than on the application."""
    names = world()
    first = draw.choice(draw.choice(names["first_names"]))
    employment_type = draw.weighted((("employed", 66), ("self_employed", 18), ("retired", 16)))
    age = draw.integer(RETIREMENT_AGE, 78) if employment_type == "retired" else draw.integer(22, 63)
    born = draw.day(
        date(today.year - age - 1, today.month, 28), date(today.year - age, today.month, 1) - timedelta(days=1)
    )
    first_working_day = date(born.year + (RETIREMENT_AGE if employment_type == "retired" else 18), 12, 31)
    latest = today - timedelta(days=200)
    if employment_type == "self_employed":
        # Two whole years of profit stand in the records.
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
        employer_name=draw.choice(names[_SOURCES[employment_type]]),
        start_date=start,
        pay_type=draw.choice(_PAY_TYPES[employment_type]),
        received=received,
    )


def application_entry(draw: Draw, person: Person, role: str, report_date: date | None) -> Record:
    """Return the person as the application shows them."""
    return {
        "customer_id": person.customer_id,
        "role": role,
        "full_name": person.full_name,
        "date_of_birth": person.born.isoformat(),
        "country": person.country,
        "tax_id": f"***-**-{draw.digits(4)}",
        "document_type": person.document_type,
        "document_last4": person.document_last4,
        "document_expiry": person.document_expiry.isoformat(),
        "employer_name": person.employer_name,
        "employment_type": person.employment_type,
        "start_date": person.start_date.isoformat(),
        "pay_type": person.pay_type,
        "report_on_file_date": report_date.isoformat() if report_date else None,
        "consent_date": person.received.isoformat(),
    }


def add_person(draw: Draw, tables: Tables, person: Person, *, street: str, identity_fails: bool) -> None:
    """Add the person's records as a customer and at the registry."""
    key = person.customer_id
    tables["customers"][key] = {
        "full_name": person.full_name,
        "date_of_birth": person.born.isoformat(),
        "street_address": street,
        "city": person.city,
        "state": person.state,
        "phone": f"***-***-{draw.digits(4)}",
        "email": f"{person.first_name[0].lower()}***@example.org",
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


def add_employment(draw: Draw, tables: Tables, person: Person, pay: Record, *, fails: bool) -> None:
    """Add what the source of the person's income knows."""
    employment = {
        "active": True,
        "employer_name": person.employer_name,
        "employment_type": person.employment_type,
        "start_date": person.start_date.isoformat(),
        "pay_type": person.pay_type,
        **pay,
        "remark": draw.choice(world()["remarks"]) if draw.chance(0.35) else None,
    }
    if fails:
        employment |= _denial(draw, person)
    tables["employment"][person.customer_id] = employment


def street_of(draw: Draw) -> str:
    """Return an address."""
    return f"{draw.integer(10, 990)} {draw.choice(world()['streets'])}"


def of_age(person: Person) -> date:
    """Return a day shortly after the person came of age."""
    return person.born + timedelta(days=18 * 366)


def _contradiction(draw: Draw, person: Person) -> Record:
    """Return a field of the registry that does not agree with the application."""
    first, last = person.full_name.split()
    other = draw.choice([name for name in world()["last_names"] if name != last])
    return draw.choice(
        (
            {"date_of_birth": (person.born + timedelta(days=draw.integer(1, 900))).isoformat()},
            {"document_last4": f"{(int(person.document_last4) + draw.integer(1, 9998)) % 10_000:04d}"},
            {"document_expiry": (person.document_expiry - timedelta(days=draw.integer(30, 900))).isoformat()},
            {"name": f"{first} {other}", "former_names": []},
        )
    )


def _denial(draw: Draw, person: Person) -> Record:
    """Return what the source of income says otherwise than the application."""
    others = [name for name in world()[_SOURCES[person.employment_type]] if name != person.employer_name]
    return draw.choice(
        (
            {"active": False},
            {"active": False},
            {"start_date": (person.start_date + timedelta(days=draw.integer(40, 150))).isoformat()},
            {"employer_name": draw.choice(others)},
        )
    )
