"""Refusals in the formats of Plane and of Django REST framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

NON_FIELD: Final = "non_field_errors"
"""Key of messages about several fields at once."""

_ECHO = 100
"""Maximum length of a received value that is repeated in a message, in characters."""


class TrackerError(Exception):
    """A refused call.

    Attributes:
        status: HTTP status.
        code: the kind of refusal, such as ``invalid``, ``not_found``, ``permission_denied`` or ``not_authenticated``.
        message: the refusal in one line.
        body: the refusal as the API sends it.
    """

    def __init__(self, status: int, code: str, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = code
        self.body = dict(body)
        self.message = _line(self.body)
        super().__init__(self.message)


def not_found() -> TrackerError:
    """Return the refusal of an id that no record has, or none that the user may see."""
    return TrackerError(404, "not_found", {"error": "The requested resource does not exist."})


def forbidden() -> TrackerError:
    """Return the refusal of a user without permission."""
    body = {"detail": "You do not have permission to perform this action."}
    return TrackerError(403, "permission_denied", body)


def invalid(field: str, message: str) -> TrackerError:
    """Return the refusal of one field, as worded by a serializer."""
    return TrackerError(400, "invalid", {field: [message]})


def unparsable(detail: str) -> TrackerError:
    """Return the refusal of a parameter or body that cannot be parsed."""
    return TrackerError(400, "parse_error", {"detail": detail})


def shortened(text: str) -> str:
    """Shorten a received text for use in a message."""
    return text if len(text) <= _ECHO else f"{text[:_ECHO]}..."


def _line(body: Mapping[str, Any]) -> str:
    parts = []
    for key, value in body.items():
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        parts.append(text if key in ("error", "detail", NON_FIELD) else f"{key}: {text}")
    return " ".join(parts)
