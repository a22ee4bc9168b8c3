"""The activities of an item are its whole history."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.tracker.activities import list_activities
from teller_gym.office.tracker.items import update_item
from tests.office.tracker.world import FIRST, ITEMS, PROJECT, STATES, USERS, ask, store

CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["Quarterly metrics", "Metrics", "Figures"]),
        "description_html": st.sampled_from(["<p>a</p>", "<p>b</p>"]),
        "state": st.sampled_from(list(STATES.values())),
        "priority": st.sampled_from(["high", "low", "none"]),
        "start_date": st.sampled_from([None, "2026-01-05", "2026-02-20"]),
        "target_date": st.sampled_from([None, "2026-03-05", "2026-04-05"]),
        "assignees": st.lists(st.sampled_from([USERS["ada"], USERS["ben"]]), unique=True),
    },
)


def shown(value: Any) -> str:
    return "" if value is None else str(value)


@settings(max_examples=25)
@given(st.lists(CHANGES, max_size=5))
def test_the_activities_rebuild_the_item(changes: list[dict[str, Any]]) -> None:
    office = store()
    rebuilt = dict(office.get("tracker.items", FIRST) or {})
    for data in changes:
        update_item(office, "ben", PROJECT, FIRST, data)
    for activity in list_activities(office, "ada", PROJECT, FIRST)[1:]:
        field = "description_html" if activity["field"] == "description" else activity["field"]
        assert (activity["verb"], activity["actor"]) == ("updated", USERS["ben"])
        if field == "assignees":
            old, new = activity["old_identifier"], activity["new_identifier"]
            assert (old in rebuilt[field]) if new is None else (new not in rebuilt[field])
            rebuilt[field] = [one for one in rebuilt[field] if one != old] + ([] if new is None else [new])
        elif field == "state":
            assert activity["old_identifier"] == rebuilt[field]
            rebuilt[field] = activity["new_identifier"]
        else:
            assert activity["old_value"] == shown(rebuilt[field]) != activity["new_value"]
            rebuilt[field] = activity["new_value"]
    after = office.get("tracker.items", FIRST)
    assert after is not None and sorted(rebuilt["assignees"]) == sorted(after["assignees"])
    for field in ("state", "name", "description_html", "priority", "start_date", "target_date"):
        assert shown(rebuilt[field]) == shown(after[field])


def test_one_activity_in_full() -> None:
    office = store()
    update_item(office, "ben", PROJECT, FIRST, {"state": STATES["Done"]})
    path = f"{ITEMS}{FIRST}/activities/"
    listed = ask(office, "GET", path).data()["results"]
    assert [one["comment"] for one in listed] == ["created the issue", "updated the state to"]
    last = listed[-1]
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
        "old_identifier": STATES["In Progress"],
        "new_identifier": STATES["Done"],
        "epoch": 1772442001,
        "issue": FIRST,
        "issue_comment": None,
        "actor": USERS["ben"],
    }


def test_people_are_named_in_words() -> None:
    office = store()
    update_item(office, "ada", PROJECT, FIRST, {"assignees": [USERS["ada"]], "start_date": "2026-03-01"})
    found = list_activities(office, "ada", PROJECT, FIRST)[1:]
    assert [(one["field"], one["old_value"], one["new_value"], one["comment"]) for one in found] == [
        ("start_date", "", "2026-03-01", "updated the start date to"),
        ("assignees", "", "ada", "added assignee"),
        ("assignees", "ben", "", "removed assignee"),
    ]
