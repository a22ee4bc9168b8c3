"""Comments on work items."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.tracker.activities import list_activities
from teller_gym.office.tracker.comments import list_comments
from tests.office.tracker.world import FIRST, ITEMS, PROJECT, USERS, ask, commented, store

COMMENTS = f"{ITEMS}{FIRST}/comments/"


def test_a_comment() -> None:
    office = store()
    item = office.get("tracker.items", FIRST)
    commented(office)
    answer = ask(office, "POST", COMMENTS, {"comment_html": "<p>All <b>done</b></p>", "access": "EXTERNAL"})
    made, ada = answer.data(), USERS["ada"]
    assert answer.status == 201
    assert made == {
        "id": made["id"],
        "created_at": "2026-03-02T09:00:02Z",
        "updated_at": "2026-03-02T09:00:02Z",
        "deleted_at": None,
        "created_by": ada,
        "updated_by": ada,
        "project": PROJECT,
        "workspace": made["workspace"],
        "is_member": True,
        "comment_html": "<p>All <b>done</b></p>",
        "comment_stripped": "All done",
        "attachments": [],
        "access": "EXTERNAL",
        "external_source": None,
        "external_id": None,
        "edited_at": None,
        "issue": FIRST,
        "actor": ada,
        "parent": None,
    }
    said = [one["comment_stripped"] for one in list_comments(office, "ben", PROJECT, FIRST)]
    assert said == ["All done", "Nearly there"] and ask(office, "GET", COMMENTS).data()["results"][0] == made
    assert office.get("tracker.items", FIRST) is item and len(list_activities(office, "ada", PROJECT, FIRST)) == 1


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        ({"comment_html": None}, {"comment_html": ["This field may not be null."]}),
        ({"comment_html": {}}, {"comment_html": ["Not a valid string."]}),
        ({"access": "SECRET"}, {"access": ['"SECRET" is not a valid choice.']}),
    ],
)
def test_comments_that_cannot_be(data: Any, wrong: Any) -> None:
    office = store()
    answer = ask(office, "POST", COMMENTS, data)
    assert (answer.status, answer.data()) == (400, wrong) and office.diff() == []
