"""A client that was written for Rocket.Chat does office work at a served chat."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from examples.small_office import open_office
from teller_gym.office.serving import Serving

rocketchat = pytest.importorskip(
    "rocketchat_API.rocketchat", reason="needs rocketchat_API (pip install rocketchat_API)"
)
exceptions = pytest.importorskip("rocketchat_API.APIExceptions.RocketExceptions")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Serving(open_office()) as serving:
        yield serving.addresses["chat"]


@pytest.fixture
def client(url: str) -> Any:
    return rocketchat.RocketChat("ada", "password-of-ada", server_url=url)


def test_logging_in_and_out(url: str) -> None:
    by_mail = rocketchat.RocketChat("ada@bank.example", "password-of-ada", server_url=url)
    session = by_mail.headers
    by_token = rocketchat.RocketChat(auth_token=session["X-Auth-Token"], user_id=session["X-User-Id"], server_url=url)
    assert by_mail.me()["username"] == by_token.me()["username"] == "ada"
    by_mail.logout()
    with pytest.raises(exceptions.RocketBadStatusCodeException) as caught:
        by_mail.me()
    assert caught.value.status_code == 401
    with pytest.raises(exceptions.RocketAuthenticationException):
        rocketchat.RocketChat("ada", "wrong", server_url=url)


def test_messages_threads_and_search(client: Any) -> None:
    posted = client.chat_post_message("hello", channel="GENERAL")
    key = posted["message"]["_id"]
    assert posted["channel"] == "GENERAL" and client.chat_get_message(msg_id=key)["message"]["_id"] == key
    assert client.chat_send_message({"rid": "GENERAL", "msg": "sent"})["message"]["msg"] == "sent"
    for text in ("one", "two"):
        client.chat_post_message(text, channel="#general", tmid=key)
    assert [one["msg"] for one in client.chat_get_thread_messages(key)] == ["one", "two"]
    assert [one["msg"] for one in client.chat_search("GENERAL", "sent")] == ["sent"]
    assert [one["msg"] for one in client.channels_history("GENERAL", count=2)] == ["two", "one", "sent", "hello"]
    with pytest.raises(exceptions.RocketApiException) as caught:
        client.chat_post_message("x", channel="#nowhere")
    assert caught.value.error_type == "invalid-channel" and caught.value.status_code == 400


def test_rooms_and_people(client: Any) -> None:
    assert [one["name"] for one in client.channels_list()] == ["general"]
    assert [one["name"] for one in client.channels_list_joined()] == ["general"]
    assert client.channels_info(channel="general")["channel"]["_id"] == "GENERAL"
    assert [one["username"] for one in client.channels_members(room_id="GENERAL")] == ["ada", "ben"]
    assert list(client.groups_list()) == []
    room = client.dm_create("ben")["room"]["_id"]
    client.chat_post_message(room_id=room, text="Figures?")
    assert [one["msg"] for one in client.dm_history(room_id=room)] == ["Figures?"]
    assert list(client.dm_messages(username="ben")) == list(client.dm_messages(room_id=room))
    assert room in [one["_id"] for one in client.dm_list()]
    assert client.rooms_info(room_name="general")["room"]["_id"] == "GENERAL"
    assert {one["t"] for one in client.rooms_get()["update"]} == {"c", "d"}
    assert [one["username"] for one in client.users_list()] == ["ada", "ben"]
    user = client.users_info(username="ben")["user"]
    assert client.users_info(user_id=user["_id"])["user"] == user
    assert client.spotlight(query="ben")["users"][0]["username"] == "ben"


def test_files(client: Any, url: str, tmp_path: Path) -> None:
    file = tmp_path / "figures of Q1.csv"
    file.write_bytes(b"a,b\n")
    kept = client.rooms_media("GENERAL", str(file))["file"]["_id"]
    message = client.rooms_media_confirm("GENERAL", kept, msg="see this", description="of Q1")["message"]
    assert message["msg"] == "see this" and message["file"]["name"] == "figures of Q1.csv"
    assert [one["name"] for one in client.channels_files(room_id="GENERAL")] == ["figures of Q1.csv"]
    found = client.session.get(url + message["attachments"][0]["title_link"], headers=client.headers, timeout=60)
    assert found.content == b"a,b\n"
