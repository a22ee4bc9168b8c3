"""Chat pages: rooms, people and messages, and a form to post a message."""

from __future__ import annotations

from typing import Final

from teller_gym.office.chat import tools
from teller_gym.office.chat.endpoints import MAX_COUNT
from teller_gym.office.pages.rendering import go, link
from teller_gym.office.pages.site import Routes, Visit
from teller_gym.office.web import Response

_SHOWN: Final = 50
"""Number of messages on a page. Links lead to older ones."""


def _rooms(visit: Visit) -> Response:
    return visit.show(
        "rooms",
        "Rooms and people",
        rooms=tools.list_rooms(visit.store, visit.user),
        people=[one for one in tools.list_people(visit.store, visit.user) if one["username"] != visit.user],
    )


def _room(visit: Visit) -> Response:
    to, thread = visit.asked("to"), visit.query.get("thread") or None
    count = MAX_COUNT if thread else _SHOWN
    found = tools.read_messages(visit.store, visit.user, to, count, visit.query.get("before") or None, thread)
    messages = found["messages"]
    return visit.show(
        "room",
        found["room"] if thread is None else f"Replies in {found['room']}",
        to=found["room"],
        thread=thread,
        messages=messages,
        older=messages[0]["at"] if len(messages) == count and thread is None else None,
    )


def _search(visit: Visit) -> Response:
    text = visit.asked("text")
    found = tools.search_messages(visit.store, visit.user, text, count=_SHOWN)
    return visit.show("found", f"{len(found)} messages for {text!r}", messages=found, text=text)


def _post(visit: Visit) -> Response:
    to, thread = visit.filled("to"), visit.form.get("thread") or None
    text = visit.filled("text").replace("\r\n", "\n")
    tools.send_message(visit.store, visit.user, to, text, thread)
    return go(link("room", to=to, thread=thread, done="posted"))


ROUTES: Final[Routes] = {
    ("GET", ""): _rooms,
    ("GET", "room"): _room,
    ("GET", "search"): _search,
    ("POST", "post"): _post,
}
