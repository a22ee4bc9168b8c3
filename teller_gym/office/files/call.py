"""A request to a user's tree, with its address and user."""

from __future__ import annotations

import msgspec

from teller_gym.office.files.urls import Target
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request


class Call(msgspec.Struct, frozen=True):
    """The argument of a method.

    Attributes:
        target: address in the user's own tree.
        record: record at the path, or None.
        tokens: lock tokens that the request submits.
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
