"""Cycles and modules, and the work items in them."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.activities import list_activities
from teller_gym.office.tracker.cycles import get_cycle, list_cycles
from teller_gym.office.tracker.items import delete_item, update_item
from teller_gym.office.tracker.modules import get_module
from tests.office.tracker.world import ask, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
CYCLES, MODULES = f"projects/{PROJECT}/cycles/", f"projects/{PROJECT}/modules/"
MARCH, JANUARY = id_of(BASE, "cycles", "March"), id_of(BASE, "cycles", "January")
REPORTING = id_of(BASE, "modules", "Reporting")
FIRST, SECOND = id_of(BASE, "items", "Quarterly metrics"), id_of(BASE, "items", "Call the Martins")
NOBODY = "00000000-0000-4000-8000-000000000000"
APRIL = {"name": "April", "start_date": "2026-04-01", "end_date": "2026-04-30T18:00:00+02:00", "project_id": PROJECT}
BAD_DATETIME = (
    "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."
)


@pytest.fixture
def office() -> Store:
    return store()


def test_a_new_cycle(office: Store) -> None:
    answer = ask(office, "POST", CYCLES, APRIL, user="ben")
    cycle = answer.data()
    ben = id_of(office, "users", "ben")
    assert answer.status == 201
    assert cycle == {
        "id": cycle["id"],
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": ben,
        "updated_by": ben,
        "project": PROJECT,
        "workspace": cycle["workspace"],
        "name": "April",
        "description": "",
        "start_date": "2026-04-01T00:00:01Z",
        "end_date": "2026-04-30T23:59:00Z",
        "view_props": {},
        "sort_order": 55535.0,
        "external_source": None,
        "external_id": None,
        "progress_snapshot": {},
        "archived_at": None,
        "logo_props": {},
        "timezone": "UTC",
        "version": 1,
        "owned_by": ben,
        "total_issues": 0,
        "cancelled_issues": 0,
        "completed_issues": 0,
        "started_issues": 0,
        "unstarted_issues": 0,
        "backlog_issues": 0,
        "total_estimates": None,
        "completed_estimates": None,
        "started_estimates": None,
    }
    assert get_cycle(office, "gus", PROJECT, cycle["id"]) == cycle
    ada = id_of(office, "users", "ada")
    changed = ask(
        office, "PATCH", f"{CYCLES}{cycle['id']}/", {"name": "Spring", "owned_by": ada, "project_id": PROJECT}
    )
    assert (changed.status, changed.data()["owned_by"], changed.data()["start_date"]) == (200, ada, cycle["start_date"])
    assert "project_id" not in changed.data()
    assert ask(office, "DELETE", f"{CYCLES}{cycle['id']}/", user="ben").status == 403
    assert ask(office, "DELETE", f"{CYCLES}{cycle['id']}/").status == 204


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"project_id": PROJECT}, {"name": ["This field is required."]}),
        ({"name": "x"}, {"non_field_errors": ["Project ID is required"]}),
        (
            {"name": "x", "project_id": PROJECT, "start_date": "2026-04-01"},
            {"error": "Both start date and end date are either required or are to be null"},
        ),
        (
            APRIL | {"end_date": "2026-03-31"},
            {"non_field_errors": ["Start date cannot exceed end date"]},
        ),
        (APRIL | {"end_date": "soon"}, {"end_date": [BAD_DATETIME]}),
        (APRIL | {"end_date": "0001-01-01T00:00:00+09:00"}, {"end_date": [BAD_DATETIME]}),
        (APRIL | {"owned_by": NOBODY}, {"owned_by": [f'Invalid pk "{NOBODY}" - object does not exist.']}),
    ],
)
def test_cycles_that_cannot_be(office: Store, data: Any, wrong: Any) -> None:
    answer = ask(office, "POST", CYCLES, data)
    assert (answer.status, answer.data()) == (400, wrong) and office.diff() == []


def test_views_of_cycles(office: Store) -> None:
    ask(office, "POST", CYCLES, APRIL)
    ask(office, "POST", CYCLES, {"name": "Some day", "project_id": PROJECT})
    expected = {
        "all": ["Some day", "April", "January", "March"],
        "current": ["March"],
        "upcoming": ["April"],
        "completed": ["January"],
        "draft": ["Some day"],
        "incomplete": ["Some day", "April", "March"],
        "unheard of": ["Some day", "April", "January", "March"],
    }
    for view, names in expected.items():
        assert [one["name"] for one in list_cycles(office, "gus", PROJECT, view)] == names, view
    assert [one["name"] for one in ask(office, "GET", CYCLES, query="cycle_view=current").data()] == ["March"]
    assert ask(office, "GET", CYCLES, query="status=upcoming&cycle_view=current").data()["count"] == 1


def test_a_cycle_that_has_ended_stays_as_it_is(office: Store) -> None:
    path = f"{CYCLES}{JANUARY}/"
    refused = ask(office, "PATCH", path, {"name": "x"})
    assert refused.status == 400
    assert refused.data() == {"error": "The Cycle has already been completed so it cannot be edited"}
    moved = ask(office, "PATCH", path, {"name": "x", "sort_order": 5}).data()
    assert (moved["name"], moved["sort_order"]) == ("January", 5.0)
    full = ask(office, "POST", f"{path}cycle-issues/", {"issues": [SECOND]})
    assert (full.status, full.data()["code"]) == (400, "CYCLE_COMPLETED")


def test_an_item_is_in_one_cycle(office: Store) -> None:
    april = ask(office, "POST", CYCLES, APRIL).data()["id"]
    answer = ask(office, "POST", f"{CYCLES}{april}/cycle-issues/", {"issues": [FIRST, SECOND, FIRST]})
    assert answer.status == 200
    assert [(one["issue"], one["cycle"], one["sub_issues_count"]) for one in answer.data()] == [
        (FIRST, april, 1),
        (SECOND, april, 0),
    ]
    assert [get_cycle(office, "ada", PROJECT, one)["total_issues"] for one in (MARCH, april)] == [1, 2]
    assert ask(office, "POST", f"{CYCLES}{april}/cycle-issues/", {"issues": [FIRST]}).data() == answer.data()
    listed = ask(office, "GET", f"{CYCLES}{april}/cycle-issues/", query="order_by=-sequence_id").data()["results"]
    assert [one["id"] for one in listed] == [SECOND, FIRST]
    place = f"{CYCLES}{april}/cycle-issues/{FIRST}/"
    assert ask(office, "GET", place).data()["cycle"] == april
    assert ask(office, "GET", f"{CYCLES}{MARCH}/cycle-issues/{FIRST}/").status == 404
    assert ask(office, "DELETE", place).status == 204 and ask(office, "DELETE", place).status == 404
    told = [(one["verb"], one["old_value"], one["new_value"]) for one in list_activities(office, "ada", PROJECT, FIRST)]
    assert told[1:] == [("updated", "March", "April"), ("deleted", "April", "")]
    ask(office, "DELETE", f"{CYCLES}{april}/")
    assert list_activities(office, "ada", PROJECT, SECOND)[-1]["comment"] == "removed this issue from April"
    assert all(record["cycle"] != april for _, record in office.rows("tracker.cycle_items"))


def test_cycles_count_by_groups(office: Store) -> None:
    def counted() -> dict[str, int]:
        cycle = get_cycle(office, "ada", PROJECT, MARCH)
        return {
            name: cycle[f"{name}_issues"]
            for name in ("total", "started", "completed", "cancelled")
            if cycle[f"{name}_issues"]
        }

    assert counted() == {"total": 2, "started": 1, "completed": 1}
    update_item(office, "ada", PROJECT, FIRST, {"state": id_of(office, "states", "Cancelled")})
    assert counted() == {"total": 2, "completed": 1, "cancelled": 1}
    update_item(office, "ada", PROJECT, FIRST, {"is_draft": True})
    assert counted() == {"total": 1, "completed": 1}
    delete_item(office, "ada", PROJECT, FIRST)
    assert counted() == {}


@pytest.mark.parametrize(
    ("where", "code"), [(f"{CYCLES}{MARCH}/cycle-issues/", 400), (f"{MODULES}{REPORTING}/module-issues/", 400)]
)
def test_items_that_cannot_be_put_in(office: Store, where: str, code: int) -> None:
    tea = id_of(office, "items", "Tea")
    for issues, status in (
        ([], code),
        (None, code),
        ("x", 400),
        (["x"], 400),
        ([NOBODY], 400),
        ([FIRST, tea], 404),
        ([FIRST] * 101, 400),
    ):
        assert ask(office, "POST", where, {"issues": issues}).status == status, issues
    assert ask(office, "POST", where, []).status == 400
    assert office.diff() == []


def test_a_new_module(office: Store) -> None:
    gus, eve = id_of(office, "users", "gus"), id_of(office, "users", "eve")
    answer = ask(
        office, "POST", MODULES, {"name": "Audit", "members": [gus, eve], "lead": gus, "start_date": "2026-03-01"}
    )
    module = answer.data()
    assert answer.status == 201
    assert module | {"id": "", "workspace": "", "created_by": "", "updated_by": ""} == {
        "id": "",
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": "",
        "updated_by": "",
        "project": PROJECT,
        "workspace": "",
        "name": "Audit",
        "description": "",
        "description_text": None,
        "description_html": None,
        "start_date": "2026-03-01",
        "target_date": None,
        "status": "planned",
        "view_props": {},
        "sort_order": 55535.0,
        "external_source": None,
        "external_id": None,
        "archived_at": None,
        "logo_props": {},
        "lead": gus,
        "members": [gus],
        "total_issues": 0,
        "cancelled_issues": 0,
        "completed_issues": 0,
        "started_issues": 0,
        "unstarted_issues": 0,
        "backlog_issues": 0,
    }
    path = f"{MODULES}{module['id']}/"
    assert ask(office, "GET", path, query="expand=members&fields=members").data()["members"][0]["display_name"] == "gus"
    assert ask(office, "PATCH", path, {"status": "in-progress"}).data()["status"] == "in-progress"
    assert ask(office, "PATCH", path, {"status": "lost"}).data() == {"status": ['"lost" is not a valid choice.']}
    late = ask(office, "PATCH", path, {"target_date": "2026-02-01"})
    assert late.data() == {"non_field_errors": ["Start date cannot exceed target date"]}
    twin = ask(office, "POST", MODULES, {"name": "Audit"})
    assert (twin.status, twin.data()["id"], twin.data()["code"]) == (
        400,
        [module["id"]],
        ["MODULE_NAME_ALREADY_EXISTS"],
    )
    assert ask(office, "PATCH", path, {"name": "Reporting"}).data() == {
        "error": ["Module with this name already exists"]
    }
    assert ask(office, "DELETE", path).status == 204 and ask(office, "GET", path).status == 404


def test_items_of_modules(office: Store) -> None:
    audit = ask(office, "POST", MODULES, {"name": "Audit"}).data()["id"]
    answer = ask(office, "POST", f"{MODULES}{audit}/module-issues/", {"issues": [FIRST]})
    assert (answer.status, [one["issue"] for one in answer.data()]) == (200, [FIRST])
    assert ask(office, "POST", f"{MODULES}{audit}/module-issues/", {"issues": [FIRST]}).data() == answer.data()
    assert [get_module(office, "gus", PROJECT, one)["total_issues"] for one in (REPORTING, audit)] == [2, 1]
    listed = ask(office, "GET", f"{MODULES}{REPORTING}/module-issues/").data()["results"]
    assert [one["id"] for one in listed] == [FIRST, SECOND]
    place = f"{MODULES}{REPORTING}/module-issues/{FIRST}/"
    assert ask(office, "GET", place).status == 405
    assert ask(office, "DELETE", place).status == 204 and ask(office, "DELETE", place).status == 404
    ask(office, "DELETE", f"{MODULES}{audit}/")
    told = [(one["verb"], one["old_value"], one["new_value"]) for one in list_activities(office, "ada", PROJECT, FIRST)]
    assert told[1:] == [("created", "", "Audit"), ("deleted", "Reporting", ""), ("deleted", "Audit", "")]


def test_projects_without_cycles_and_modules(office: Store) -> None:
    ask(office, "PATCH", f"projects/{PROJECT}/", {"cycle_view": False, "module_view": False})
    for where, data, what in ((CYCLES, APRIL, "Cycles"), (MODULES, {"name": "x"}, "Modules")):
        refused = ask(office, "POST", where, data)
        wrong = {"non_field_errors": [f"{what} are not enabled for this project"]}
        assert (refused.status, refused.data()) == (400, wrong)


def test_cycles_and_modules_from_another_system(office: Store) -> None:
    outside = {"external_id": "1", "external_source": "x"}
    for where, data, what in ((CYCLES, APRIL, "Cycle"), (MODULES, {"name": "m"}, "Module")):
        first = ask(office, "POST", where, data | outside).data()
        twin = ask(office, "POST", where, data | outside | {"name": "other"})
        wrong = f"{what} with the same external id and external source already exists"
        assert (twin.status, twin.data()) == (409, {"error": wrong, "id": first["id"]})
