"""A client library for Rocket.Chat works with a served chat."""

from collections.abc import Iterator
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
    assert posted["channel"] == "GENERAL"
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
    assert [one["username"] for one in client.channels_members(room_id="GENERAL")] == ["ada", "ben"]
    room = client.dm_create("ben")["room"]["_id"]
    client.chat_post_message(room_id=room, text="Figures?")
    assert [one["msg"] for one in client.dm_history(room_id=room)] == ["Figures?"]
    assert room in [one["_id"] for one in client.dm_list()]
    assert [one["username"] for one in client.users_list()] == ["ada", "ben"]
    assert client.users_info(username="ben")["user"]["username"] == "ben"
