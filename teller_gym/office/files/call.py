"""A request to a user's tree, with what the address and the sign-in say."""

from __future__ import annotations

import msgspec

from teller_gym.office.files.urls import Target
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request


class Call(msgspec.Struct, frozen=True):
    """What a method is given.

    Attributes:
        target: a tree that is the user's own.
        record: what stands at the path, or None.
        tokens: the lock tokens that the request submits.
    """

    store: Store
    username: str
    request: Request
    target: Target
    record: Record | None
    tokens: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        """The path in the tree, clean."""
        return self.target.path

    @property
    def prefix(self) -> str:
        """The address of the home, for links."""
        return self.target.prefix
