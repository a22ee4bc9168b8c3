"""Creating, changing and deleting: checks, derived attributes, meetings, rights, and refusals that write nothing."""

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create, delete, get, update
from teller_gym.office.crm.search import search
from tests.office.crm.world import office, refused, rid


def test_a_created_record_is_found_and_a_deleted_one_is_gone() -> None:
    store = office()
    made = create(store, "ben", "Account", {"name": "Elm", "assignedUserId": rid("User", "cleo")})
    assert made["assignedUserName"] == "Cleo Marsh" and made["createdByName"] == "Ben Okafor"
    assert get(store, "ben", "Account", made["id"]) == made
    assert search(store, "ben", "Account")["list"][0]["name"] == "Elm"
    assert delete(store, "ben", "Account", made["id"]) is True
    for again in (get, delete):
        with pytest.raises(CrmError) as caught:
            again(store, "ben", "Account", made["id"])
        assert caught.value.status == 404
    with pytest.raises(CrmError) as caught:
        update(store, "ben", "Account", made["id"], {"name": "Oak"})
    assert caught.value.status == 404
    assert search(store, "ben", "Account")["total"] == 2
    assert all(get(store, "ada", "Account", rid("Account", key)) for key in ("acme", "birch"))


def test_links_to_deleted_records_lead_nowhere() -> None:
    store = office()
    delete(store, "ada", "Account", rid("Account", "acme"))
    ann = get(store, "ben", "Contact", rid("Contact", "ann"))
    assert (ann["accountId"], ann["accountName"]) == (rid("Account", "acme"), None)
    assert (ann["accountsIds"], ann["accountsNames"], ann["accountsColumns"]) == ([], {}, {})


def test_an_update_changes_what_is_given() -> None:
    store, ann = office(), rid("Contact", "ann")
    before = get(store, "ben", "Contact", ann)
    after = update(store, "ben", "Contact", ann, {"riskProfile": "Growth", "createdAt": "x", "name": "y"})
    changed = {key for key in before if before[key] != after[key]}
    assert changed == {"riskProfile", "modifiedAt", "modifiedById", "modifiedByName"}
    assert get(store, "ben", "Contact", ann) == after
    with pytest.raises(CrmError, match="type: required"):
        update(store, "ben", "Contact", ann, {"lastName": ""})
    with pytest.raises(CrmError, match="type: valid"):
        update(store, "ben", "Contact", ann, {"riskProfile": "Wild"})
    assert get(store, "ben", "Contact", ann) == after


@pytest.mark.parametrize(
    "values", [{"accountId": "0123456789abcdef0"}, {"accountsIds": ["0123456789abcdef0"]}, {"assignedUserId": "0"}]
)
def test_a_link_leads_to_a_record(values: dict[str, Any]) -> None:
    error = refused("Contact", {"lastName": "Roe", **values})
    assert error.status == 403 and "non-existing record" in error.message


@pytest.mark.parametrize(
    ("entity", "values", "found"),
    [
        ("Contact", {"firstName": "ANN", "lastName": "smith"}, ["Ann Smith"]),
        ("Contact", {"lastName": "Other", "emailAddress": "Ann@Acme.example"}, ["Ann Smith"]),
        ("Contact", {"lastName": "Young"}, ["Young"]),
        ("Account", {"name": "acme ltd"}, ["Acme Ltd"]),
        ("Account", {"name": "Other", "emailAddress": "info@acme.example"}, ["Acme Ltd"]),
        ("CBeneficiary", {"name": "Eve Smith", "share": 1, "contactId": rid("Contact", "bob")}, ["Eve Smith"]),
    ],
)
def test_a_suspected_duplicate_is_refused(entity: str, values: dict[str, Any], found: list[str]) -> None:
    error = refused(entity, values)
    assert (error.status, error.message) == (409, "duplicate") and [one["name"] for one in error.body] == found
    assert create(office(), "ben", entity, values, skip_duplicate_check=True)


def test_at_most_five_duplicates_are_shown() -> None:
    store = office()
    for _ in range(6):
        create(store, "ben", "Lead", {"firstName": "Al", "lastName": "Roe"}, skip_duplicate_check=True)
    with pytest.raises(CrmError) as caught:
        create(store, "ben", "Lead", {"firstName": "Al", "lastName": "Roe"})
    assert len(caught.value.body) == 5
    assert create(store, "ben", "Lead", {})["name"] is None


