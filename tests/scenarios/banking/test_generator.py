"""Properties of the shared customer generator that hold for every scenario."""

from datetime import date

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from teller_gym.base.draw import Draw
from teller_gym.base.text import normalise_text
from teller_gym.scenarios.banking.generator.accounts import add_account
from teller_gym.scenarios.banking.generator.people import (
    RETIREMENT_AGE,
    Person,
    Tables,
    add_person,
    draw_person,
    rename_as_neighbour,
    street_of,
)
from teller_gym.scenarios.banking.generator.watch_list import add_watch_list
from teller_gym.scenarios.banking.generator.words import bank_words
from teller_gym.scenarios.banking.generator.work import add_employment

TODAY = date(2026, 5, 20)
RECEIVED = date(2026, 5, 11)
SEEDS = st.integers(0, 2**32)


def person_of(draw: Draw) -> Person:
    return draw_person(draw, TODAY, RECEIVED, ["Boise", "ID"], "Farrow")


def on_file(draw: Draw, person: Person, *, identity_fails: bool = False) -> Tables:
    tables: Tables = {name: {} for name in ("customers", "id_registry", "employment", "accounts", "watch_list")}
    add_person(draw, tables, person, street=street_of(draw), identity_fails=identity_fails)
    return tables


def years(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


@given(seed=SEEDS)
def test_a_life_fits_together(seed: int) -> None:
    draw = Draw(seed)
    person = person_of(draw)
    tables = on_file(draw, person)
    key = add_account(draw, tables, person, "deposit", "savings", 1)
    assert years(person.born, person.start_date) >= 18
    assert person.start_date < TODAY <= person.document_expiry
    if person.employment_type == "retired":
        assert years(person.born, TODAY) >= RETIREMENT_AGE
    since = date.fromisoformat(tables["customers"][person.customer_id]["customer_since"])
    assert years(person.born, since) >= 18
    assert since <= date.fromisoformat(tables["accounts"][key]["opened"]) < RECEIVED


@given(seed=SEEDS, fails=st.booleans())
def test_the_registry_contradicts_the_case_if_and_only_if_it_is_to(seed: int, fails: bool) -> None:
    draw = Draw(seed)
    person = person_of(draw)
    (registry,) = on_file(draw, person, identity_fails=fails)["id_registry"].values()
    own = msgspec.to_builtins(person)
    fields = ("document_type", "document_last4", "document_expiry", "country")
    wrong = [name for name in fields if registry[name] != own[name]]
    wrong += ["date_of_birth"] * (registry["date_of_birth"] != person.born.isoformat())
    wrong += ["name"] * (person.full_name not in (registry["name"], *registry["former_names"]))
    assert len(wrong) == fails


@given(seed=SEEDS, fails=st.booleans())
def test_the_source_of_income_denies_the_work_if_and_only_if_it_is_to(seed: int, fails: bool) -> None:
    draw = Draw(seed)
    person = person_of(draw)
    tables = on_file(draw, person)
    add_employment(draw, tables, person, {"gross_pay": 1}, fails=fails)
    known = tables["employment"][person.customer_id]
    expected = {"active": True, "employer_name": person.employer_name, "start_date": person.start_date.isoformat()}
    assert sum(known[name] != value for name, value in expected.items()) == fails
    assert known["gross_pay"] == 1


@given(seed=SEEDS)
def test_a_neighbour_has_nearly_the_same_name(seed: int) -> None:
    draw = Draw(seed)
    person, other = person_of(draw), person_of(draw)
    tables = on_file(draw, other)
    name = rename_as_neighbour(draw, tables, other.customer_id, person)
    first, last = name.split()
    (group,) = (group for group in bank_words()["first_names"] if person.first_name in group)
    assert first in group
    assert first != person.first_name
    assert last == "Farrow"
    assert (
        tables["customers"][other.customer_id]["full_name"] == tables["id_registry"][other.customer_id]["name"] == name
    )


@given(seed=SEEDS, on_list=st.sampled_from([None, "sanctions", "pep", "enforcement"]), other=st.booleans())
def test_the_watch_lists_hold_what_was_ordered(seed: int, on_list: str | None, other: bool) -> None:
    draw = Draw(seed)
    person = person_of(draw)
    tables = on_file(draw, person)
    add_watch_list(draw, tables, [person], on_list=on_list, false_positive=other)
    searched = ("us",) if person.country == "US" else ("us", "global")
    same_name = [
        entry
        for entry in tables["watch_list"].values()
        if normalise_text(entry["name"]) == normalise_text(person.registry_name) and entry["region"] in searched
    ]
    own = {"date_of_birth": person.born.isoformat(), "country": person.country}
    true = [entry["list"] for entry in same_name if own.items() <= entry.items()]
    assert true == ([] if on_list is None else [on_list])
    assert len(same_name) - len(true) == other


def test_equal_seeds_give_equal_people() -> None:
    assert person_of(Draw(7)) == person_of(Draw(7))
    assert person_of(Draw(7)) != person_of(Draw(8))


@pytest.mark.parametrize("group", bank_words()["first_names"], ids=lambda group: group[0])
def test_look_alikes_stand_in_groups_of_their_own(group: list[str]) -> None:
    others = [name for names in bank_words()["first_names"] if names is not group for name in names]
    assert len(set(group)) == len(group) >= 2
    assert not set(group) & set(others)
