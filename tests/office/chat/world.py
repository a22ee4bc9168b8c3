"""A small office for the chat's tests, and a client that calls the service directly."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import yaml

from teller_gym.office.chat.api import ChatService
from teller_gym.office.chat.profiles import Colleague
from teller_gym.office.chat.seeding import Chat, SeededMessage, SeededRoom, tables
from teller_gym.office.chat.tables import ROOM_NAMES, USERS
from teller_gym.office.people import KEYS, PEOPLE
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request, Response

NOW = datetime(2026, 3, 2, 9)
SEED = 5
CASES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text("utf-8"))


def person(username: str, name: str, title: str, admin: bool = False) -> Record:
    email = f"{username}@bank.example"
    password = f"pass-{username}"
    return {"username": username, "name": name, "email": email, "title": title, "password": password, "admin": admin}


PEOPLE_HERE = {
    one["username"]: one
    for one in (
        person("jo", "Jo Marsh", "Assistant"),
        person("anna.lee", "Anna Lee", "Adviser"),
        person("sam", "Sam Ortiz", "Paraplanner"),
        person("bob", "Bob Kerr", "Operations"),
        person("root", "Rita Root", "IT", admin=True),
    )
}

ROOMS = (
    SeededRoom(name="general", topic="Everything"),
    SeededRoom(name="advice"),
)

MESSAGES = (
    SeededMessage(to="general", user="sam", at=datetime(2026, 2, 26, 10), text="Morning, @jo and @anna.lee.", key="hi"),
    SeededMessage(to="general", user="jo", at=datetime(2026, 2, 26, 10, 1), text="Good morning", thread="hi"),
    SeededMessage(to="general", user="bob", at=datetime(2026, 2, 27, 8), text="See https://bank.example/q1, #advice"),
    SeededMessage(to="advice", user="anna.lee", at=datetime(2026, 2, 27, 9), text="Revenue Q1: 12,400"),
    SeededMessage(to=("anna.lee",), user="sam", at=datetime(2026, 2, 27, 12), text="Between us"),
)


def office(*colleagues: Colleague, rooms: Any = ROOMS, messages: Any = MESSAGES, now: datetime = NOW) -> Store:
    base = tables(Chat(rooms=rooms, messages=messages, colleagues=colleagues), PEOPLE_HERE, SEED, now)
    keys = {f"chat:token-{name}": {"username": name, "expired": False} for name in PEOPLE_HERE}
    return Store({**base, PEOPLE: PEOPLE_HERE, KEYS: keys}, now, SEED)


def user_id(store: Store, username: str) -> str:
    user = store.get(USERS, username)
    assert user is not None
    return str(user["_id"])


def rid(store: Store, name: str) -> str:
    """Return the id of a channel."""
    place = store.get(ROOM_NAMES, name)
    assert place is not None
    return str(place["rid"])


def direct(store: Store, one: str, other: str) -> str:
    """Return the id of the direct room of two people."""
    return "".join(sorted((user_id(store, one), user_id(store, other))))


class Client:
    """Calls the service as a user and checks that it never crashes."""

    def __init__(self, store: Store, username: str | None = "jo") -> None:
        self.store, self.service, self.headers = store, ChatService(), dict[str, str]()
        if username:
            self.headers = {"x-auth-token": f"token-{username}", "x-user-id": user_id(store, username)}

    def request(self, method: str, path: str, query: str = "", body: bytes = b"", **headers: str) -> Response:
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        response = self.service.handle(self.store, Request(method, path, query, {**self.headers, **more}, body))
        assert response.status != 500, (method, path, query, body)
        return response

    def get(self, endpoint: str, status: int = 200, /, **values: Any) -> Any:
        return self._checked(self.request("GET", f"/api/v1/{endpoint}", urlencode(values, doseq=True)), status)

    def post(self, endpoint: str, status: int = 200, /, **values: Any) -> Any:
        return self._checked(self.request("POST", f"/api/v1/{endpoint}", body=json.dumps(values).encode()), status)

    def _checked(self, response: Response, status: int) -> Any:
        data = response.data()
        assert response.status == status, data
        assert response.header("content-type") == "application/json; charset=utf-8"
        return data

    def say(self, to: str, text: str, **values: Any) -> Record:
        """Post a message and return it."""
        message: Record = self.post("chat.postMessage", channel=to, text=text, **values)["message"]
        return message


def refused(code: str, data: dict[str, Any]) -> None:
    """Check that an answer is a Rocket.Chat error of this type."""
    assert data["success"] is False and data["errorType"] == code and data["error"].endswith(f" [{code}]"), data
