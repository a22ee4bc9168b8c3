"""Files in the chat: uploaded to a room, posted there with a message, and readable by all who may read the room."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.base.text import is_unicode, shown
from teller_gym.office.chat.attachments import file_card
from teller_gym.office.chat.colleagues import post_and_answer
from teller_gym.office.chat.errors import ChatError, invalid
from teller_gym.office.chat.messages import check_access
from teller_gym.office.chat.rooms import can_access
from teller_gym.office.chat.tables import ROOMS, UPLOADS, stamp
from teller_gym.office.chat.users import caller
from teller_gym.office.chat.voice import Voice
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store
from teller_gym.office.web import MAX_BODY

MAX_FILE: Final = MAX_BODY
"""Maximum size of a file in bytes: what fits into one request."""

MAX_KEPT: Final = 64 * 1024 * 1024
"""Maximum size of one person's files together in bytes, including files that were never posted."""

MAX_NAME: Final = 255
"""Maximum length of a file's name in characters."""

_PUBLIC: Final = ("_id", "name", "type", "size")


def keep(store: Store, user: str, rid: str, name: str, kind: str, content: bytes) -> Record:
    """Store a file for a room, where it appears once it is confirmed; return its record.

    Args:
        store: the office's.
        user: user name of the uploader.
        rid: id of the room.
        name: the file's name.
        kind: its media type; empty if unknown.
        content: its bytes.

    Raises:
        ChatError: the room is closed to the uploader, or the file has no name or is too large.
    """
    me, room = caller(store, user), store.get(ROOMS, rid)
    if room is None:
        raise ChatError(f"There is no room {shown(rid)}", "error-invalid-room")
    check_access(room, user)
    if not name or len(name) > MAX_NAME or not is_unicode(name) or not name.isprintable():
        raise invalid(f"file: expected a name of 1 to {MAX_NAME} characters, got {shown(name)}")
    mine = sum(one["size"] for _, one in store.rows(UPLOADS) if one["userId"] == me["_id"])
    if len(content) > MAX_FILE or mine + len(content) > MAX_KEPT:
        raise ChatError(
            f"A file has at most {MAX_FILE} bytes, and all of one person {MAX_KEPT}; this one has {len(content)}, "
            f"those before it {mine}",
            "error-file-too-large",
        )
    record = {
        "_id": word_id(store.seed, "chat.upload", store.count(UPLOADS)),
        "name": name,
        "type": kind if kind and len(kind) <= MAX_NAME and kind.isprintable() else "application/octet-stream",
        "size": len(content),
        "rid": rid,
        "userId": me["_id"],
        "username": user,
        "uploadedAt": stamp(store.tick()),
        "message": "",
        "content": content,
    }
    store.put(UPLOADS, record["_id"], record)
    return record


def confirm(
    store: Store,
    user: str,
    rid: str,
    file_id: str,
    text: str = "",
    *,
    description: str = "",
    thread: str | None = None,
    voice: Voice | None = None,
) -> Record:
    """Post a file that was stored for a room, with a text; return the message.

    Raises:
        ChatError: this user has no such file for the room, it was posted already, or as from `messages.post`.
    """
    found = store.get(UPLOADS, file_id)
    if found is None or found["rid"] != rid or found["username"] != user or found["message"]:
        raise ChatError(f"No file {shown(file_id)} of yours waits for this room", "error-invalid-file")
    message, _ = post_and_answer(
        store,
        user,
        rid,
        text,
        voice=voice,
        thread=thread,
        file={key: found[key] for key in _PUBLIC},
        caption=description,
    )
    store.update(UPLOADS, file_id, message=message["_id"])
    return message


def files_of(store: Store, room: Record) -> list[dict[str, Any]]:
    """Return the records of the files posted in a room, newest first, without their bytes."""
    found = [one for _, one in store.rows(UPLOADS) if one["rid"] == room["_id"] and one["message"]]
    return [_shown(one) for one in reversed(found)]


def download(store: Store, user: str, file_id: str) -> Record:
    """Return a file's record with its bytes, as ``content``.

    Raises:
        ChatError: 404, it does not exist or was not posted yet; 403, its room is closed to the user.
    """
    found = store.get(UPLOADS, file_id)
    if found is None or not (found["message"] or found["username"] == user):
        raise ChatError(f"There is no file {shown(file_id)}", status=404)
    room = store.get(ROOMS, found["rid"])
    if room is None or not can_access(room, user):
        raise ChatError("unauthorized", status=403)
    return found


def _shown(upload: Record) -> dict[str, Any]:
    found = {key: value for key, value in upload.items() if key not in ("content", "message", "username")}
    user, address = {"_id": upload["userId"], "username": upload["username"]}, file_card(upload, "")["title_link"]
    return {**found, "user": user, "complete": True, "url": address, "path": address}
