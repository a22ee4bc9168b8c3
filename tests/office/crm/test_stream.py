"""Streams: posts, and notes of creations and changes."""

from typing import Any

import pytest

from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create, delete, get, post_note, update
from teller_gym.office.crm.search import search
from teller_gym.office.crm.stream import read_stream
from teller_gym.office.store import Store
from tests.office.crm.world import office, rid


def notes(store: Store, entity: str, key: str, user: str = "ada", **params: Any) -> list[dict[str, Any]]:
    found = read_stream(store, user, entity, key, params)
    assert found["pinnedList"] == []
    return list(found["list"])


def test_a_creation_is_noted() -> None:
    store = office()
    made = create(store, "ben", "Case", {"name": "x", "assignedUserId": rid("User", "cleo")})
    [note] = notes(store, "Case", made["id"])
    assert note["type"] == "Create" and note["createdByName"] == "Ben Okafor" and note["parentName"] == "x"
    assert note["createdAt"] == made["createdAt"] and note["number"] == 2
    assert note["data"] == {
        "assignedUserId": rid("User", "cleo"),
        "assignedUserName": "Cleo Marsh",
        "statusValue": "New",
        "statusField": "status",
    }


def test_changes_of_audited_fields_and_of_the_status_are_noted() -> None:
    store, letter = office(), rid("Case", "letter")
    update(store, "ben", "Case", letter, {"description": "not audited"})
    assert notes(store, "Case", letter) == []
    update(store, "ben", "Case", letter, {"priority": "Low", "status": "Pending", "name": "Lost letter"})
    [note] = notes(store, "Case", letter)
    assert note["type"] == "Update" and note["data"] == {
        "fields": ["priority"],
        "attributes": {"was": {"priority": "High"}, "became": {"priority": "Low"}},
        "value": "Pending",
    }
    update(store, "ben", "Case", letter, {"assignedUserId": rid("User", "cleo")})
    [note, _] = notes(store, "Case", letter)
    assert note["type"] == "Assign" and note["data"]["assignedUserName"] == "Cleo Marsh"
    update(store, "ben", "Case", letter, {"assignedUserId": None})
    assert notes(store, "Case", letter)[0]["data"] == {"assignedUserId": None, "assignedUserName": None}


def test_custom_fields_are_audited() -> None:
    store, ann = office(), rid("Contact", "ann")
    update(store, "ben", "Contact", ann, {"riskProfile": "Growth"})
    assert notes(store, "Contact", ann)[0]["data"]["fields"] == ["riskProfile"]
    update(store, "ben", "Contact", ann, {"description": "not audited"})
    assert len(notes(store, "Contact", ann)) == 2


def test_what_belongs_to_a_record_is_noted_in_its_stream() -> None:
    store, acme, ann = office(), rid("Account", "acme"), rid("Contact", "ann")
    values: dict[str, Any] = {"name": "Lunch", "dateStart": "2026-03-05 12:00", "dateEnd": "2026-03-05 13:00"}
    values |= {"assignedUserId": rid("User", "ben"), "parentType": "Account", "parentId": acme, "contactsIds": [ann]}
    made = create(store, "ben", "Meeting", values)
    for entity, key in (("Account", acme), ("Contact", ann)):
        note = notes(store, entity, key)[0]
        assert (note["type"], note["relatedType"], note["relatedId"]) == ("CreateRelated", "Meeting", made["id"])
        assert note["relatedName"] == "Lunch"
    delete(store, "ben", "Meeting", made["id"])
    assert notes(store, "Account", acme)[0]["relatedName"] is None, "the note outlives the meeting"


def test_posts_are_read_newest_first() -> None:
    store, ann = office(), rid("Contact", "ann")
    post = post_note(store, "cleo", "Contact", ann, "Called her, no answer.")
    assert post["type"] == "Post" and post["data"] == {} and post["createdByName"] == "Cleo Marsh"
    update(store, "ben", "Contact", ann, {"riskProfile": ""})
    assert [one["type"] for one in notes(store, "Contact", ann)] == ["Update", "Post", "Post"]
    assert [one["post"] for one in notes(store, "Contact", ann, maxSize=1, offset=2)] == ["Welcome"]
    assert search(store, "ben", "Note", {"textFilter": "Called"})["total"] == 1


def test_posts_are_their_authors() -> None:
    store, ann = office(), rid("Contact", "ann")
    post = post_note(store, "ben", "Contact", ann, "One")
    assert (
        update(store, "ben", "Note", post["id"], {"post": "Two", "parentId": None, "type": "Update"})["post"] == "Two"
    )
    for user, act in (("cleo", update), ("cleo", delete)):
        with pytest.raises(CrmError) as caught:
            act(store, user, "Note", post["id"], *([{"post": "x"}] if act is update else []))
        assert caught.value.status == 403
    assert delete(store, "ben", "Note", post["id"])
    update(store, "ben", "Contact", ann, {"riskProfile": "Growth"})
    told = notes(store, "Contact", ann)[0]
    for user in ("ben", "ada"):
        with pytest.raises(CrmError, match=r"Note is not editable|No 'edit' access") as caught:
            update(store, user, "Note", told["id"], {"post": "x"})
        assert caught.value.status == 403
    with pytest.raises(CrmError) as caught:
        delete(store, "ben", "Note", told["id"])
    assert caught.value.status == 403


def test_a_post_needs_a_record_that_one_may_see() -> None:
    store = office()
    for user, entity, key in (
        ("ben", "Contact", "0123456789abcdef0"),
        ("ben", "Kontakt", rid("Contact", "ann")),
        ("cleo", "User", rid("User", "ada")),
    ):
        with pytest.raises(CrmError, match="No access to parent") as caught:
            post_note(store, user, entity, key, "x")
        assert caught.value.status == 403
    with pytest.raises(CrmError, match="maxLength"):
        post_note(store, "ben", "Contact", rid("Contact", "ann"), "x" * 100_001)
    assert not list(store.written())


def test_a_stream_is_read_where_one_may() -> None:
    store = office()
    assert notes(store, "Contact", rid("Contact", "ann"), "cleo")[0]["post"] == "Welcome"
    for user, entity, key, status in (
        ("cleo", "User", rid("User", "ada"), 403),
        ("ben", "Contact", "nobody", 404),
        ("ben", "Kontakt", "nobody", 404),
    ):
        with pytest.raises(CrmError) as caught:
            read_stream(store, user, entity, key)
        assert caught.value.status == status
    hello = rid("Note", "hello")
    assert get(store, "cleo", "Note", hello)["parentName"] == "Ann Smith"
