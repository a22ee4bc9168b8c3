"""Descriptions give reproducible tables, and invalid ones are refused with a reason."""

from typing import Any

import msgspec
import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.seeding import Item, Project, User, Workspace, tables
from tests.office.tracker.world import ITEMS, NOW, PROJECT, WORKSPACE, ask, store

USERS = (User(username="ada", name="Ada Byrne", email="a@example.org"),)


def project(**more: Any) -> Project:
    return Project(**{"name": "P", "identifier": "P", "members": ("ada",), **more})


def workspace(*projects: Project, users: tuple[User, ...] = USERS) -> Workspace:
    return Workspace(name="W", slug="w", users=users, projects=projects)


def with_item(**more: Any) -> Workspace:
    return workspace(project(items=(Item(**{"name": "i", "by": "ada", **more}),)))


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_ids() -> None:
    first, again, other = (tables(WORKSPACE, NOW, seed) for seed in (1, 1, 2))
    assert msgspec.json.encode(first) == msgspec.json.encode(again)
    assert not first["tracker.items"].keys() & other["tracker.items"].keys()
    ids = [record["id"] for table in first.values() for record in table.values() if "id" in record]
    assert len(set(ids)) == len(ids) > 30


def test_new_items_have_the_fields_of_those_there_were() -> None:
    office = store()
    assert ask(office, "POST", ITEMS, {"name": "n"}).status == 201
    fresh = Store(tables(WORKSPACE, NOW, 1), NOW, 1)
    written = [(table, record) for table, _, record in office.written() if table.startswith("tracker.")]
    assert {table for table, _ in written} == {"tracker.items", "tracker.activities"}
    for table, record in written:
        assert record is not None and record.keys() == next(one for _, one in fresh.rows(table)).keys()


def test_items_have_numbers_times_and_places_in_order() -> None:
    made = tables(WORKSPACE, NOW, 1)
    assert made["tracker.sequences"][PROJECT] == {"last": 4}
    found = [one for one in made["tracker.items"].values() if one["project"] == PROJECT]
    assert [(one["sequence_id"], one["created_at"][11:16], one["completed_at"]) for one in found] == [
        *((1, "05:00", None), (2, "06:00", None), (3, "07:00", "2026-03-02T07:00:00Z"), (4, "08:00", None)),
    ]
    assert found[0]["description_stripped"] == "Collect all figures" and found[0]["target_date"] == "2026-03-05"


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (workspace(users=USERS * 2), "each user name once, got ada"),
        (workspace(project(), project(identifier="Q")), "each project's name once, got P"),
        (workspace(project(), project(name="Q")), "each project's identifier once, got P"),
        (workspace(project(members=())), "P: expected at least one member"),
        (workspace(project(members=("bob",))), "expected a user out of ada, got bob"),
        (with_item(by="bob"), "expected a user out of ada, got bob"),
        (with_item(state="Open"), "expected a state out of Backlog, .* got Open"),
        (with_item(priority="p"), "expected a priority of urgent, .* got p"),
        (with_item(target_date="1/2"), "Invalid isoformat string"),
    ],
)
def test_descriptions_that_do_not_fit(wrong: Workspace, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        tables(wrong, NOW, 1)
