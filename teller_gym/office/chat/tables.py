"""Names of the chat's tables, and its time format."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from teller_gym.office.chat.errors import ChatError

USERS: Final = "chat.users"
"""Table of users by user name.

Fields are ``_id``, ``username``, ``name``, ``email``, ``bio``, ``roles``, ``status`` and ``statusText``.
"""

USER_IDS: Final = "chat.user_ids"
"""Table of user names by user id: ``username``."""

ROOMS: Final = "chat.rooms"
"""Table of rooms by id.

Fields are ``t`` (c or d), ``name``, ``topic``, ``ro``, ``u``, ``ts``, and user names as ``members``, ``owners`` and
``moderators``. Owners and moderators have the same rights as others.
"""

ROOM_NAMES: Final = "chat.room_names"
"""Table of room ids by channel name: ``rid``."""

MESSAGES: Final = "chat.messages"
"""Table of messages by id, in the API's format."""

TIMELINES: Final = "chat.timelines"
"""Table of message ids by room id: ``ids``, oldest first. Without it, each read would scan all messages."""

COLLEAGUES: Final = "chat.colleagues"
"""Table of the colleagues who answer, by user name (see `teller_gym.office.chat.profiles`)."""

CONVERSATIONS: Final = "chat.conversations"
"""Table of conversations by ``rid colleague asker``.

Fields are ``turns``, ``stale``, ``told`` (fact keys) and ``over`` (True after the last answer).
"""


def stamp(moment: datetime) -> str:
    """Format a time (UTC, without a zone) as the API does.

    Time stamps sort by time.
    """
    return moment.isoformat(timespec="milliseconds") + "Z"


def parse_stamp(name: str, text: str) -> str:
    """Convert a time in ISO 8601 (in UTC unless it has an offset) to a time stamp.

    ``name`` is the parameter's name for error messages.
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise ChatError(
            f"{name}: expected a time such as 2026-03-02T09:00:00.000Z, got {text[:40]!r}", "error-invalid-date"
        ) from None
    return stamp(moment)
