"""Descriptions become tables, the same every time, or are refused with a reason."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.description import Cycle, Item, Module, Project, User, Workspace
from teller_gym.office.tracker.seeding import tables
from tests.office.tracker.world import NOW, WORKSPACE, ask, id_of, store

USERS = (User(username="ada", name="Ada Byrne", email="a@example.org"),)


def project(**more: Any) -> Project:
    return Project(**{"name": "P", "identifier": "P", "roles": {"ada": 20}, **more})


def workspace(*projects: Project, users: tuple[User, ...] = USERS) -> Workspace:
    return Workspace(name="W", slug="w", users=users, projects=projects)


def test_the_same_seed_gives_the_same_bytes_and_another_one_other_ids() -> None:
    first, again, other = (tables(WORKSPACE, NOW, seed) for seed in (1, 1, 2))
    assert msgspec.json.encode(first) == msgspec.json.encode(again)
    assert not first["tracker.items"].keys() & other["tracker.items"].keys()
    ids = [record["id"] for table in first.values() for record in table.values() if "id" in record]
    assert len(set(ids)) == len(ids) > 50


def test_new_records_have_the_fields_of_those_there_were() -> None:
    office, ada = store(), id_of(store(), "users", "ada")
    wm = f"projects/{id_of(office, 'projects', 'WM')}"
    item = id_of(office, "items", "Old rumours")
    for path, data in (
        ("projects/", {"name": "n", "identifier": "n"}),
        (f"{wm}/work-items/", {"name": "n"}),
        (f"{wm}/work-items/{item}/comments/", {"comment_html": "n"}),
        (f"{wm}/states/", {"name": "n", "color": "n"}),
        (f"{wm}/labels/", {"name": "n"}),
        (f"{wm}/cycles/", {"name": "n", "project_id": wm[9:]}),
        (f"{wm}/modules/", {"name": "n", "members": [ada]}),
        (f"{wm}/cycles/{id_of(office, 'cycles', 'March')}/cycle-issues/", {"issues": [item]}),
        (f"{wm}/modules/{id_of(office, 'modules', 'Reporting')}/module-issues/", {"issues": [item]}),
    ):
        assert ask(office, "POST", path, data).status in (200, 201), path
    fresh = Store(tables(WORKSPACE, NOW, 1), NOW, 1)
    for table, key, record in office.written():
        if table.startswith("tracker.") and record is not None:
            known = next(one for _, one in fresh.rows(table))
            assert record.keys() == known.keys(), (table, key)


def test_links_and_sequences_stand_apart() -> None:
    made = tables(WORKSPACE, NOW, 1)
    wm = next(key for key, one in made["tracker.projects"].items() if one["identifier"] == "WM")
    assert made["tracker.sequences"][wm] == {"last": 4}
    assert [one["sequence_id"] for one in made["tracker.items"].values() if one["project"] == wm] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (workspace(users=USERS * 2), "each user name once, got ada"),
        (workspace(project(), project(identifier="Q")), "each project's name once, got P"),
        (workspace(project(), project(name="Q")), "each project's identifier once, got P"),
        (
            workspace(users=(User(username="a", name="A", email="a", role=10),)),
            "a: expected the role 20, 15, 5, got 10",
        ),
        (workspace(project(roles={})), "P: expected at least one member"),
        (workspace(project(roles={"bob": 20})), "expected a user out of ada, got bob"),
        (workspace(project(labels=("a", "a"))), "each label once, got a"),
        (workspace(project(items=(Item(name="i", by="bob"),))), "expected a user out of ada, got bob"),
        (
            workspace(project(items=(Item(name="i", by="ada", state="Open"),))),
            "expected a state out of Backlog, .* got Open",
        ),
        (workspace(project(items=(Item(name="i", by="ada", labels=("x",)),))), "expected a label out of none, got x"),
        (
            workspace(project(items=(Item(name="i", by="ada", priority="p"),))),
            "expected a priority of urgent, .* got p",
        ),
        (workspace(project(items=(Item(name="i", by="ada", parent=1),))), "number of one of the 0 items so far, got 1"),
        (workspace(project(items=(Item(name="i", by="ada", start_date="1/2"),))), "Invalid isoformat string"),
        (workspace(project(cycles=(Cycle(name="c", items=(1,)),))), "number of one of the 0 items so far, got 1"),
        (
            workspace(project(items=(Item(name="i", by="ada"),), cycles=(Cycle(name="c", items=(1, 1)),))),
            "each cycle's item once, got 1",
        ),
        (workspace(project(modules=(Module(name="m", items=(2,)),))), "number of one of the 0 items so far, got 2"),
    ],
)
def test_descriptions_that_do_not_fit(wrong: Workspace, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        tables(wrong, NOW, 1)
