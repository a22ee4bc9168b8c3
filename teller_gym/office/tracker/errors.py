"""Errors in the formats of Plane and Django REST framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

NON_FIELD: Final = "non_field_errors"
"""Key of error messages about several fields at once."""

_ECHO = 100
"""Maximum length of a received value that is repeated in an error message, in characters."""


class TrackerError(Exception):
    """An invalid call.

    Attributes:
        status: HTTP status.
        code: kind of error, such as ``invalid``, ``not_found``, ``permission_denied`` or ``not_authenticated``.
        message: the error in one line.
        body: JSON body of the response.
    """

    def __init__(self, status: int, code: str, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = code
        self.body = dict(body)
        self.message = _line(self.body)
        super().__init__(self.message)


def not_found() -> TrackerError:
    """Return the error for an id that belongs to no record that the user may see."""
    return TrackerError(404, "not_found", {"error": "The requested resource does not exist."})


def forbidden() -> TrackerError:
    """Return the error for a user without permission."""
    body = {"detail": "You do not have permission to perform this action."}
    return TrackerError(403, "permission_denied", body)


def invalid(field: str, message: str) -> TrackerError:
    """Return the error for an invalid field, in a serializer's format."""
    return TrackerError(400, "invalid", {field: [message]})


def unparsable(detail: str) -> TrackerError:
    """Return the error for a parameter or body that cannot be parsed."""
    return TrackerError(400, "parse_error", {"detail": detail})


def shortened(text: str) -> str:
    """Shorten a received text for use in an error message."""
    return text if len(text) <= _ECHO else f"{text[:_ECHO]}..."


def _line(body: Mapping[str, Any]) -> str:
    parts = []
    for key, value in body.items():
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        parts.append(text if key in ("error", "detail", NON_FIELD) else f"{key}: {text}")
    return " ".join(parts)
