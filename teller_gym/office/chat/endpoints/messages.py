"""Endpoints of messages and uploaded files."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat import reading, uploads
from teller_gym.office.chat.attachments import file_card
from teller_gym.office.chat.colleagues import post_and_answer
from teller_gym.office.chat.endpoints.call import ChatCall, Endpoint
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.paging import take
from teller_gym.office.chat.rooms import can_access
from teller_gym.office.chat.search import parse_search, search_room
from teller_gym.office.chat.tables import ROOMS
from teller_gym.office.store import Record

_EPOCH: Final = datetime(1970, 1, 1)


def _post_message(call: ChatCall) -> dict[str, Any]:
    address = call.text("channel") or call.text("roomId")
    if not address:
        raise ChatError('Give "channel" or "roomId"', "invalid-channel")
    text = call.text("text") or call.text("msg") or ""
    thread = call.text("tmid") or None
    message, _ = post_and_answer(call.store, call.user, address, text, voice=call.voice, thread=thread)
    now = (call.store.clock() - _EPOCH) // timedelta(milliseconds=1)  # as JavaScript counts time
    return {"ts": now, "channel": address, "message": message}


def _send_message(call: ChatCall) -> dict[str, Any]:
    value = call.values.get("message")
    if not isinstance(value, dict):
        raise invalid(f"message: expected an object, got {shown(value)}")
    inner = ChatCall(call.store, call.user, call.token, value)
    rid, thread = inner.text("rid"), inner.text("tmid") or None
    if not rid or call.store.get(ROOMS, rid) is None:
        raise ChatError(f"message.rid: expected the id of a room, got {shown(rid)}", "error-invalid-room")
    if "t" in value:
        raise ChatError("message.t: lines of the system cannot be sent")
    text = inner.text("msg") or ""
    message, _ = post_and_answer(call.store, call.user, rid, text, voice=call.voice, thread=thread, join=False)
    return {"message": message}


def _get_message(call: ChatCall) -> dict[str, Any]:
    return {"message": reading.get_message(call.store, call.user, call.need("msgId"))}


def _search(call: ChatCall) -> dict[str, Any]:
    room_id, text = call.text("roomId"), call.text("searchText")
    if not room_id:
        raise ChatError('The parameter "roomId" is required', "error-roomId-param-not-provided")
    if not text:
        raise ChatError('The parameter "searchText" is required', "error-searchText-param-not-provided")
    room = call.store.get(ROOMS, room_id)
    if room is None or not can_access(room, call.user):
        raise ChatError(f"You may not search a room {shown(room_id)}")
    return {"messages": take(search_room(call.store, room, parse_search(text, call.user)), call.page())[0]}


def _thread(call: ChatCall) -> dict[str, Any]:
    return call.listed("messages", reading.thread(call.store, call.user, call.need("tmid")))


def _kept(call: ChatCall) -> Record:
    """Store the uploaded file for the room in the path; return its record."""
    found = next((one for one in call.files if one.field == "file"), None)
    if found is None:
        raise ChatError("Expected a form with a file in the field file, got none", "invalid-field")
    return uploads.keep(call.store, call.user, call.rest[0], found.name, found.type, found.content)


def _media(call: ChatCall) -> dict[str, Any]:
    kept = _kept(call)
    return {"file": {"_id": kept["_id"], "url": file_card(kept, "")["title_link"]}}


def _confirm(call: ChatCall) -> dict[str, Any]:
    return {"message": _posted(call, call.rest[1])}


def _upload(call: ChatCall) -> dict[str, Any]:
    return {"message": _posted(call, _kept(call)["_id"])}


def _posted(call: ChatCall, file_id: str) -> Record:
    return uploads.confirm(
        call.store,
        call.user,
        call.rest[0],
        file_id,
        call.text("msg") or "",
        description=call.text("description") or "",
        thread=call.text("tmid") or None,
        voice=call.voice,
    )


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("POST", "chat.postMessage"): _post_message,
    ("POST", "chat.sendMessage"): _send_message,
    ("GET", "chat.getMessage"): _get_message,
    ("GET", "chat.search"): _search,
    ("GET", "chat.getThreadMessages"): _thread,
    ("POST", "rooms.media/*"): _media,
    ("POST", "rooms.mediaConfirm/*/*"): _confirm,
    ("POST", "rooms.upload/*"): _upload,
}
