"""An agent's desk: an office's store and its user, on which office tools work as bank tools work on a bank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.files.errors import FilesError
from teller_gym.office.store import Snapshot, Store
from teller_gym.office.tracker.errors import TrackerError

REFUSALS: Final = (FilesError, CrmError, ChatError, TrackerError)
"""Exceptions that the services raise for invalid requests. All have ``status``, ``code`` and ``message``."""

_TEMPORARY: Final = frozenset({429, 503})


class Desk:
    """A user's place in an office.

    Args:
        store: the office's store; tools write to it.
        user: user name, known to all services.
    """

    __slots__ = ("store", "user")

    def __init__(self, store: Store, user: str) -> None:
        self.store = store
        self.user = user

    def snapshot(self) -> Snapshot:
        """Return a snapshot of the office.

        This takes microseconds.
        """
        return self.store.snapshot()

    def fork(self) -> Desk:
        """Return an independent copy.

        This takes microseconds.
        """
        return Desk(self.store.fork(self.store.snapshot()), self.user)

    def facts(self) -> list[Any]:
        """Return the user and a hash of all changes, for a fingerprint of the state."""
        return [self.user, self.store.state_hash()]


class Refusals:
    """Converts service errors within a `with` block to a `ToolError` with the status of the service's API.

    Args:
        field: the argument that errors are attributed to; None if unknown.
        by_status: arguments that errors with certain statuses are attributed to instead.
    """

    __slots__ = ("_by_status", "_field")

    def __init__(self, field: str | None = None, by_status: Mapping[int, str] = {}) -> None:
        self._field = field
        self._by_status = by_status

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, REFUSALS):
            what = ErrorKind.TEMPORARY if error.status in _TEMPORARY else ErrorKind.VALIDATION
            message = f"{error.status} {error.code or 'refused'}: {error.message}"
            raise ToolError(what, message, self._by_status.get(error.status, self._field)) from None