def test_primary_links_are_among_the_others() -> None:
    store, acme, birch = office(), rid("Account", "acme"), rid("Account", "birch")
    made = create(store, "ben", "Contact", {"lastName": "Roe", "accountsIds": [birch, acme, birch]})
    assert (made["accountId"], made["accountsIds"]) == (birch, [birch, acme])
    assert update(store, "ben", "Contact", made["id"], {"accountId": None})["accountsIds"] == [acme]
    assert update(store, "ben", "Contact", made["id"], {"accountId": birch})["accountsIds"] == [acme, birch]
    case = create(store, "ben", "Case", {"name": "x", "contactId": made["id"]})
    assert case["contactsIds"] == [made["id"]] and case["number"] == 2
    assert update(store, "ben", "Case", case["id"], {"contactId": None})["contactsIds"] == []


def test_a_task_is_late_done_and_of_its_parents_account() -> None:
    store, call = office(), rid("Task", "call")
    before = get(store, "ben", "Task", call)
    assert before["isOverdue"] and before["accountId"] == rid("Account", "acme")
    assert before["contactName"] == "Ann Smith" and before["parentName"] == "Ann Smith"
    done = update(store, "ben", "Task", call, {"status": "Completed"})
    assert not done["isOverdue"] and done["dateCompleted"] == "2026-03-02 09:00:01"
    assert update(store, "ben", "Task", call, {"status": "Started"})["dateCompleted"] is None
    assert update(store, "ben", "Task", call, {"parentId": None, "parentType": None})["accountId"] is None
    due = create(store, "ben", "Task", {"name": "x", "assignedUserId": rid("User", "ben"), "dateEndDate": "2026-03-05"})
    assert due["dateEnd"] == "2026-03-06 00:00:00" and due["dateEndDate"] == "2026-03-05"
    timed = update(store, "ben", "Task", due["id"], {"dateEnd": "2026-03-05 10:00"})
    assert (timed["dateEnd"], timed["dateEndDate"]) == ("2026-03-05 10:00:00", None)


def test_people_and_files_are_not_created_like_records() -> None:
    for entity, values in (("User", {"userName": "eve"}), ("Attachment", {"name": "x"})):
        with pytest.raises(CrmError) as caught:
            create(office(), "ada", entity, values)
        assert caught.value.status == 403
    with pytest.raises(CrmError) as caught:
        delete(office(), "ada", "User", rid("User", "ben"))
    assert caught.value.status == 403
    assert update(office(), "ada", "User", rid("User", "ben"), {"title": "Partner"})["title"] == "Partner"


def test_too_many_attributes_are_refused() -> None:
    assert refused("Account", {f"a{n}": 1 for n in range(501)}).status == 400


def test_time_moves_with_each_write_alone() -> None:
    store = office()
    get(store, "ben", "Contact", rid("Contact", "ann"))
    search(store, "ben", "Contact")
    assert store.clock() == store.now
    made = create(store, "ben", "Account", {"name": "Elm"})
    update(store, "ben", "Account", made["id"], {"name": "Oak"})
    assert str(store.clock()) == get(store, "ben", "Account", made["id"])["modifiedAt"] == "2026-03-02 09:00:02"
    other = office()
    assert create(other, "ben", "Account", {"name": "Elm"}) == made


BEN, CLEO, ADA = (rid("User", key) for key in ("ben", "cleo", "ada"))
REVIEW = rid("Meeting", "review")
PLAN: dict[str, Any] = {"name": "Plan", "dateStart": "2026-03-05 10:00:00", "dateEnd": "2026-03-05 11:30:00"}


def test_a_meeting_has_attendees_with_answers() -> None:
    store = office()
    made = create(store, "ben", "Meeting", {
        **PLAN, "assignedUserId": ADA, "usersIds": [BEN, CLEO], "contactsIds": [rid("Contact", "ann")],
    })  # fmt: skip
    assert made["duration"] == 5400 and made["status"] == "Planned" and made["isAllDay"] is False
    assert made["usersIds"] == [BEN, CLEO, ADA], "the assigned user attends"
    assert {key: row["status"] for key, row in made["usersColumns"].items()} == {
        BEN: "Accepted",
        CLEO: "None",
        ADA: "None",
    }, "whoever makes it and attends has accepted"
    assert made["acceptanceStatus"] == "Accepted"


