"""A client that was written for Rocket.Chat works against the chat over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from teller_gym.office.chat.api import ChatService
from teller_gym.office.store import Store
from tests.office.chat.http_adapter import serving
from tests.office.chat.test_colleagues import SAM
from tests.office.chat.world import office, user_id

rocketchat = pytest.importorskip(
    "rocketchat_API.rocketchat", reason="needs rocketchat_API (pip install rocketchat_API)"
)
exceptions = pytest.importorskip("rocketchat_API.APIExceptions.RocketExceptions")


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[Store, str]]:
    store = office(SAM)
    with serving(ChatService(), store) as url:
        yield store, url


@pytest.fixture
def client(place: tuple[Store, str]) -> Any:
    return rocketchat.RocketChat("jo", "pass-jo", server_url=place[1])


def test_logging_in_and_out(place: tuple[Store, str]) -> None:
    store, url = place
    by_mail = rocketchat.RocketChat("jo@bank.example", "pass-jo", server_url=url)
    by_token = rocketchat.RocketChat(auth_token="token-jo", user_id=user_id(store, "jo"), server_url=url)
    assert by_mail.me()["_id"] == by_token.me()["_id"] == user_id(store, "jo")
    by_mail.logout()
    with pytest.raises(exceptions.RocketBadStatusCodeException) as caught:
        by_mail.me()
    assert caught.value.status_code == 401
    with pytest.raises(exceptions.RocketAuthenticationException):
        rocketchat.RocketChat("jo", "wrong", server_url=url)
    assert by_token.info()["info"]["version"]


def test_messages(client: Any) -> None:
    posted = client.chat_post_message("hello", channel="GENERAL", attachments=[{"color": "#ff0000", "text": "there"}])
    assert posted["channel"] == "GENERAL" and posted["message"]["attachments"][0]["text"] == "there"
    key = posted["message"]["_id"]
    assert client.chat_get_message(msg_id=key)["message"]["_id"] == key
    assert client.chat_update(room_id="GENERAL", msg_id=key, text="hello again")["message"]["msg"] == "hello again"
    assert client.chat_react(msg_id=key)["success"]
    assert client.chat_delete(room_id="GENERAL", msg_id=key)["success"]
    assert client.chat_post_message(None, channel="GENERAL")["message"]["msg"] == ""
    assert client.chat_send_message({"rid": "GENERAL", "msg": "own id", "_id": "42"})["message"]["_id"] == "42"
    assert [one["msg"] for one in client.chat_search("GENERAL", "own id")] == ["own id"]
    with pytest.raises(exceptions.RocketApiException) as caught:
        client.chat_post_message("x", channel="#nowhere")
    assert caught.value.error_type == "invalid-channel" and caught.value.status_code == 400


def test_threads_and_mentions(client: Any) -> None:
    first = client.chat_post_message("@jo first", channel="#general")["message"]["_id"]
    for text in ("one", "two"):
        client.chat_post_message(text, channel="#general", tmid=first, tshow="False")
    assert [one["msg"] for one in client.chat_get_thread_messages(first)] == ["one", "two"]
    assert first in [one["_id"] for one in client.chat_get_mentioned_messages("GENERAL")]
    assert list(client.chat_get_pinned_messages("GENERAL")) == []


def test_channels_and_groups(client: Any, place: tuple[Store, str]) -> None:
    sam = user_id(place[0], "sam")
    assert [one["name"] for one in client.channels_list()] == ["advice", "general", "notices"]
    assert [one["name"] for one in client.channels_list(count=1)] == ["advice", "general", "notices"], "page by page"
    assert client.channels_info(room_id="GENERAL")["channel"]["name"] == "general"
    assert client.channels_info(channel="general")["channel"]["_id"] == "GENERAL"
    made = client.channels_create("q1")["channel"]["_id"]
    assert client.channels_invite(made, sam)["channel"]["usersCount"] == 2
    assert client.channels_set_topic(made, "Metrics")["topic"] == "Metrics"
    assert [one["username"] for one in client.channels_members(room_id=made)] == ["jo", "sam"]
    with pytest.raises(exceptions.RocketApiException) as caught:
        client.channels_leave(made)
    assert caught.value.error_type == "error-you-are-last-owner"
    client.channels_add_owner(made, user_id=sam)
    client.channels_leave(made)
    client.channels_join(made, "code")
    assert made in [one["_id"] for one in client.channels_list_joined(max_count=9)]
    lines = ["uj", "ul", "subscription-role-added", "room_changed_topic", "au"]
    assert [one["t"] for one in client.channels_history(made, count=2)] == lines, "page by page"
    group = client.groups_create("closed")["group"]["_id"]
    client.groups_invite(group, sam)
    assert [one["name"] for one in client.groups_list()] == ["closed"]
    assert client.groups_info(room_id=group)["group"]["usersCount"] == 2
    assert [one["t"] for one in client.groups_history(group)] == ["au"]
    with pytest.raises(exceptions.RocketApiException) as caught:
        client.groups_info(room_name="board")
    assert caught.value.error_type == "error-room-not-found"


def test_direct_messages_and_a_colleague_who_answers(client: Any) -> None:
    room = client.dm_create("sam")["room"]["_id"]
    client.chat_post_message(room_id=room, text="Hart pension?")
    texts = [one["msg"] for one in client.dm_history(room_id=room)]
    assert texts == ["Jo, Mrs Hart's pension stands at £412,300.", "Hart pension?"]
    assert list(client.dm_messages(username="sam")) == list(client.dm_messages(room_id=room))
    assert room in [one["_id"] for one in client.dm_list()]
    assert [one["username"] for one in client.dm_members(room_id=room)] == ["jo", "sam"]
    many = client.dm_create_multiple(["sam", "bob"])["room"]
    assert many["usersCount"] == 3


def test_people(client: Any, place: tuple[Store, str]) -> None:
    assert len(list(client.users_list())) == 5
    user = client.users_info(username="sam")["user"]
    assert client.users_info(user_id=user["_id"])["user"] == user
    assert client.users_get_presence(username="bob")["presence"] == "away"
    client.users_set_status("Busy today", status="busy")
    assert client.users_get_presence(user_id=user_id(place[0], "jo"))["presence"] == "busy"
    assert client.spotlight(query="sam")["users"][0]["username"] == "sam"
    assert {one["name"] for one in client.rooms_get()["update"] if one["t"] == "c"} >= {"general", "notices"}
    assert client.rooms_info(room_name="general")["room"]["_id"] == "GENERAL"
    client.subscriptions_read("GENERAL")
    assert client.subscriptions_get_one("GENERAL")["subscription"]["unread"] == 0
    assert len(client.subscriptions_get()["update"]) >= 2


def test_files(client: Any, place: tuple[Store, str], tmp_path: Path) -> None:
    file = tmp_path / "figures of Q1.csv"
    file.write_bytes(b"a,b\n")
    kept = client.rooms_media("GENERAL", str(file))["file"]["_id"]
    message = client.rooms_media_confirm("GENERAL", kept, msg="see this", description="of Q1")["message"]
    assert message["msg"] == "see this" and message["file"]["name"] == "figures of Q1.csv"
    assert [one["name"] for one in client.channels_files(room_id="GENERAL")] == ["figures of Q1.csv"]
    found = client.session.get(place[1] + message["attachments"][0]["title_link"], headers=client.headers, timeout=60)
    assert found.content == b"a,b\n"


def test_lookups(client: Any) -> None:
    assert [one["username"] for one in client.directory({"text": "anna", "type": "users"})] == ["anna.lee"]
    assert client.channels_counters(room_id="GENERAL")["joined"] is True
    since = client.chat_post_message("now", channel="#general")["message"]["ts"]
    assert client.chat_sync_messages("GENERAL", since)["result"] == {"updated": [], "deleted": []}
    assert {one["_id"] for one in client.settings_public()} >= {"FileUpload_MaxFileSize", "Language"}
    assert len(client.channels_online("GENERAL")["online"]) == 5
