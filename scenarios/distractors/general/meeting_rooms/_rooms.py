"""The table of rooms."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.base.text import did_you_mean

RoomName = Annotated[str, Meta(min_length=1, max_length=20)]
Equipment = Literal["screen", "projector", "whiteboard", "flipchart", "video_system", "phone", "hearing_loop"]


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the house table."""

    name: str
    floor: int
    seats: int
    step_free: bool
    equipment: list[Equipment]


@cache
def all_rooms() -> dict[str, Room]:
    folder = resources.files("teller_gym.scenarios.distractors.general.meeting_rooms")
    table = folder.joinpath("meeting_rooms.yaml").read_bytes()
    return {room.name: room for room in msgspec.yaml.decode(table, type=list[Room])}


def known_room(name: str) -> Room:
    if name not in all_rooms():
        raise invalid("room", f"there is no meeting room {name!r}{did_you_mean(name, all_rooms())}")
    return all_rooms()[name]
