"""Files in the chat: uploaded in one step or two, listed and read by users who may read the room, limited in size."""

from __future__ import annotations

from typing import Any

import pytest

from teller_gym.office.chat import uploads
from teller_gym.office.chat.api import ChatService
from teller_gym.office.chat.attachments import card_texts
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.uploads import confirm, download, keep
from teller_gym.office.web import Request, Response
from tests.office.chat.world import Client, office, user_id
from tests.office.multipart import MULTIPART, multipart


def send(client: Client, path: str, content: bytes = b"a,b\n", name: str = "a.csv", **fields: str) -> Any:
    headers = {**client.headers, "content-type": MULTIPART}
    request = Request("POST", f"/api/v1/{path}", "", headers, multipart(fields, content, name))
    return ChatService().handle(client.store, request).data()


def fetch(client: Client, address: str, **headers: str) -> Response:
    return ChatService().handle(client.store, Request("GET", address, "", headers or client.headers))


def test_in_two_steps() -> None:
    store = office()
    jo, sam = Client(store, "jo"), Client(store, "sam")
    kept = send(jo, "rooms.media/GENERAL")["file"]
    assert jo.get("channels.files", roomId="GENERAL")["files"] == [], "not before it is confirmed"
    message = jo.post(f"rooms.mediaConfirm/GENERAL/{kept['_id']}", msg="see this", description="of Q1")["message"]
    assert message["msg"] == "see this" and message["file"] == {**message["files"][0]}
    card = message["attachments"][0]
    assert (card["title"], card["title_link"], card["description"]) == ("a.csv", kept["url"], "of Q1")
    listed = sam.get("channels.files", roomId="GENERAL")
    assert [(one["name"], one["size"], one["user"]["username"]) for one in listed["files"]] == [("a.csv", 4, "jo")]
    found = fetch(sam, kept["url"])
    assert found.status == 200 and found.body == b"a,b\n" and found.header("Content-Type") == "text/csv"
    assert "attachment" in (found.header("Content-Disposition") or "")
    assert card_texts(message["attachments"]) == f"\na.csv\n{kept['url']}\nof Q1"
    assert jo.post(f"rooms.mediaConfirm/GENERAL/{kept['_id']}", 400)["errorType"] == "error-invalid-file", "once"


def test_in_one_step() -> None:
    store = office()
    message = send(Client(store, "jo"), "rooms.upload/GENERAL", name="<b>.csv", msg="hello")["message"]
    assert message["msg"] == "hello" and message["attachments"][0]["title_link"].endswith("/%3Cb%3E.csv")
    assert fetch(Client(store, "sam"), message["attachments"][0]["title_link"]).body == b"a,b\n"


def test_who_may_not_read_a_room_reads_no_file_of_it() -> None:
    store = office()
    bob, jo = Client(store, "bob"), Client(store, "jo")
    board = bob.get("groups.info", roomName="board")["group"]["_id"]
    link = send(bob, f"rooms.upload/{board}")["message"]["attachments"][0]["title_link"]
    assert fetch(bob, link).status == 200 and fetch(jo, link).status == 403
    assert fetch(jo, "/file-upload/nothing/a").status == 404
    assert fetch(jo, link, host="a").status == 401 and fetch(bob, link).status == 200
    query = f"rc_uid={user_id(store, 'bob')}&rc_token=token-bob"
    assert ChatService().handle(store, Request("GET", link, query)).status == 200
    assert send(jo, f"rooms.upload/{board}")["success"] is False
    assert ChatService().handle(store, Request("POST", link, "", bob.headers)).status == 405


@pytest.mark.parametrize(
    ("rid", "name", "content", "code"),
    [
        ("nowhere", "a", b"", "error-invalid-room"),
        ("GENERAL", "", b"", "invalid-params"),
        ("GENERAL", "x" * 256, b"", "invalid-params"),
        ("GENERAL", "a\nb", b"", "invalid-params"),
        ("GENERAL", "a", b"x" * (uploads.MAX_FILE + 1), "error-file-too-large"),
    ],
)
def test_what_is_refused(rid: str, name: str, content: bytes, code: str) -> None:
    store = office()
    before = store.snapshot()
    with pytest.raises(ChatError) as caught:
        keep(store, "jo", rid, name, "", content)
    assert caught.value.code == code and store.snapshot() == before


def test_all_files_of_one_person_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_KEPT", 10)
    store = office()
    keep(store, "jo", "GENERAL", "a", "", b"x" * 6)
    with pytest.raises(ChatError, match="those before it 6"):
        keep(store, "jo", "GENERAL", "b", "", b"x" * 5)
    kept = keep(store, "sam", "GENERAL", "b", "odd\ntype", b"x" * 5)
    assert kept["type"] == "application/octet-stream"
    with pytest.raises(ChatError, match="waits"):
        confirm(store, "jo", "GENERAL", kept["_id"])
    assert download(store, "sam", kept["_id"])["content"] == b"x" * 5
    with pytest.raises(ChatError, match="no file"):
        download(store, "jo", kept["_id"])


def test_a_form_without_a_file_is_refused() -> None:
    jo = Client(office(), "jo")
    assert jo.post("rooms.upload/GENERAL", 400, msg="x")["errorType"] == "invalid-field"
    headers = {**jo.headers, "content-type": "multipart/form-data"}
    answer = ChatService().handle(jo.store, Request("POST", "/api/v1/rooms.upload/GENERAL", "", headers, b"x"))
    assert answer.status == 400 and "boundary" in answer.data()["error"]
