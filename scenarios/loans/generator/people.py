"""Generated applicants, and their entries in the application."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Person, Tables, add_person, draw_person, papers_of, street_of
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.loans.generator.plan import Plan
from teller_gym.tools.bank import Record


def draw_people(draw: Draw, plan: Plan, tables: Tables) -> tuple[list[Person], list[str]]:
    """Draw the applicants and their branch city; two with the same last name share an address."""
    place = draw.choice(bank_words()["places"])
    last_name = draw.choice(bank_words()["last_names"])
    people = [draw_person(draw, plan.today, plan.received, place, last_name)]
    if plan.joint:
        surname = last_name if draw.chance(0.6) else draw.choice(bank_words()["last_names"])
        people.append(draw_person(draw, plan.today, plan.received, place, surname))
    if plan.has("incomplete_expired"):
        draw.choice(people).document_expiry = plan.today - timedelta(days=draw.integer(1, 120))
    failing = draw.choice(people)
    home = street_of(draw)
    for person in people:
        street = home if person.full_name.split()[1] == last_name else street_of(draw)
        fails = plan.has("deny_identity") and person is failing
        add_person(draw, tables, person, street=street, identity_fails=fails)
    return people, place


def application_entry(draw: Draw, person: Person, role: str, report_date: date | None) -> Record:
    """Return the applicant's entry in the application."""
    return {
        "customer_id": person.customer_id,
        "role": role,
        **papers_of(person, draw.digits(4)),
        "employer_name": person.employer_name,
        "employment_type": person.employment_type,
        "start_date": person.start_date.isoformat(),
        "pay_type": person.pay_type,
        "report_on_file_date": report_date.isoformat() if report_date else None,
        "consent_date": person.received.isoformat(),
    }
