"""Requests to a user's tree."""

from __future__ import annotations

import msgspec

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.urls import Target
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request


class Call(msgspec.Struct, frozen=True):
    """A request to a user's tree, as passed to the methods.

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
        """Normalised path in the tree."""
        return self.target.path

    @property
    def prefix(self) -> str:
        """Address of the user's home, for links."""
        return self.target.prefix

    def depth(self, *known: str) -> str:
        """Return the request's Depth, by default infinity.

        Raises:
            FilesError: 400 unless it is one of the ``known`` ones.
        """
        depth = self.request.headers.get("depth", "infinity").strip().lower()
        if depth not in known:
            what = f"Expected a Depth of {' or '.join(known)} for {self.request.method}; got {depth[:20]!a}"
            raise FilesError(400, what)
        return depth
