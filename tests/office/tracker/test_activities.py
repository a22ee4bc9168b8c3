"""What happens to an item is recorded so that its history can be told from its activities alone."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.tracker.activities import list_activities
from teller_gym.office.tracker.items import update_item
from tests.office.tracker.world import ask, id_of, store

BASE = store()
PROJECT = id_of(BASE, "projects", "WM")
ITEM = id_of(BASE, "items", "Quarterly metrics")
STATES = [id_of(BASE, "states", name) for name in ("Backlog", "In Progress", "Done")]
LABELS = [id_of(BASE, "labels", name) for name in ("client", "urgent letter")]
USERS = [id_of(BASE, "users", name) for name in ("ada", "ben")]
PARENTS = [id_of(BASE, "items", name) for name in ("Call the Martins", "Old rumours")]
PLAIN = {"description": "description_html"}
"""Fields of activities whose names differ from those of items."""

CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["Quarterly metrics", "Metrics", "Figures"]),
        "description_html": st.sampled_from(["<p>a</p>", "<p>b</p>"]),
        "state": st.sampled_from(STATES),
        "priority": st.sampled_from(["high", "low", "none"]),
        "start_date": st.sampled_from([None, "2026-01-05", "2026-02-20"]),
        "target_date": st.sampled_from([None, "2026-03-05", "2026-04-05"]),
        "point": st.sampled_from([None, 0, 3]),
        "labels": st.lists(st.sampled_from(LABELS), unique=True),
        "assignees": st.lists(st.sampled_from(USERS), unique=True),
        "parent": st.sampled_from([None, *PARENTS]),
    },
)


def shown(value: Any) -> str:
    return "" if value is None else str(value)


@settings(max_examples=40)
@given(st.lists(CHANGES, max_size=5))
def test_the_activities_alone_tell_what_an_item_became(changes: list[dict[str, Any]]) -> None:
    office = store()
    before = office.get("tracker.items", ITEM)
    assert before is not None
    for data in changes:
        update_item(office, "ben", PROJECT, ITEM, data)
    told = dict(before)
    for activity in list_activities(office, "gus", PROJECT, ITEM)[1:]:
        field = str(PLAIN.get(activity["field"], activity["field"]))
        assert (activity["verb"], activity["actor"]) == ("updated", USERS[1])
        if field in ("labels", "assignees"):
            old, new = activity["old_identifier"], activity["new_identifier"]
            assert (old in told[field]) if new is None else (new not in told[field])
            told[field] = [one for one in told[field] if one != old] + ([] if new is None else [new])
        elif field in ("state", "parent"):
            assert activity["old_identifier"] == told[field]
            told[field] = activity["new_identifier"]
        else:
            assert activity["old_value"] == shown(told[field]) != activity["new_value"]
            told[field] = activity["new_value"]
    after = office.get("tracker.items", ITEM)
    assert after is not None
    for field in ("labels", "assignees"):
        assert sorted(told[field]) == sorted(after[field])
    for field in ("state", "parent"):
        assert told[field] == after[field]
    for field in ("name", "description_html", "priority", "start_date", "target_date", "point"):
        assert shown(told[field]) == shown(after[field])


def test_one_activity_in_full() -> None:
    office = store()
    update_item(office, "ben", PROJECT, ITEM, {"state": STATES[2]})
    listed = ask(office, "GET", f"projects/{PROJECT}/work-items/{ITEM}/activities/").data()
    assert [one["comment"] for one in listed["results"]] == ["created the issue", "updated the state to"]
    last = listed["results"][-1]
    assert last == {
        "id": last["id"],
        "created_at": "2026-03-02T09:00:01Z",
        "updated_at": "2026-03-02T09:00:01Z",
        "deleted_at": None,
        "project": PROJECT,
        "workspace": last["workspace"],
        "verb": "updated",
        "field": "state",
        "old_value": "In Progress",
        "new_value": "Done",
        "comment": "updated the state to",
        "attachments": [],
        "old_identifier": STATES[1],
        "new_identifier": STATES[2],
        "epoch": 1772442001,
        "issue": ITEM,
        "issue_comment": None,
        "actor": USERS[1],
    }
    path = f"projects/{PROJECT}/work-items/{ITEM}/activities/"
    assert ask(office, "GET", f"{path}{last['id']}/").data() == last
    gone = ask(office, "GET", f"{path}{ITEM}/")
    assert (gone.status, gone.data()) == (404, {"message": "Activity not found.", "code": "NOT_FOUND"})
    assert ask(office, "GET", path, query="expand=actor").data()["results"][1]["actor"]["display_name"] == "ben"


def test_parents_and_people_are_named_in_words() -> None:
    office = store()
    update_item(office, "ada", PROJECT, ITEM, {"parent": PARENTS[0], "assignees": [USERS[0]], "labels": [LABELS[1]]})
    told = [(one["field"], one["old_value"], one["new_value"]) for one in list_activities(office, "ada", PROJECT, ITEM)]
    assert told[1:] == [
        ("parent", "", "WM-2"),
        ("labels", "", "urgent letter"),
        ("labels", "client", ""),
        ("assignees", "", "ada"),
        ("assignees", "ben", ""),
    ]
