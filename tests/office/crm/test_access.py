"""Rights: people, teams, notes and files are not for all to change."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from teller_gym.office.crm.attachments import download, upload
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.crm.records import create, delete, get, update
from tests.office.crm.world import office, rid


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


def test_files_are_ones_own_or_in_a_document() -> None:
    store = office()
    values = {"name": "a.csv", "type": "text/csv", "relatedType": "Document", "field": "file", "role": "Attachment"}
    made = upload(store, "ben", {**values, "file": "data:text/csv;base64,YSxiCg=="})
    assert made["size"] == 4 and download(store, "ben", made["id"]) == ("a.csv", "text/csv", b"a,b\n")
    assert status(download, store, "cleo", made["id"]) == status(get, store, "cleo", "Attachment", made["id"]) == 403
    with pytest.raises(CrmError) as caught:
        create(store, "cleo", "Document", {"name": "x", "fileId": made["id"]})
    assert caught.value.status == 403 and "No foreign record access" in caught.value.message
    document = create(store, "ben", "Document", {"name": "x", "fileId": made["id"]})
    assert document["fileName"] == "a.csv" and document["publishDate"] == "2026-03-02"
    assert download(store, "cleo", made["id"])[2] == b"a,b\n"
    assert status(update, store, "ada", "Attachment", made["id"], {"name": "b.csv"}) == 403
    assert status(delete, store, "cleo", "Attachment", made["id"]) == 403
    assert status(download, store, "ben", "nothing") == 404


@pytest.mark.parametrize(
    ("values", "code"),
    [
        *(({"name": "a.csv", "file": one}, 400) for one in (None, "a,b", "data:text/csv;base64,%%%", 5)),
        ({"name": "a.csv", "file": "data:text/csv;base64,YQ"}, 400),
        ({"file": "data:;base64,YQ=="}, 400),
        ({"name": "big", "file": f"data:;base64,{b64encode(bytes(4 * 1024 * 1024 + 1)).decode()}"}, 403),
    ],
    ids=range(7),
)
def test_a_bad_file_is_refused(values: dict[str, Any], code: int) -> None:
    store = office()
    assert status(upload, store, "ben", values) == code and not list(store.written())
