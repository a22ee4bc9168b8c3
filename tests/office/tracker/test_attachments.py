"""Files of work items, in Plane's three steps: announce, upload to a signed address, confirm."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest

from teller_gym.office.store import Store
from teller_gym.office.tracker import attachments
from teller_gym.office.tracker.api import Tracker
from teller_gym.office.tracker.errors import TrackerError
from teller_gym.office.web import Request, Response
from tests.office.multipart import MULTIPART, multipart
from tests.office.tracker.world import FIRST, ITEMS, PROJECT, ask, store


@pytest.fixture
def office() -> Store:
    return store()


PLACE = f"{ITEMS}{FIRST}/attachments/"


def announce(office: Store, size: int = 4, user: str = "ada", **more: Any) -> Any:
    return ask(office, "POST", PLACE, {"name": "a.csv", "type": "text/csv", "size": size, **more}, user)


def receive(office: Store, fields: dict[str, str], content: bytes = b"a,b\n") -> Response:
    request = Request("POST", "/uploads/", "", {"content-type": MULTIPART}, multipart(fields, content))
    return Tracker().handle(office, request)


def fetch(office: Store, address: str) -> Response:
    parts = urlsplit(address)
    return Tracker().handle(office, Request("GET", parts.path, parts.query))


def uploaded(office: Store, content: bytes = b"a,b\n", user: str = "ada") -> str:
    told = announce(office, len(content), user).data()
    assert receive(office, told["upload_data"]["fields"], content).status == 204
    assert ask(office, "PATCH", f"{PLACE}{told['asset_id']}/", {"is_uploaded": True}, user).status == 204
    return str(told["asset_id"])


def test_the_three_steps(office: Store) -> None:
    told = announce(office)
    assert told.status == 200 and told.data()["upload_data"]["url"] == "http://localhost/uploads/"
    key, fields = told.data()["asset_id"], told.data()["upload_data"]["fields"]
    one = f"{PLACE}{key}/"
    assert ask(office, "GET", PLACE).data() == [] and ask(office, "GET", one).status == 400
    assert ask(office, "PATCH", one, {"is_uploaded": True}).status == 400, "nothing was brought yet"
    assert receive(office, fields).status == 204
    assert ask(office, "PATCH", one, {"is_uploaded": True}).status == 204
    assert receive(office, fields, b"else").status == 403, "what is confirmed stays"
    listed = ask(office, "GET", PLACE).data()
    assert [(row["id"], row["attributes"]["name"], row["size"], "content" in row) for row in listed] == [
        (key, "a.csv", 4, False)
    ]
    moved = ask(office, "GET", one)
    assert moved.status == 302
    found = fetch(office, moved.header("Location") or "")
    assert (found.status, found.body, found.header("Content-Type")) == (200, b"a,b\n", "text/csv")
    activities = ask(office, "GET", PLACE.replace("attachments", "activities")).data()["results"]
    assert activities[-1]["comment"] == "created an attachment" and activities[-1]["new_identifier"] == key


def test_only_signed_addresses_work(office: Store) -> None:
    told = announce(office).data()
    fields = told["upload_data"]["fields"]
    assert receive(office, {**fields, "signature": "0" * 64}).status == 403
    other = announce(office).data()["upload_data"]["fields"]
    assert receive(office, {**fields, "asset": other["asset"]}).status == 403
    assert receive(office, {}).status == 403
    key = uploaded(office)
    for address in (f"/uploads/{key}/", f"/uploads/{key}/?signature=1", f"/uploads/{key}/?signature=é"):
        assert fetch(office, address).status == 403
    assert fetch(office, "/uploads/nothing/").status == 404
    assert Tracker().handle(office, Request("PUT", f"/uploads/{key}/")).status == 405
    assert (
        Tracker().handle(office, Request("POST", "/uploads/", "", {"content-type": "text/plain"}, b"x")).status == 400
    )


def test_sizes_are_bounded(office: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert announce(office, attachments.MAX_FILE + 1).status == 400
    assert receive(office, announce(office, 3).data()["upload_data"]["fields"]).status == 400, "more than announced"
    monkeypatch.setattr(attachments, "MAX_KEPT", 20)
    assert announce(office, 10).status == 200
    assert "at most 20 bytes" in announce(office, 8).data()["error"]


@pytest.mark.parametrize("data", [{"name": "a"}, {"size": 1}, {"name": "", "size": 1}, {"name": "a", "size": "x"}])
def test_what_is_announced_must_make_sense(office: Store, data: dict[str, Any]) -> None:
    before = office.snapshot()
    assert ask(office, "POST", PLACE, data).status == 400 and office.snapshot() == before


def test_in_one_call(office: Store) -> None:
    found = attachments.attach(office, "ada", PROJECT, FIRST, "a/b.txt", "text/html\n", b"1")
    assert found["attributes"]["name"] == "a_b.txt" and found["content"] == b"1"
    moved = ask(office, "GET", f"{PLACE}{found['id']}/").header("Location") or ""
    assert fetch(office, moved).header("Content-Type") == "text/html"
    with pytest.raises(TrackerError):
        attachments.attach(office, "eve", PROJECT, FIRST, "a", "", b"")
