"""Endpoints for files: uploading one to a room in one step or two, and listing the files of a room."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from teller_gym.office.chat import uploads
from teller_gym.office.chat.attachments import file_card
from teller_gym.office.chat.endpoints.call import Call, Endpoint
from teller_gym.office.chat.endpoints.rooms import room_of
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.rooms import CHANNEL, DIRECT, GROUP
from teller_gym.office.store import Record

_NEWEST_FIRST: Final = {"uploadedAt": -1}


def _kept(call: Call) -> Record:
    """Store the uploaded file for the room in the path; return its record."""
    found = next((one for one in call.files if one.field == "file"), None)
    if found is None:
        raise ChatError("Expected a form with a file in the field file, got none", "invalid-field")
    return uploads.keep(call.store, call.user, call.rest[0], found.name, found.type, found.content)


def _media(call: Call) -> dict[str, Any]:
    kept = _kept(call)
    return {"file": {"_id": kept["_id"], "url": file_card(kept, "")["title_link"]}}


def _confirm(call: Call) -> dict[str, Any]:
    return {"message": _posted(call, call.rest[1])}


def _upload(call: Call) -> dict[str, Any]:
    return {"message": _posted(call, _kept(call)["_id"])}


def _posted(call: Call, file_id: str) -> Record:
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


def _files(kind: str, call: Call) -> dict[str, Any]:
    return call.listed("files", uploads.files_of(call.store, room_of(kind, call)), _NEWEST_FIRST)


ENDPOINTS: Final[Mapping[tuple[str, str], Endpoint]] = {
    ("POST", "rooms.media/*"): _media,
    ("POST", "rooms.mediaConfirm/*/*"): _confirm,
    ("POST", "rooms.upload/*"): _upload,
    ("GET", "channels.files"): partial(_files, CHANNEL),
    ("GET", "groups.files"): partial(_files, GROUP),
    ("GET", "im.files"): partial(_files, DIRECT),
    ("GET", "dm.files"): partial(_files, DIRECT),
}
