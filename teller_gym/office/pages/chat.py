"""Pages of the chat: rooms and people, messages, and forms to post a message or a file."""

from __future__ import annotations

from typing import Final

from teller_gym.office.chat import tools, uploads
from teller_gym.office.chat.addresses import resolve
from teller_gym.office.chat.api import ChatService
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.paging import MAX_COUNT
from teller_gym.office.chat.rooms import save_room
from teller_gym.office.chat.voice import Voice
from teller_gym.office.pages.rendering import download, go, link
from teller_gym.office.pages.site import PageError, Routes, Visit
from teller_gym.office.web import Response

_SHOWN: Final = 50
"""Number of messages on a page; links lead to older ones."""


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
    tools.send_message(visit.store, visit.user, to, text, thread, _voice(visit))
    return go(link("room", to=to, thread=thread, done="posted"))


def _upload(visit: Visit) -> Response:
    to, thread, sent = visit.filled("to"), visit.form.get("thread") or None, visit.form.file("file")
    if sent is None:
        raise PageError(400, "Expected a file to be chosen; there is none. Go back and choose one.")
    place = resolve(visit.store, visit.user, to)
    if place.is_new:
        save_room(visit.store, place.room)
    rid = place.room["_id"]
    kept = uploads.keep(visit.store, visit.user, rid, sent.name, sent.type, sent.content)
    text = visit.form.get("text").replace("\r\n", "\n")
    uploads.confirm(visit.store, visit.user, rid, kept["_id"], text, thread=thread, voice=_voice(visit))
    return go(link("room", to=to, thread=thread, done="uploaded"))


def _file(visit: Visit) -> Response:
    try:
        found = uploads.download(visit.store, visit.user, visit.asked("id"))
    except ChatError as error:
        raise PageError(error.status, error.message) from None
    return download(found["name"], found["type"], found["content"])


def _voice(visit: Visit) -> Voice | None:
    return visit.service.voice if isinstance(visit.service, ChatService) else None


ROUTES: Final[Routes] = {
    ("GET", ""): _rooms,
    ("GET", "room"): _room,
    ("GET", "search"): _search,
    ("GET", "file"): _file,
    ("POST", "post"): _post,
    ("POST", "upload"): _upload,
}
