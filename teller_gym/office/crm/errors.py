"""CRM errors: a status, a reason and sometimes a body, as in EspoCRM."""

from __future__ import annotations

from typing import Any


class CrmError(Exception):
    """An invalid request, after which nothing has been written.

    Attributes:
        status: HTTP status: 400, 401, 403, 404 or 409.
        code: kind of error in one word, such as ``validationFailure`` or ``duplicate``.
        message: the reason in one sentence; over HTTP, the header ``X-Status-Reason``.
        body: JSON body of the response, or None.
    """

    def __init__(self, status: int, code: str, message: str, body: Any = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.body = body


def bad_request(message: str) -> CrmError:
    """Return a 400 error for a malformed request."""
    return CrmError(400, "badRequest", message)


def forbidden(message: str) -> CrmError:
    """Return a 403 error for a user without access."""
    return CrmError(403, "forbidden", message)


def not_found(message: str) -> CrmError:
    """Return a 404 error for an entity, record or link that does not exist."""
    return CrmError(404, "notFound", message)


def duplicate(records: list[dict[str, Any]]) -> CrmError:
    """Return a 409 error whose body lists the possible duplicates."""
    return CrmError(409, "duplicate", "duplicate", records)


def validation_failure(entity_type: str, field: str, kind: str) -> CrmError:
    """Return a 400 error for a field that fails a check (required, maxLength, valid, ...)."""
    message = f"Field validation failure; entityType: {entity_type}, field: {field}, type: {kind}."
    label = {"label": "validationFailure", "scope": None, "data": {"field": field, "type": kind}}
    return CrmError(400, "validationFailure", message, {"messageTranslation": label})
