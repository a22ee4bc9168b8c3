"""Roles: what each level lets a person see and do."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from teller_gym.office.crm import access
from teller_gym.office.crm.attachments import download, upload
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create, delete, get, update
from teller_gym.office.crm.schema import schema
from teller_gym.office.crm.search import search
from teller_gym.office.crm.seeding import CrmDescription, tables
from teller_gym.office.store import Store
from tests.office.crm.world import DESCRIPTION, NOW, PEOPLE, SEED, office, rid


def status(call: Any, *args: Any) -> int:
    try:
        call(*args)
    except CrmError as error:
        return error.status
    return 200


@pytest.mark.parametrize(
    ("user", "key", "reads", "edits", "deletes"),
    [
        ("ada", "cyd", 200, 200, 200),
        ("ben", "cyd", 200, 200, 200),
        ("cleo", "ann", 200, 403, 403),  # of her team
        ("cleo", "bob", 200, 200, 403),  # her own
        ("cleo", "cyd", 403, 403, 403),  # neither
        ("dan", "ann", 200, 403, 403),  # may read all
    ],
)
def test_levels_of_a_record(user: str, key: str, reads: int, edits: int, deletes: int) -> None:
    store, contact = office(), rid("Contact", key)
    assert status(get, store, user, "Contact", contact) == reads
    assert status(update, store, user, "Contact", contact, {"title": "x"}) == edits
    assert status(delete, store, user, "Contact", contact) == deletes


def test_lists_show_what_one_may_read() -> None:
    store = office()
    for user, wanted in (("ada", 3), ("ben", 3), ("cleo", 2), ("dan", 3)):
        found = search(store, user, "Contact")
        assert found["total"] == len(found["list"]) == wanted
    assert [one["name"] for one in search(store, "cleo", "Meeting")["list"]] == ["Review"]
    assert status(search, store, "dan", "Account") == status(search, store, "cleo", "Opportunity") == 403
    assert status(get, store, "cleo", "Opportunity", rid("Opportunity", "pension")) == 403


def test_an_attendee_sees_a_meeting_and_does_not_change_it() -> None:
    store, review = office(), rid("Meeting", "review")
    assert status(get, store, "cleo", "Meeting", review) == 200
    assert status(update, store, "cleo", "Meeting", review, {"name": "x"}) == 403
    assert status(get, store, "cleo", "Meeting", rid("Meeting", "off")) == 403


def test_a_collaborator_sees_a_case() -> None:
    crm = msgspec.convert({**DESCRIPTION, "roles": {
        "assistant": {"Case": {"read": "own", "edit": "own"}}, "trainee": {}}}, CrmDescription)  # fmt: skip
    store = Store({"people": PEOPLE, **tables(crm, PEOPLE.values(), NOW, SEED)}, NOW, SEED)
    letter = rid("Case", "letter")
    assert status(get, store, "cleo", "Case", letter) == 403
    update(store, "ada", "Case", letter, {"collaboratorsIds": [rid("User", "cleo")]})
    assert status(get, store, "cleo", "Case", letter) == 200
    assert status(update, store, "cleo", "Case", letter, {"priority": "Low"}) == 403
    assert search(store, "cleo", "Case", {"boolFilterList": ["shared"]})["total"] == 1


def test_creating_is_allowed_or_not() -> None:
    store = office()
    assert status(create, store, "cleo", "Contact", {"lastName": "Roe"}) == 200
    assert status(create, store, "dan", "Contact", {"lastName": "Moe"}) == 403
    assert status(create, store, "ben", "Team", {"name": "x"}) == 403
    assert status(create, store, "ada", "Team", {"name": "x"}) == 200
    assert status(update, store, "ben", "User", rid("User", "ben"), {"title": "x"}) == 403


def test_duplicates_are_those_one_may_read() -> None:
    store = office()
    assert status(create, store, "ben", "Contact", {"lastName": "Young"}) == 409
    assert status(create, store, "cleo", "Contact", {"lastName": "Young"}) == 200


def test_the_table_of_levels() -> None:
    store = office()
    table = access.table(access.actor(store, "cleo"), schema(store))
    assert table["Contact"] == {"create": "yes", "read": "team", "edit": "own", "delete": "no", "stream": "team"}
    assert set(table["Opportunity"].values()) == {"no"}
    assert table["Account"] == {"create": "yes", "read": "all", "edit": "all", "delete": "all", "stream": "all"}
    assert table["User"]["edit"] == "no"
    assert access.table(access.actor(store, "ada"), schema(store))["User"]["edit"] == "all"


def test_files_are_ones_own_or_in_a_document() -> None:
    store = office()
    assert download(store, "ben", rid("Attachment", "deed")) == ("deed.txt", "text/plain", b"deed of trust\n")
    values = {"name": "a.csv", "type": "text/csv", "relatedType": "Document", "field": "file", "role": "Attachment"}
    made = upload(store, "ben", {**values, "file": "data:text/csv;base64,YSxiCg=="})
    assert made["size"] == 4 and download(store, "ben", made["id"])[2] == b"a,b\n"
    assert status(download, store, "cleo", made["id"]) == status(get, store, "cleo", "Attachment", made["id"]) == 403
    assert status(create, store, "cleo", "Document", {"name": "x", "fileId": made["id"]}) == 403
    document = create(store, "ben", "Document", {"name": "x", "fileId": made["id"]})
    assert document["fileName"] == "a.csv" and document["publishDate"] == "2026-03-02"
    assert download(store, "cleo", made["id"])[2] == b"a,b\n"
    assert status(update, store, "ada", "Attachment", made["id"], {"name": "b.csv"}) == 403
    assert status(download, store, "ben", "nothing") == 404


@pytest.mark.parametrize(
    ("file", "code"),
    [(None, 400), ("a,b", 400), ("data:text/csv;base64,%%%", 400), ("data:text/csv;base64,YQ", 400), (5, 400)],
)
def test_a_file_is_a_data_url(file: Any, code: int) -> None:
    store = office()
    assert status(upload, store, "ben", {"name": "a.csv", "file": file}) == code and not list(store.written())


def test_files_are_bounded() -> None:
    import base64

    store = office()
    big = "data:;base64," + base64.b64encode(bytes(4 * 1024 * 1024 + 1)).decode()
    assert status(upload, store, "ben", {"name": "big", "file": big}) == 403
    assert status(upload, store, "ben", {"file": "data:;base64,YQ=="}) == 400
