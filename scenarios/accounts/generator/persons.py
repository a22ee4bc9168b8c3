"""The people around a request (owners, minors, custodians, agents) and their rows in the request."""

from __future__ import annotations

from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.accounts.generator.plan import Plan
from teller_gym.scenarios.banking.generator.people import Person, Tables, add_person, draw_person, papers_of, street_of
from teller_gym.scenarios.banking.generator.watch_list import add_watch_list
from teller_gym.scenarios.banking.generator.words import bank_words, words_of
from teller_gym.tools.bank import Record


class People:
    """Draws people of one place; family members share a name and an address."""

    def __init__(self, draw: Draw, plan: Plan, tables: Tables) -> None:
        self.draw = draw
        self.plan = plan
        self.tables = tables
        self.name = draw.choice(bank_words()["last_names"])
        self.home = street_of(draw)
        self.streets: dict[str, str] = {}

    def adult(self, *, family: bool = True, fails: bool = False, born: date | None = None) -> Person:
        """Draw an adult and add the records; if ``fails``, the registry contradicts the request."""
        names = bank_words()["last_names"]
        last = self.name if family and self.draw.chance(0.7) else self.draw.choice(names)
        person = draw_person(self.draw, self.plan.today, self.plan.received, self.plan.place, last)
        if born is not None:
            person.born = born
        return self._added(person, fails)

    def minor(self, born: date, *, fails: bool = False) -> Person:
        """Draw a child of the family and add the records."""
        person = draw_person(self.draw, self.plan.today, self.plan.received, self.plan.place, self.name)
        person.born = born
        person.document_type = self.draw.choice(("passport", "state_id"))
        return self._added(person, fails)

    def _added(self, person: Person, fails: bool) -> Person:
        street = self.home if person.full_name.split()[1] == self.name else street_of(self.draw)
        self.streets[person.customer_id] = street
        add_person(self.draw, self.tables, person, street=street, identity_fails=fails)
        record = self.tables["customers"][person.customer_id]
        since = min(date.fromisoformat(record["customer_since"]), self.plan.received - timedelta(days=1))
        record["customer_since"] = max(since, person.born).isoformat()
        return person

    def row(self, person: Person, role: str, street: str = "") -> Record:
        """Return a person's row in the request."""
        return {
            "customer_id": person.customer_id,
            "role": role,
            **papers_of(person, self.draw.digits(4)),
            "street_address": street or self.streets[person.customer_id],
        }

    def add_lists(self, screened: list[Person]) -> None:
        """Add the watch lists, including the people whom the plan puts on one."""
        matched = self.plan.ends("open_match", "stop_match", "close_match")
        on_list = self.plan.reason.removesuffix("_match") if matched else None
        bearer = self.draw.chance(0.85 if self.plan.ends("open_done") else 0.6)
        add_watch_list(self.draw, self.tables, screened, on_list=on_list, false_positive=bearer)


def birthday(draw: Draw, today: date, years: int) -> date:
    """Draw a birth date of a person who is ``years`` old, often with a birthday today."""
    latest = date(today.year - years, today.month, min(today.day, 28))
    if draw.chance(0.6):  # a birthday on the business date
        return date(today.year - years, today.month, today.day) if (today.month, today.day) != (2, 29) else latest
    return latest - timedelta(days=draw.integer(1, 360))


def not_yet(draw: Draw, today: date, years: int) -> date:
    """Draw a birth date of a person who turns ``years`` within the next year."""
    first = date(today.year - years, today.month, min(today.day, 28)) + timedelta(days=4)
    if today.day < 28 and draw.chance(0.3):
        return date(today.year - years, today.month, today.day + 1)  # tomorrow's birthday
    return first + timedelta(days=draw.integer(0, 300))


def odd_street(draw: Draw, name: str) -> str:
    """Draw a post box or a military address, by the name of the word list."""
    pattern: str = draw.choice(words_of(__package__)[name])
    return pattern.format(number=draw.integer(100, 9900), other=draw.integer(10, 990))
