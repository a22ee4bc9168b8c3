"""Draws a world from a seed: the firm, its staff and its clients."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, TypeVar

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.office.ids import digest
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.wealth.rules import HOUSE, data_of

T = TypeVar("T")

PARTS: Final = ("user", "adviser", "second_adviser", "tax", "trusts", "operations", "compliance")
"""Roles in the firm. The agent has the role ``user``."""

CLIENTS: Final = 5
ROOT: Final = "/Finance_Documents"
_FIRST_DAY, _LAST_DAY = date(2025, 2, 3), date(2027, 11, 26)
_OPENING = time(9, 0)


class Colleague(msgspec.Struct, frozen=True):
    """A member of staff.

    ``part`` is one of `PARTS`, and ``username`` is valid in all services.
    """

    part: str
    username: str
    name: str
    title: str
    email: str


class Client(msgspec.Struct, frozen=True):
    """A client of the firm.

    Attributes:
        number: client number, such as ``HC-204913``.
        adviser: user name of the client's adviser, who is the assigned user in the CRM.
    """

    number: str
    first_name: str
    last_name: str
    born: date
    street: str
    city: str
    state: str
    adviser: str

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}"

    @property
    def email(self) -> str:
        return f"{self.first_name}.{self.last_name}@mail.example".lower()

    @property
    def folder(self) -> str:
        """Folder of the client's documents in the file store."""
        return f"{ROOT}/Clients/{self.name}"


class World(msgspec.Struct, frozen=True):
    """A firm on one day.

    Attributes:
        now: beginning of the day, which is a working day, in UTC.
        staff: members of staff by part, including the user.
    """

    seed: int
    now: datetime
    firm: str
    staff: dict[str, Colleague]
    clients: tuple[Client, ...]

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def user(self) -> Colleague:
        """Member of staff whose role the agent has."""
        return self.staff["user"]

    def colleague(self, username: str) -> Colleague:
        """Return the member of staff with a user name.

        Raises:
            KeyError: there is no such user.
        """
        return {one.username: one for one in self.staff.values()}[username]


def draws(seed: int, what: str) -> Draw:
    """Return a random source for one purpose in a world, independent of the sources for other purposes."""
    return Draw(int.from_bytes(digest(seed, f"wealth.{what}", 0)[:8]))


def draw_world(seed: int) -> World:
    """Draw the world for a seed, which is the same on every machine."""
    draw, words = draws(seed, "world"), data_of(HOUSE, "names.yaml")
    day = draw.day(_FIRST_DAY, _LAST_DAY)
    day -= timedelta(days=max(0, day.weekday() - 4))
    firm = draw.choice(words["firms"])
    names = _names(draw, len(PARTS) + CLIENTS)
    staff = {
        part: _colleague(part, names[number], words["titles"][part], words["domains"][firm])
        for number, part in enumerate(PARTS)
    }
    advisers = [staff["adviser"].username, staff["second_adviser"].username]
    clients = tuple(_client(draw, day, name, draw.choice(advisers)) for name in names[len(PARTS) :])
    return World(seed, datetime.combine(day, _OPENING), firm, staff, clients)


def shuffled(draw: Draw, items: Sequence[T]) -> list[T]:
    """Return the items in random order."""
    left = list(items)
    return [left.pop(draw.integer(0, len(left) - 1)) for _ in range(len(left))]


def weekday(draw: Draw, first: date, last: date) -> date:
    """Draw a day from Monday to Friday between two days."""
    while (day := draw.day(first, last)).weekday() > 4:
        pass
    return day


class NewNames:
    """Draws unique names of people who are neither staff nor clients."""

    def __init__(self, world: World, draw: Draw) -> None:
        known = [*(one.name for one in world.clients), *(one.name for one in world.staff.values())]
        taken = {word for name in known for word in name.split()}
        words = bank_words()
        firsts = dict.fromkeys(one for group in words["first_names"] for one in group if one not in taken)
        self._firsts: list[str] = shuffled(draw, list(firsts))
        self._lasts: list[str] = shuffled(draw, [one for one in words["last_names"] if one not in taken])

    def first(self) -> str:
        return self._firsts.pop()

    def last(self) -> str:
        return self._lasts.pop()

    def named(self, last: str = "") -> str:
        """Draw a full name, or only a first name if the last name is given."""
        return f"{self.first()} {last or self.last()}"


def _names(draw: Draw, count: int) -> list[tuple[str, str]]:
    """Draw names such that every first name and every last name is unique."""
    words = bank_words()
    firsts = list(dict.fromkeys(one for group in words["first_names"] for one in group))
    lasts = list(words["last_names"])
    found = []
    for _ in range(count):
        first, last = draw.choice(firsts), draw.choice(lasts)
        firsts.remove(first)
        lasts.remove(last)
        found.append((first, last))
    return found


def _colleague(part: str, name: tuple[str, str], title: str, domain: str) -> Colleague:
    username = ".".join(name).lower()
    return Colleague(part, username, " ".join(name), title, f"{username}@{domain}")


def _client(draw: Draw, today: date, name: tuple[str, str], adviser: str) -> Client:
    words = bank_words()
    place = draw.choice(words["places"])
    age = draw.integer(34, 58)
    born = draw.day(date(today.year - age - 1, 1, 1), date(today.year - age - 1, 12, 28))
    street = f"{draw.integer(2, 980)} {draw.choice(words['streets'])}"
    return Client(draw.identifier("HC"), *name, born, street, place[0], place[1], adviser)
