"""Whose desk it is: an office's store and the person who works there. It stands where a bank stands elsewhere."""

from __future__ import annotations

from typing import Any, Final

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.voice import Voice
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.files.errors import FilesError
from teller_gym.office.store import Snapshot, Store
from teller_gym.office.tracker.errors import TrackerError

Refusal = FilesError | CrmError | ChatError | TrackerError
"""What a service raises when it refuses; all have ``status``, ``code`` and ``message``."""

REFUSALS: Final = (FilesError, CrmError, ChatError, TrackerError)

_TEMPORARY: Final = frozenset({429, 503})


class Desk:
    """The place of one person in an office.

    Args:
        store: the office's; every tool writes to it.
        user: user name of who works here, known to all services.
        voice: puts what colleagues answer into words; plain ones unless given.
    """

    __slots__ = ("store", "user", "voice")

    def __init__(self, store: Store, user: str, voice: Voice | None = None) -> None:
        self.store = store
        self.user = user
        self.voice = voice

    def snapshot(self) -> Snapshot:
        """Return the office as it stands, in microseconds."""
        return self.store.snapshot()

    def fork(self) -> Desk:
        """Return an independent copy, in microseconds."""
        return Desk(self.store.fork(self.store.snapshot()), self.user, self.voice)

    def facts(self) -> list[Any]:
        """Return what differs from the start as plain data, for a fingerprint."""
        return [self.user, self.store.state_hash()]


def told(refusal: Refusal, field: str | None = None) -> ToolError:
    """Return a service's refusal as an agent reads it: with the status that the service's API gives it.

    Args:
        refusal: the service's.
        field: the argument it is about, where the tool knows that.
    """
    kind = ErrorKind.TEMPORARY if refusal.status in _TEMPORARY else ErrorKind.VALIDATION
    return ToolError(kind, f"{refusal.status} {refusal.code or 'refused'}: {refusal.message}", field)
