"""Refusals of the tracker, in the shapes of Plane and of Django REST framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

NON_FIELD: Final = "non_field_errors"
"""Key of the messages that are about several fields at once."""

_ECHO = 100
"""Maximum length of a received value that a message repeats, in characters."""


class TrackerError(Exception):
    """A refused call.

    Attributes:
        status: of HTTP.
        code: ``invalid``, ``not_found``, ``permission_denied``, ``not_authenticated`` and the like.
        message: the refusal in one line.
        body: the refusal as the API sends it.
    """

    def __init__(self, status: int, code: str, body: Mapping[str, Any]) -> None:
        self.status = status
        self.code = code
        self.body = dict(body)
        self.message = _line(self.body)
        super().__init__(self.message)


def refused(message: str, status: int = 400, code: str = "invalid") -> TrackerError:
    """Return an error worded by one of Plane's views: ``{"error": "..."}``."""
    return TrackerError(status, code, {"error": message})


def not_found() -> TrackerError:
    """Return the answer to an id that no record has, or none that the user may see."""
    return refused("The requested resource does not exist.", 404, "not_found")


def forbidden() -> TrackerError:
    """Return the answer to a user without permission."""
    body = {"detail": "You do not have permission to perform this action."}
    return TrackerError(403, "permission_denied", body)


def invalid(field: str, message: str) -> TrackerError:
    """Return a serializer's complaint about one field."""
    return TrackerError(400, "invalid", {field: [message]})


def unparsable(detail: str) -> TrackerError:
    """Return the answer to a parameter or body that cannot be parsed."""
    return TrackerError(400, "parse_error", {"detail": detail})


def shortened(text: str) -> str:
    """Return a received text for a message, cut to a sensible length."""
    return text if len(text) <= _ECHO else f"{text[:_ECHO]}..."


def _line(body: Mapping[str, Any]) -> str:
    parts = []
    for key, value in body.items():
        text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        parts.append(text if key in ("error", "detail", NON_FIELD) else f"{key}: {text}")
    return " ".join(parts)
