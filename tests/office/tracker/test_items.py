"""Work items, comments and activities behave as in Plane; invalid requests write nothing."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.office.store import Store
from teller_gym.office.tracker.activities import list_activities
from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.tracker.fields import MAX_TEXT
from teller_gym.office.tracker.items import create_item, get_item, get_item_by_key, update_item
from tests.office.tracker.world import BASE, CASES, FIRST, ITEMS, NOBODY, PROJECT, STATES, USERS, ask, id_of, store

NO_STATE = {"non_field_errors": ["State is not valid please pass a valid state_id"]}
OTHER_STATE = next(
    key for key, one in BASE.rows("tracker.states") if one["project"] != PROJECT and one["name"] == "Done"
)


@pytest.fixture
def office() -> Store:
    return store()


def test_a_new_item(office: Store) -> None:
    answer = ask(office, "POST", ITEMS, {"name": "  Pay the fee ", "id": NOBODY, "junk": 1})
    item, ada = answer.data(), USERS["ada"]
    assert answer.status == 201
    assert item == {
        **CASES["new item"],
        "id": item["id"],
        "created_by": ada,
        "updated_by": ada,
        "project": PROJECT,
        "workspace": BASE.get("tracker.workspace", "workspace")["id"],  # type: ignore[index]
        "state": STATES["Backlog"],
    }
    assert item["id"] not in (NOBODY, FIRST) and get_item(office, "ben", PROJECT, item["id"]) == item
    assert {change.table for change in office.diff()} == {"tracker.items", "tracker.activities"}


@pytest.mark.parametrize(
    ("data", "wrong"),
    [
        *CASES["wrong fields"],
        ({"name": "x" * 256}, {"name": ["Ensure this field has no more than 255 characters."]}),
        ({"name": "a\0b"}, {"name": ["Null characters are not allowed."]}),
        ({"priority": "x" * 200}, {"priority": [f'"{"x" * 100}..." is not a valid choice.']}),
        ({"state": OTHER_STATE}, NO_STATE),
        ({"state": id_of(BASE, "states", "Triage")}, NO_STATE),
        ({"assignees": ["x"] * 101}, {"assignees": ["Ensure this field has no more than 100 elements."]}),
        (
            {"description_html": "x" * (MAX_TEXT + 1)},
            {"description_html": [f"Ensure this field has no more than {MAX_TEXT} characters."]},
        ),
    ],
)
def test_wrong_fields_are_named_and_nothing_is_written(
    office: Store, data: dict[str, Any], wrong: dict[str, Any]
) -> None:
    for method, path, sent in (("POST", ITEMS, {"name": "x"} | data), ("PATCH", f"{ITEMS}{FIRST}/", data)):
        answer = ask(office, method, path, sent)
        assert (answer.status, answer.data()) == (400, wrong)
    assert office.diff() == [] and office.clock() == office.now


def test_dates_are_compared_with_those_there_are(office: Store) -> None:
    update_item(office, "ada", PROJECT, FIRST, {"start_date": "2026-02-20"})
    with pytest.raises(TrackerError, match="Start date cannot exceed target date"):
        update_item(office, "ada", PROJECT, FIRST, {"target_date": "2026-02-19"})
    after = update_item(office, "ada", PROJECT, FIRST, {"target_date": "2026-02-19", "start_date": None})
    assert (after["start_date"], after["target_date"]) == (None, "2026-02-19")


def test_people_of_other_projects_are_left_out_and_ids_are_taken_in_any_spelling(office: Store) -> None:
    wanted = [USERS["eve"], USERS["ben"], USERS["ada"], USERS["ben"]]
    item = create_item(office, "ada", PROJECT, {"name": "x", "assignees": wanted})
    assert item["assignees"] == [USERS["ben"], USERS["ada"]]
    assert update_item(office, "ada", PROJECT, item["id"], {"assignees": []})["assignees"] == []
    for spelling in (STATES["Done"].upper(), STATES["Done"].replace("-", "")):
        assert update_item(office, "ada", PROJECT, FIRST, {"state": spelling})["state"] == STATES["Done"]


def test_completed_at_follows_the_groups_of_states(office: Store) -> None:
    def moved(data: dict[str, Any]) -> Any:
        return update_item(office, "ben", PROJECT, FIRST, data)["completed_at"]

    assert moved({"state": STATES["Cancelled"]}) is None
    assert moved({"state": STATES["Done"]}) == "2026-03-02T09:00:02Z"
    assert moved({"state": STATES["Done"], "name": "x"}) == "2026-03-02T09:00:02Z"
    assert moved({"completed_at": None, "priority": "low"}) == "2026-03-02T09:00:02Z"
    assert moved({"state": None}) is None
    assert get_item(office, "ben", PROJECT, FIRST)["state"] == STATES["Backlog"]
    made = create_item(office, "ben", PROJECT, {"name": "x", "state": STATES["Done"]})
    assert made["completed_at"] == made["created_at"]
    assert [create_item(office, "ben", PROJECT, {"name": "x"})["sequence_id"] for _ in range(3)] == [6, 7, 8]


def test_keys_of_items(office: Store) -> None:
    assert get_item_by_key(office, "ben", "WM-3")["name"] == "File the deeds"
    for key, status in (("WM-9", 404), ("WM-x", 404), ("WM-", 404), ("NO-1", 403), ("wm-3", 403), ("OPEN-1", 403)):
        with pytest.raises(TrackerError) as refused:
            get_item_by_key(office, "ben", key)
        assert refused.value.status == status, key
    assert ask(office, "GET", "work-items/WM-3/").data()["sequence_id"] == 3


def test_errors_for_tools_are_one_line(office: Store) -> None:
    with pytest.raises(TrackerError) as refused:
        create_item(office, "ada", PROJECT, {"priority": "asap"})
    assert refused.value.code == "invalid"
    assert refused.value.message == 'name: This field is required. priority: "asap" is not a valid choice.'


def test_a_comment_leaves_its_item_alone(office: Store) -> None:
    item = office.get("tracker.items", FIRST)
    comments, ada = f"{ITEMS}{FIRST}/comments/", USERS["ada"]
    ask(office, "POST", comments, {"comment_html": "<p>Nearly there</p>"}, user="ben")
    answer = ask(office, "POST", comments, {"comment_html": "<p>All <b>done</b></p>", "access": "EXTERNAL"})
    made = answer.data()
    assert answer.status == 201
    assert made == {
        **CASES["comment"],
        "id": made["id"],
        "created_by": ada,
        "updated_by": ada,
        "project": PROJECT,
        "workspace": made["workspace"],
        "issue": FIRST,
        "actor": ada,
    }
    listed = ask(office, "GET", comments, user="ben").data()["results"]
    assert [one["comment_stripped"] for one in listed] == ["All done", "Nearly there"] and listed[0] == made
    assert office.get("tracker.items", FIRST) is item
    before = office.snapshot()
    for data, wrong in (
        ({"comment_html": None}, {"comment_html": ["This field may not be null."]}),
        ({"comment_html": {}}, {"comment_html": ["Not a valid string."]}),
        ({"access": "SECRET"}, {"access": ['"SECRET" is not a valid choice.']}),
    ):
        refused = ask(office, "POST", comments, data)
        assert (refused.status, refused.data()) == (400, wrong) and office.snapshot() == before


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
    update_item(office, "ada", PROJECT, FIRST, {"assignees": [USERS["ada"]], "start_date": "2026-03-01"})
    path = f"{ITEMS}{FIRST}/activities/"
    listed = ask(office, "GET", path).data()["results"]
    assert [(one["field"], one["old_value"], one["new_value"], one["comment"]) for one in listed] == [
        (None, None, None, "created the issue"),
        ("state", "In Progress", "Done", "updated the state to"),
        ("start_date", "", "2026-03-01", "updated the start date to"),
        ("assignees", "", "ada", "added assignee"),
        ("assignees", "ben", "", "removed assignee"),
    ]
    last = listed[1]
    assert last == {
        **CASES["activity"],
        "id": last["id"],
        "project": PROJECT,
        "workspace": last["workspace"],
        "old_identifier": STATES["In Progress"],
        "new_identifier": STATES["Done"],
        "issue": FIRST,
        "actor": USERS["ben"],
    }
