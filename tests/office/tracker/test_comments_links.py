"""Comments on work items and links from them."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker.activities import list_activities
from teller_gym.office.tracker.comments import comment, list_comments
from tests.office.tracker.world import ask, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
ITEM = id_of(BASE, "items", "Quarterly metrics")
OTHER = id_of(BASE, "items", "Call the Martins")
NOBODY = "00000000-0000-4000-8000-000000000000"
LOST = {"error": "The requested resource does not exist."}


def path(what: str, item: str = ITEM) -> str:
    return f"projects/{PROJECT}/work-items/{item}/{what}/"


@pytest.fixture
def office() -> Store:
    return store()


def test_a_comment(office: Store) -> None:
    item = office.get("tracker.items", ITEM)
    answer = ask(office, "POST", path("comments"), {"comment_html": "<p>All <b>done</b></p>"}, user="gus")
    made = answer.data()
    gus = id_of(office, "users", "gus")
    assert answer.status == 201
    assert made == {
        "id": made["id"],
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": gus,
        "updated_by": gus,
        "project": PROJECT,
        "workspace": made["workspace"],
        "is_member": True,
        "comment_html": "<p>All <b>done</b></p>",
        "comment_stripped": "All done",
        "attachments": [],
        "access": "INTERNAL",
        "external_source": None,
        "external_id": None,
        "edited_at": None,
        "issue": ITEM,
        "actor": gus,
        "parent": None,
    }
    assert [one["comment_stripped"] for one in list_comments(office, "ada", PROJECT, ITEM)] == [
        "All done",
        "Nearly there",
    ]
    one = f"{path('comments')}{made['id']}/"
    assert ask(office, "GET", one).data() == made
    assert ask(office, "GET", f"{path('comments', OTHER)}{made['id']}/").status == 404
    changed = ask(office, "PATCH", one, {"comment_html": "<i>Soon</i>", "access": "EXTERNAL"}).data()
    assert (changed["comment_stripped"], changed["access"], changed["actor"]) == ("Soon", "EXTERNAL", gus)
    assert ask(office, "DELETE", one).status == 204 and ask(office, "GET", one).status == 404
    assert office.get("tracker.items", ITEM) is item and len(list_activities(office, "ada", PROJECT, ITEM)) == 1


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"comment_html": None}, {"comment_html": ["This field may not be null."]}),
        ({"comment_html": {}}, {"comment_html": ["Not a valid string."]}),
        ({"access": "SECRET"}, {"access": ['"SECRET" is not a valid choice.']}),
    ],
)
def test_comments_that_cannot_be(office: Store, data: Any, wrong: Any) -> None:
    existing = next(key for key, _ in office.rows("tracker.comments"))
    for method, where in (("POST", path("comments")), ("PATCH", f"{path('comments')}{existing}/")):
        answer = ask(office, method, where, data)
        assert (answer.status, answer.data()) == (400, wrong)
    assert office.diff() == []


def test_comments_from_another_system(office: Store) -> None:
    outside = {"comment_html": "x", "external_id": "1", "external_source": "mail"}
    first = comment(office, "ada", PROJECT, ITEM, outside)
    twin = ask(office, "POST", path("comments", OTHER), outside)
    wrong = "Work item comment with the same external id and external source already exists"
    assert (twin.status, twin.data()) == (409, {"error": wrong, "id": first["id"]})


def test_nothing_is_below_an_item_that_does_not_exist(office: Store) -> None:
    for what, data in (("comments", {"comment_html": "x"}), ("links", {"url": "https://example.org"})):
        for method, sent in (("GET", None), ("POST", data)):
            answer = ask(office, method, path(what, NOBODY), sent)
            assert (answer.status, answer.data()) == (404, LOST)
    assert ask(office, "GET", path("activities", NOBODY)).status == 404
    assert office.diff() == []


def test_a_link(office: Store) -> None:
    answer = ask(office, "POST", path("links"), {"url": "https://example.org/a?b=c#d", "title": "Figures"})
    made = answer.data()
    assert answer.status == 201
    assert made | {"id": "", "workspace": "", "created_by": "", "updated_by": ""} == {
        "id": "",
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "created_by": "",
        "updated_by": "",
        "project": PROJECT,
        "workspace": "",
        "title": "Figures",
        "url": "https://example.org/a?b=c#d",
        "metadata": {},
        "issue": ITEM,
    }
    one = f"{path('links')}{made['id']}/"
    assert ask(office, "GET", path("links")).data()["results"] == [ask(office, "GET", one).data()] == [made]
    twin = ask(office, "POST", path("links"), {"url": made["url"]})
    assert (twin.status, twin.data()) == (400, {"error": "URL already exists for this Issue"})
    assert ask(office, "POST", path("links", OTHER), {"url": made["url"]}).status == 201
    assert ask(office, "PATCH", one, {"url": "http://example.org:8080", "title": None}).data()["title"] is None
    assert ask(office, "DELETE", one).status == 204 and ask(office, "GET", one).status == 404
    told = [(one["verb"], one["old_value"], one["new_value"]) for one in list_activities(office, "ada", PROJECT, ITEM)]
    assert told[1:] == [
        ("created", None, "https://example.org/a?b=c#d"),
        ("updated", "https://example.org/a?b=c#d", "http://example.org:8080"),
        ("deleted", "http://example.org:8080", ""),
    ]


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org", "https://", "https://a b", "javascript:alert(1)"])
def test_links_that_lead_nowhere(office: Store, url: str) -> None:
    answer = ask(office, "POST", path("links"), {"url": url})
    assert (answer.status, answer.data()) == (400, {"url": ["Invalid URL format."]}) and office.diff() == []


def test_a_link_needs_an_address(office: Store) -> None:
    assert ask(office, "POST", path("links"), {"title": "x"}).data() == {"url": ["This field is required."]}
