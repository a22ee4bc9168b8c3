"""Errors of the file store, with ownCloud's statuses and names."""

from __future__ import annotations

from typing import Final

_OWNCLOUD_OWN: Final = frozenset({"InvalidPath", "EntityTooLarge"})
"""Errors that ownCloud added; all others are of sabre/dav, the library below it."""


class FilesError(Exception):
    """A request that cannot be done; nothing was written.

    Attributes:
        status: of HTTP.
        code: name of the error, such as NotFound; empty if sabre/dav has no name for it.
        message: says what was expected and what came.
        header: for a failed precondition, the request's header that set it.
        condition: local name of RFC 4918's precondition, such as ``propfind-finite-depth``.
        hrefs: the addresses that the condition is about.
        failed: addresses and statuses of the resources that caused the failure, if they are not the one requested;
            the answer is then a 207 that lists them.
        headers: of the answer, besides those that every error has.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        header: str = "",
        condition: str = "",
        hrefs: tuple[str, ...] = (),
        failed: tuple[tuple[str, int], ...] = (),
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.header = header
        self.condition = condition
        self.hrefs = hrefs
        self.failed = failed
        self.headers = headers

    @property
    def exception(self) -> str:
        """The name in full, as error bodies have it."""
        if self.code in _OWNCLOUD_OWN:
            return f"OCA\\DAV\\Connector\\Sabre\\Exception\\{self.code}"
        return f"Sabre\\DAV\\Exception\\{self.code}" if self.code else "Sabre\\DAV\\Exception"


def bad_request(message: str) -> FilesError:
    """Return 400 for a header or a body that cannot be understood."""
    return FilesError(400, "BadRequest", message)


def invalid_path(message: str) -> FilesError:
    """Return 400 for a path that no file can have."""
    return FilesError(400, "InvalidPath", message)


def not_authenticated(message: str) -> FilesError:
    """Return 401."""
    return FilesError(401, "NotAuthenticated", message)


def forbidden(message: str, condition: str = "") -> FilesError:
    """Return 403."""
    return FilesError(403, "Forbidden", message, condition=condition)


def not_found(path: str) -> FilesError:
    """Return 404 for a path at which there is nothing."""
    return FilesError(404, "NotFound", f"There is no file or folder at {path}")


def not_allowed(message: str, allowed: str = "") -> FilesError:
    """Return 405 for a method that a path does not support; ``allowed`` lists the methods that it does."""
    return FilesError(405, "MethodNotAllowed", message, headers=(("Allow", allowed),) if allowed else ())


def conflict(message: str, condition: str = "") -> FilesError:
    """Return 409 for a path that does not fit the tree, such as one in a missing folder."""
    return FilesError(409, "Conflict", message, condition=condition)


def precondition_failed(message: str, header: str, condition: str = "") -> FilesError:
    """Return 412 for a condition of the request that does not hold."""
    return FilesError(412, "PreconditionFailed", message, header=header, condition=condition)


def too_large(message: str) -> FilesError:
    """Return 413."""
    return FilesError(413, "EntityTooLarge", message)


def unsupported(message: str) -> FilesError:
    """Return 415."""
    return FilesError(415, "UnsupportedMediaType", message)


def unsatisfiable(message: str, size: int) -> FilesError:
    """Return 416 for a range that a file of this size does not have."""
    headers = (("Content-Range", f"bytes */{size}"),)
    return FilesError(416, "RequestedRangeNotSatisfiable", message, headers=headers)


def unprocessable(message: str) -> FilesError:
    """Return 422 for a body that is understood but cannot be processed."""
    return FilesError(422, "UnprocessableEntity", message)


def locked(message: str, condition: str, *hrefs: str) -> FilesError:
    """Return 423 for locks that prevent a request; ``hrefs`` are the addresses of their roots."""
    code = "ConflictingLock" if condition == "no-conflicting-lock" else "Locked"
    return FilesError(423, code, message, condition=condition, hrefs=hrefs)


def members_failed(message: str, condition: str, *failed: tuple[str, int]) -> FilesError:
    """Return 207 for members of a folder that prevent a request; nothing of it was done."""
    return FilesError(207, "Locked", message, condition=condition, failed=failed)


def not_implemented(message: str) -> FilesError:
    """Return 501 for a method that is unknown here."""
    return FilesError(501, "NotImplemented", message)


def other_server(message: str) -> FilesError:
    """Return 502 for a destination on another server."""
    return FilesError(502, "BadGateway", message)


def no_space(message: str) -> FilesError:
    """Return 507 for a quota or a number of entries that would be exceeded."""
    return FilesError(507, "InsufficientStorage", message)
