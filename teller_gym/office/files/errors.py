"""File store errors, with ownCloud's statuses and names."""

from __future__ import annotations

from typing import Final

_CODES: Final = {
    207: "Locked",
    400: "BadRequest",
    401: "NotAuthenticated",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    409: "Conflict",
    412: "PreconditionFailed",
    413: "EntityTooLarge",
    415: "UnsupportedMediaType",
    416: "RequestedRangeNotSatisfiable",
    422: "UnprocessableEntity",
    423: "Locked",
    501: "NotImplemented",
    502: "BadGateway",
    503: "ServiceUnavailable",
    507: "InsufficientStorage",
}
"""sabre/dav's error names by status. Other statuses have none."""


class FilesError(Exception):
    """An invalid request, after which nothing has been written.

    Attributes:
        status: HTTP status; 207 if members of a folder prevent the request.
        message: what was expected and what was received.
        code: error name, such as NotFound; by default that of the status, or empty if the status has none.
        condition: local name of RFC 4918's precondition, such as ``propfind-finite-depth``.
        hrefs: addresses that the condition refers to.
        failed: for status 207, addresses and statuses of the resources that caused the failure.
        headers: additional response headers.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str | None = None,
        condition: str = "",
        hrefs: tuple[str, ...] = (),
        failed: tuple[tuple[str, int], ...] = (),
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = _CODES.get(status, "") if code is None else code
        self.condition = condition
        self.hrefs = hrefs
        self.failed = failed
        self.headers = headers


def invalid_path(message: str) -> FilesError:
    """Return a 400 error for a path that no file can have."""
    return FilesError(400, message, code="InvalidPath")


def not_found(path: str) -> FilesError:
    """Return a 404 error for a path without a file or folder."""
    return FilesError(404, f"There is no file or folder at {path}")
