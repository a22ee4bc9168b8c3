"""The people of a request and their incomes."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from teller_gym.base.dates import whole_years
from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Person, Tables, add_person, draw_person, papers_of, street_of
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.credit_cards.generator.plan import Plan
from teller_gym.scenarios.credit_cards.policy import CardPolicy
from teller_gym.tools.bank import Record

_YEARLY = {
    "employed": (2_200_000, 6_900_000),
    "self_employed": (2_000_000, 7_000_000),
    "retired": (1_700_000, 5_200_000),
    "student": (700_000, 1_900_000),
}
"""Range of yearly gross pay from the main income, in cents."""
_SOURCES = {"employed": "wages", "self_employed": "business profit", "retired": "pension", "student": "wages"}


class Holder(msgspec.Struct):
    """A person of the case, with the fields specific to this scenario."""

    person: Person
    student: bool
    consent: date


def draw_holders(draw: Draw, plan: Plan, tables: Tables) -> list[Holder]:
    """Draw the people of a case and add their records."""
    words = bank_words()
    place: list[str] = draw.choice(words["places"])
    street = street_of(draw)
    surname = draw.choice(words["last_names"])
    count = 2 if plan.joint else 1
    failing = draw.integer(0, count - 1)
    found: list[Holder] = []
    for number in range(count):
        last = surname if draw.chance(0.6) else draw.choice(words["last_names"])
        person = draw_person(draw, plan.today, plan.received, place, last)
        young = plan.product == "student" or draw.chance(0.3)
        student = number == 0 and young and (plan.product == "student" or draw.chance(0.5))
        if number == 0 and young:
            person = _young(draw, plan, person)
        fails = plan.ending == "identity" and number == failing
        add_person(draw, tables, person, street=street, identity_fails=fails)
        found.append(Holder(person, student, plan.received - timedelta(days=draw.integer(0, 20))))
    return found


def _young(draw: Draw, plan: Plan, person: Person) -> Person:
    """Return the person as a young adult, sometimes with a birthday on the business date."""
    age = draw.weighted(((19, 2), (20, 4), (21, 3), (22, 2), (24, 2)))
    year = plan.today.year - age
    birthday = date(year, plan.today.month, min(plan.today.day, 28))
    born = birthday - timedelta(days=draw.integer(0, 300)) if draw.chance(0.8) else birthday
    return msgspec.structs.replace(
        person, born=born, employment_type="employed", pay_type="weekly",
        start_date=plan.today - timedelta(days=draw.integer(90, 600)),
    )  # fmt: skip


def entry(draw: Draw, holder: Holder, role: str) -> Record:
    """Return a person's row in the request record."""
    person = holder.person
    return {
        "customer_id": person.customer_id,
        "role": role,
        **papers_of(person, draw.digits(4)),
        "student": holder.student,
        "consent_date": holder.consent.isoformat(),
    }


# -- incomes ----------------------------------------------------------------------------------------------------------


def draw_incomes(draw: Draw, policy: CardPolicy, plan: Plan, holders: list[Holder]) -> list[Record]:
    """Draw the income rows of an application: each person's main income, and others that may or may not count."""
    rows: list[Record] = []
    for holder in holders:
        kind = "student" if holder.student else holder.person.employment_type
        main = _row(draw, holder, "self", _SOURCES[kind], draw.integer(*_YEARLY[kind]), "own_account")
        rows.append(main)
        if draw.chance(0.4):
            side = _row(draw, holder, "self", draw.choice(("second job", "rent received", "tutoring")),
                        draw.integer(400_000, 1_300_000), "own_account")  # fmt: skip
            side["documented"] = draw.chance(0.35)
            rows.append(side)
        elif draw.chance(0.45):
            contract = _row(
                draw, holder, "self", "fixed-term contract", draw.integer(600_000, 2_000_000), "own_account"
            )
            contract["ends_on"] = _end(draw, policy, plan.today).isoformat()
            rows.append(contract)
    first = holders[0]
    age = whole_years(first.person.born, plan.today)
    if draw.chance(0.85 if age < policy.adult_age + 2 else 0.45):
        paid_into = draw.choice(("joint_account", "joint_account", "other_account", "own_account"))
        rows.append(
            _row(draw, first, "household_member", "parent's wages" if age < 25 else "partner's wages",
                 draw.integer(2_400_000, 6_500_000), paid_into)
        )  # fmt: skip
    return [rows[place] for place in sorted(range(len(rows)), key=lambda _: draw.real(0, 1))]


def _end(draw: Draw, policy: CardPolicy, today: date) -> date:
    horizon = today + timedelta(days=policy.income_horizon_days)
    return draw.choice((
        horizon, horizon + timedelta(days=1), horizon - timedelta(days=draw.integer(20, 250)),
        horizon - timedelta(days=draw.integer(20, 250)), horizon + timedelta(days=draw.integer(20, 400)),
    ))  # fmt: skip


def _row(draw: Draw, holder: Holder, earner: str, source: str, yearly: int, paid_into: str) -> Record:
    periods = {"weekly": 52, "biweekly": 26, "semimonthly": 24, "monthly": 12, "yearly": 1}
    regular = ("weekly", "biweekly", "semimonthly", "monthly")
    period = "yearly" if source == "business profit" else "monthly" if source == "pension" else draw.choice(regular)
    gross = yearly // periods[period] // 100 * 100
    return {
        "recipient_id": holder.person.customer_id,
        "earner": earner,
        "source": source,
        "gross_pay": gross,
        "net_pay": int(gross * draw.real(0.74, 0.86)) // 100 * 100,
        "pay_period": period,
        "paid_into": paid_into,
        "documented": True,
        "ends_on": None,
    }