def test_attendees_keep_their_answers_when_others_come_or_go() -> None:
    store = office()
    made = create(store, "ben", "Meeting", {**PLAN, "assignedUserId": BEN, "usersIds": [CLEO]})
    after = update(store, "ben", "Meeting", made["id"], {"usersIds": [ADA]})
    assert after["usersIds"] == [ADA, BEN], "the assigned user stays"
    assert {key: row["status"] for key, row in after["usersColumns"].items()} == {ADA: "None", BEN: "Accepted"}


def test_a_meeting_that_is_moved_keeps_its_length() -> None:
    store = office()
    moved = update(store, "ben", "Meeting", REVIEW, {"dateStart": "2026-03-03 09:30:00"})
    assert (moved["dateEnd"], moved["duration"]) == ("2026-03-03 10:30:00", 3600)
    longer = update(store, "ben", "Meeting", REVIEW, {"dateStart": "2026-03-03 09:00", "dateEnd": "2026-03-03 11:00"})
    assert (longer["dateStart"], longer["duration"]) == ("2026-03-03 09:00:00", 7200)
    same = update(store, "ben", "Meeting", REVIEW, {"dateStart": "2026-03-03T10:00:00+01:00"})
    assert (same["dateStart"], same["dateEnd"]) == ("2026-03-03 09:00:00", "2026-03-03 11:00:00")
    edge = update(store, "ben", "Meeting", REVIEW, {"dateStart": "9999-12-31 23:30:00"})
    assert edge["dateEnd"] == "2026-03-03 11:00:00", "a day that no calendar has is not moved to"


def test_whole_days() -> None:
    store = office()
    off = get(store, "ada", "Meeting", rid("Meeting", "off"))
    assert (off["isAllDay"], off["dateStart"], off["dateEnd"]) == (True, "2026-03-04 00:00:00", "2026-03-05 00:00:00")
    assert off["duration"] == 86_400
    moved = update(store, "ada", "Meeting", off["id"], {"dateStartDate": "2026-03-09"})
    assert (moved["dateEndDate"], moved["dateEnd"]) == ("2026-03-09", "2026-03-10 00:00:00")
    hours = update(store, "ada", "Meeting", off["id"], {"dateStart": "2026-03-09 10:00", "dateEnd": "2026-03-09 12:00"})
    assert (hours["isAllDay"], hours["dateStartDate"], hours["dateEndDate"]) == (False, None, None)
    days = update(store, "ada", "Meeting", off["id"], {"dateStartDate": "2026-03-10", "dateEndDate": "2026-03-11"})
    assert (days["isAllDay"], days["duration"]) == (True, 2 * 86_400)
    ended = update(store, "ada", "Meeting", off["id"], {"isAllDay": False})
    assert (ended["isAllDay"], ended["dateStartDate"], ended["dateStart"]) == (False, None, "2026-03-10 00:00:00")
    with pytest.raises(CrmError, match="field: dateEnd, type: valid"):
        update(store, "ada", "Meeting", off["id"], {"dateStartDate": "9999-12-31", "dateEndDate": "9999-12-31"})


def test_calls_have_attendees_too() -> None:
    store = office()
    made = create(store, "ben", "Call", {**PLAN, "assignedUserId": BEN, "usersIds": [CLEO]})
    assert made["direction"] == "Outbound" and made["usersIds"] == [CLEO, BEN] and made["duration"] == 5400


def status(call: Any, *args: Any) -> int:
    try:
        call(*args)
    except CrmError as error:
        return error.status
    return 200


def test_people_and_teams_are_changed_by_administrators() -> None:
    store = office()
    assert status(create, store, "ben", "Team", {"name": "x"}) == 403
    assert status(create, store, "ada", "Team", {"name": "x"}) == 200
    assert status(update, store, "ben", "User", rid("User", "ben"), {"title": "x"}) == 403
    assert status(update, store, "ada", "User", rid("User", "ben"), {"title": "x"}) == 200
    assert status(get, store, "eve", "User", rid("User", "ben")) == 401
