"""Endpoints of messages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from teller_gym.base.text import shown
from teller_gym.office.chat import marks, messages, reading
from teller_gym.office.chat.colleagues import post_and_answer
from teller_gym.office.chat.endpoints.call import Call, Endpoint
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.paging import take
from teller_gym.office.chat.rooms import can_access
from teller_gym.office.chat.search import parse_search, search_room
from teller_gym.office.chat.tables import ROOMS

_EPOCH: Final = datetime(1970, 1, 1)


def _post_message(call: Call) -> dict[str, Any]:
    address = call.text("channel") or call.text("roomId")
    if not address:
        raise ChatError('Give "channel" or "roomId"', "invalid-channel")
    text = call.text("text")
    message, _ = post_and_answer(
        call.store,
        call.user,
        address,
        (call.text("msg") if text is None else text) or "",
        voice=call.voice,
        thread=call.text("tmid") or None,
        show_in_room=call.flag("tshow") or False,
        attachments=call.values.get("attachments") or (),
        emoji=call.text("emoji") or None,
    )
    return {"ts": _now(call), "channel": address, "message": message}


def _send_message(call: Call) -> dict[str, Any]:
    value = call.values.get("message")
    if not isinstance(value, dict):
        raise invalid(f"message: expected an object, got {shown(value)}")
    inner = Call(call.store, call.user, call.token, value, call.voice)
    rid, thread = inner.text("rid"), inner.text("tmid") or None
    if not rid or call.store.get(ROOMS, rid) is None:
        raise ChatError(f"message.rid: expected the id of a room, got {shown(rid)}", "error-invalid-room")
    if inner.flag("tshow") and thread is None:
        raise invalid("message.tshow: expected message.tmid as well")
    if "t" in value:
        raise ChatError("message.t: lines of the system cannot be sent")
    message, _ = post_and_answer(
        call.store,
        call.user,
        rid,
        inner.text("msg") or "",
        voice=call.voice,
        thread=thread,
        show_in_room=inner.flag("tshow") or False,
        attachments=value.get("attachments") or (),
        emoji=inner.text("emoji") or None,
        message_id=inner.text("_id") or None,
        join=False,
    )
    return {"message": message}


def _get_message(call: Call) -> dict[str, Any]:
    return {"message": reading.get_message(call.store, call.user, call.need("msgId"))}


def _update(call: Call) -> dict[str, Any]:
    text = call.text("text")
    if text is None:
        raise invalid("text: expected a text, got none")
    return {"message": messages.update(call.store, call.user, call.need("roomId"), call.need("msgId"), text)}


def _delete(call: Call) -> dict[str, Any]:
    call.flag("asUser")
    message = messages.delete(call.store, call.user, call.need("roomId"), call.need("msgId"))
    gone = {key: message[key] for key in ("_id", "rid", "u")}
    return {"_id": message["_id"], "ts": str(_now(call)), "message": gone}


def _react(call: Call) -> dict[str, Any]:
    emoji = call.text("emoji") or call.text("reaction")
    if not emoji:
        raise ChatError('The parameter "emoji" is required', "error-emoji-param-not-provided")
    marks.react(call.store, call.user, call.need("messageId"), emoji, call.flag("shouldReact"))
    return {}


def _pin(call: Call) -> dict[str, Any]:
    return {"message": marks.pin(call.store, call.user, call.need("messageId"))}


def _unpin(call: Call) -> dict[str, Any]:
    marks.unpin(call.store, call.user, call.need("messageId"))
    return {}


def _search(call: Call) -> dict[str, Any]:
    room_id, text = call.text("roomId"), call.text("searchText")
    if not room_id:
        raise ChatError('The parameter "roomId" is required', "error-roomId-param-not-provided")
    if not text:
        raise ChatError('The parameter "searchText" is required', "error-searchText-param-not-provided")
    room = call.store.get(ROOMS, room_id)
    if room is None or not can_access(room, call.user):
        raise ChatError(f"You may not search a room {shown(room_id)}")
    found = search_room(call.store, room, parse_search(text, call.user))
    return {"messages": take(found, call.page())[0]}


def _thread(call: Call) -> dict[str, Any]:
    return call.listed("messages", reading.thread(call.store, call.user, call.need("tmid")))


def _threads(call: Call) -> dict[str, Any]:
    part = (call.text("text") or "").casefold()
    rows = reading.threads(call.store, call.user, call.need("rid"))
    return call.listed("threads", (one for one in rows if part in one["msg"].casefold()))


def _pinned(call: Call) -> dict[str, Any]:
    return call.listed("messages", reading.pinned(call.store, call.user, call.need("roomId")))


def _mentioned(call: Call) -> dict[str, Any]:
    return call.listed("messages", reading.mentions_of(call.store, call.user, call.need("roomId")))


def _deleted(call: Call) -> dict[str, Any]:
    rows = reading.deleted(call.store, call.user, call.need("roomId"), call.need("since"))
    return call.listed("messages", rows)


def _sync(call: Call) -> dict[str, Any]:
    since = call.text("lastUpdate")
    if not since:
        raise ChatError('The parameter "lastUpdate" is required', "error-lastUpdate-param-not-provided")
    return {"result": reading.changed(call.store, call.user, call.need("roomId"), since)}


def _sync_thread(call: Call) -> dict[str, Any]:
    thread = call.need("tmid")
    first = reading.get_message(call.store, call.user, thread)
    found = reading.changed(call.store, call.user, first["rid"], call.need("updatedSince"), thread)
    return {"messages": {"update": found["updated"], "remove": found["deleted"]}}


def _sync_threads(call: Call) -> dict[str, Any]:
    rid = call.need("rid")
    found = reading.changed(call.store, call.user, rid, call.need("updatedSince"))
    threads = [one for one in found["updated"] if one.get("tcount")]
    return {"threads": {"update": threads, "remove": found["deleted"]}}


def _now(call: Call) -> int:
    """Now, as JavaScript counts time: milliseconds since 1970."""
    return (call.store.clock() - _EPOCH) // timedelta(milliseconds=1)


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("POST", "chat.postMessage"): _post_message,
    ("POST", "chat.sendMessage"): _send_message,
    ("GET", "chat.getMessage"): _get_message,
    ("POST", "chat.update"): _update,
    ("POST", "chat.delete"): _delete,
    ("POST", "chat.react"): _react,
    ("POST", "chat.pinMessage"): _pin,
    ("POST", "chat.unPinMessage"): _unpin,
    ("GET", "chat.search"): _search,
    ("GET", "chat.getThreadMessages"): _thread,
    ("GET", "chat.getThreadsList"): _threads,
    ("GET", "chat.getPinnedMessages"): _pinned,
    ("GET", "chat.getMentionedMessages"): _mentioned,
    ("GET", "chat.getDeletedMessages"): _deleted,
    ("GET", "chat.syncMessages"): _sync,
    ("GET", "chat.syncThreadMessages"): _sync_thread,
    ("GET", "chat.syncThreadsList"): _sync_threads,
}
