"""Write locks in a user's tree (RFC 4918, section 6): scopes and timeouts. `locking` has the HTTP methods.

Each tree, with its locks, belongs to one user. Locks prevent that user's clients from overwriting each other's changes;
`writing` itself needs no token, since an agent's desk has none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.paths import below
from teller_gym.office.files.times import stamp
from teller_gym.office.files.tree import find
from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Store

LOCKS: Final = "webdav.locks"
"""Table of locks by user name. Its name does not begin with ``files.``, since a lock changes no file."""

MAX_LOCKS: Final = 100
"""Maximum number of locks in a user's tree. Editors create one for each open file."""

USUAL_S: Final = 1800
"""Default timeout of a lock in seconds (by the office's clock), as in ownCloud."""

LONGEST_S: Final = 86_400
"""Maximum timeout in seconds, even if the client asks for an infinite one, as in ownCloud."""


class Lock(msgspec.Struct, frozen=True):
    """A write lock.

    Attributes:
        token: a URI, derived from the store's seed.
        root: path of the locked file or folder.
        deep: True if everything below the root is locked as well (Depth infinity).
        exclusive: False for a shared lock, which allows other shared locks.
        owner: XML from the client that describes the owner; may be empty.
        expires: time of expiry in seconds since 1970, by the office's clock.
    """

    token: str
    root: str
    deep: bool
    exclusive: bool
    owner: str
    expires: int

    def covers(self, path: str) -> bool:
        """Return True if a path is in the lock's scope."""
        return self.root == path or (self.deep and below(path, self.root))


def active(store: Store, user: str) -> list[Lock]:
    """Return the unexpired locks in a user's tree, oldest first."""
    record = store.get(LOCKS, user)
    if record is None:
        return []
    now = stamp(store.clock())
    return [lock for one in record["locks"] if (lock := Lock(**one)).expires > now]


def covering(locks: Sequence[Lock], path: str) -> list[Lock]:
    """Return the locks that cover a path."""
    return [one for one in locks if one.covers(path)]


def barring(locks: Sequence[Lock], path: str, submitted: Collection[str]) -> list[Lock]:
    """Return the locks that prevent a request from changing a path.

    The result is empty if the request submits one of their tokens.

    One token is enough: an exclusive lock is the only one on its path, and every holder of a shared lock may write.
    """
    found = covering(locks, path)
    return [] if any(one.token in submitted for one in found) else found


def conflicting(locks: Sequence[Lock], path: str, deep: bool, exclusive: bool) -> list[Lock]:
    """Return the locks that conflict with a new lock: those on the path itself first, then those below it."""
    against = [one for one in locks if exclusive or one.exclusive]
    return [*covering(against, path), *(one for one in against if deep and below(one.root, path))]


def has_room(store: Store, user: str) -> None:
    """Raise 507 if a user has reached the maximum number of locks."""
    if len(active(store, user)) >= MAX_LOCKS:
        raise FilesError(507, f"A user has at most {MAX_LOCKS} locks; release one with UNLOCK")


def take(store: Store, user: str, path: str, *, deep: bool, exclusive: bool, owner: str, seconds: int) -> Lock:
    """Add a lock.

    Check with `conflicting` and `has_room` first.
    """
    token = "opaquelocktoken:" + uuid_id(store.seed, "files.lock", store.count("files.lock"))
    lock = Lock(token, path, deep, exclusive, owner, _end(store, seconds))
    _keep(store, user, [*active(store, user), lock])
    return lock


def refresh(store: Store, user: str, lock: Lock, seconds: int) -> Lock:
    """Restart a lock's timeout and return the new lock."""
    new = msgspec.structs.replace(lock, expires=_end(store, seconds))
    _keep(store, user, [new if one.token == lock.token else one for one in active(store, user)])
    return new


def release(store: Store, user: str, lock: Lock) -> None:
    """Remove a lock."""
    _keep(store, user, [one for one in active(store, user) if one.token != lock.token])


def prune(store: Store, user: str) -> None:
    """Remove the locks whose roots no longer exist."""
    if store.get(LOCKS, user) is not None:
        _keep(store, user, [one for one in active(store, user) if find(store, user, one.root) is not None])


def left(store: Store, lock: Lock) -> int:
    """Return the time until a lock expires, in seconds of the office's clock."""
    return lock.expires - stamp(store.clock())


def _end(store: Store, seconds: int) -> int:
    return stamp(store.clock()) + min(seconds, LONGEST_S)


def _keep(store: Store, user: str, locks: Sequence[Lock]) -> None:
    if locks:
        store.put(LOCKS, user, {"locks": [msgspec.to_builtins(one) for one in locks]})
    else:
        store.delete(LOCKS, user)
