"""Watch-list entries: strangers, other people with a customer's name, and a customer of the case if planned."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from teller_gym.base.draw import Draw
from teller_gym.scenarios.banking.generator.people import Person, Tables
from teller_gym.scenarios.banking.generator.words import bank_words

_STYLES: tuple[tuple[Callable[[str], str], float], ...] = ((str, 5), (str.upper, 4), (str.lower, 1))
"""Spellings of names, which differ between lists, with weights."""


def add_watch_list(
    draw: Draw, tables: Tables, people: list[Person], *, on_list: str | None, false_positive: bool
) -> None:
    """Add the watch-list entries of a case.

    Args:
        draw: the case's draws.
        tables: contains ``watch_list``.
        people: the people who are screened.
        on_list: the list that contains one of them, such as ``sanctions``; None if they are on no list.
        false_positive: True if a correct search should find another person with the same name.
    """
    names = bank_words()
    taken = {person.registry_name for person in people}
    for _ in range(draw.integer(1, 3)):
        name = f"{draw.choice(draw.choice(names['first_names']))} {draw.choice(names['last_names'])}"
        if name not in taken:
            country = draw.choice(names["countries"])
            _add(draw, tables, name, _birth(draw), country, draw.choice(("us", "global")))
    listed = draw.choice(people)
    if on_list is not None:
        _add(draw, tables, listed.registry_name, listed.born, listed.country, _searched(draw, listed), on_list)
    for person in people:
        if false_positive and draw.chance(0.7 if len(people) > 1 else 1.0):
            _add_other_bearer(draw, tables, person, _searched(draw, person))
        elif person.country == "US" and draw.chance(0.2):
            # Citizens are not screened against this list, so only a search of the wrong scope finds the entry.
            _add_other_bearer(draw, tables, person, "global")


def _searched(draw: Draw, person: Person) -> str:
    """Draw a region whose list the person is screened against."""
    return "us" if person.country == "US" else draw.choice(("global", "global", "us"))


def _add_other_bearer(draw: Draw, tables: Tables, person: Person, region: str) -> None:
    """Add another person with the same name but a different birth date, country or both."""
    differs = draw.weighted((("born", 4), ("country", 3), ("both", 2)))
    born, country = person.born, person.country
    if differs != "country":
        born = draw.choice((_same_day_of_another_year(draw, born), born + timedelta(days=draw.integer(1, 4000))))
    if differs != "born":
        country = draw.choice([name for name in bank_words()["countries"] if name != person.country])
    _add(draw, tables, person.registry_name, born, country, region)


def _same_day_of_another_year(draw: Draw, born: date) -> date:
    return date(born.year + draw.choice((-10, -2, -1, 1, 2, 10)), born.month, min(born.day, 28))


def _birth(draw: Draw) -> date:
    return draw.day(date(1950, 1, 1), date(2000, 12, 31))


def _add(
    draw: Draw, tables: Tables, name: str, born: date, country: str, region: str, on_list: str | None = None
) -> None:
    tables["watch_list"][draw.identifier("WL")] = {
        "name": draw.weighted(_STYLES)(name),
        "date_of_birth": born.isoformat(),
        "country": country,
        "list": on_list or draw.choice(("sanctions", "pep", "enforcement")),
        "region": region,
        "remark": draw.choice(bank_words()["entry_remarks"]) if draw.chance(0.5) else None,
    }
