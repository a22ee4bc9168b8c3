"""The chat's tables, and its time format."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from teller_gym.office.chat.errors import ChatError

USERS: Final = "chat.users"
"""By user name: ``_id``, ``username``, ``name``, ``email``, ``bio``, ``roles``, ``status``, ``statusText``."""

USER_IDS: Final = "chat.user_ids"
"""By a user's id: ``username``."""

ROOMS: Final = "chat.rooms"
"""By id: ``t`` (c or d), ``name``, ``topic``, ``ro``, ``u``, ``ts``, and user names as ``members``, ``owners`` and
``moderators``. Owners and moderators have the same rights as others.
"""

ROOM_NAMES: Final = "chat.room_names"
"""By the name of a channel: ``rid``."""

MESSAGES: Final = "chat.messages"
"""By id: a message in the API's format."""

TIMELINES: Final = "chat.timelines"
"""By a room's id: ``ids`` of its messages, the oldest first. Without it, each read would scan all messages."""

COLLEAGUES: Final = "chat.colleagues"
"""By user name: a colleague who answers; see `teller_gym.office.chat.profiles`."""

CONVERSATIONS: Final = "chat.conversations"
"""By ``rid colleague asker``: ``turns``, ``stale``, ``told`` (keys of facts), ``over`` (True after the last answer)."""


def stamp(moment: datetime) -> str:
    """Format a time (UTC, without a zone) as the API does; stamps sort by time."""
    return moment.isoformat(timespec="milliseconds") + "Z"


def parse_stamp(name: str, text: str) -> str:
    """Convert a time in ISO 8601 (in UTC unless it has an offset) to a stamp; ``name`` is the parameter's."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise ChatError(
            f"{name}: expected a time such as 2026-03-02T09:00:00.000Z, got {text[:40]!r}", "error-invalid-date"
        ) from None
    return stamp(moment)
