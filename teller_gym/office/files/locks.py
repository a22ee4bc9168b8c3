"""Write locks of a user's tree (RFC 4918, section 6): who holds what, and until when. HTTP is in `locking`.

A tree is its user's own, so its locks are as well: no token is of use to anybody else. Locks keep clients of one user
from each other's way; `writing` itself asks for no token, as an agent's desk has none.

**Time.** The office's clock stands still between events and moves by a second with each change that anybody makes in
the office. A lock with a timeout of 600 seconds therefore ends after 600 such changes, and never by waiting. Taking,
refreshing and releasing locks moves no clock.

A lock ends with UNLOCK, with its timeout, and as soon as nothing is left at its root. So a MOVE takes no lock along, a
COPY none either, and what replaces a locked file is locked as that was.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from teller_gym.office.files.errors import no_space
from teller_gym.office.files.paths import below
from teller_gym.office.files.times import stamp
from teller_gym.office.files.tree import find
from teller_gym.office.ids import uuid_id
from teller_gym.office.store import Store

LOCKS: Final = "webdav.locks"
"""Table of locks by user name. It is no ``files.`` table: a lock changes nobody's files."""

MAX_LOCKS: Final = 100
"""Locks in a user's tree; editors take one for each open file."""

USUAL_S: Final = 1800
"""Timeout of a lock whose client names none, in seconds of the office's clock: ownCloud's default."""

LONGEST_S: Final = 86_400
"""Longest timeout, also for a client that asks for an infinite one: ownCloud's default."""


class Lock(msgspec.Struct, frozen=True):
    """A write lock.

    Attributes:
        token: a URI, derived from the store's seed.
        root: path of what was locked.
        deep: whether all below the root is locked as well (Depth infinity).
        exclusive: False for a shared lock, beside which there may be others.
        owner: XML that the client gave to say whose it is; may be empty.
        expires: seconds since 1970 by the office's clock.
    """

    token: str
    root: str
    deep: bool
    exclusive: bool
    owner: str
    expires: int

    def covers(self, path: str) -> bool:
        """Return whether a path is in the lock's scope."""
        return self.root == path or (self.deep and below(path, self.root))


def active(store: Store, user: str) -> list[Lock]:
    """Return the locks in a user's tree that have not timed out, oldest first."""
    record = store.get(LOCKS, user)
    if record is None:
        return []
    now = stamp(store.clock())
    return [lock for one in record["locks"] if (lock := Lock(**one)).expires > now]


def covering(locks: Sequence[Lock], path: str) -> list[Lock]:
    """Return the locks in whose scope a path is."""
    return [one for one in locks if one.covers(path)]


def barring(locks: Sequence[Lock], path: str, submitted: Collection[str]) -> list[Lock]:
    """Return the locks that keep a request from changing what is at a path; none if it has the token of one of them.

    One is enough: besides an exclusive lock there is no other, and shared ones each allow their holders to write.
    """
    found = covering(locks, path)
    return [] if any(one.token in submitted for one in found) else found


def conflicting(locks: Sequence[Lock], path: str, deep: bool, exclusive: bool) -> list[Lock]:
    """Return the locks beside which another cannot be: those on the path itself first, then those on what is below."""
    against = [one for one in locks if exclusive or one.exclusive]
    return [*covering(against, path), *(one for one in against if deep and below(one.root, path))]


def has_room(store: Store, user: str) -> None:
    """Check that there can be one more lock.

    Raises:
        FilesError: 507.
    """
    if len(active(store, user)) >= MAX_LOCKS:
        raise no_space(f"A user has at most {MAX_LOCKS} locks; release one with UNLOCK")


def take(store: Store, user: str, path: str, *, deep: bool, exclusive: bool, owner: str, seconds: int) -> Lock:
    """Add a lock; `conflicting` and `has_room` say whether it may be."""
    token = "opaquelocktoken:" + uuid_id(store.seed, "files.lock", store.count("files.lock"))
    lock = Lock(token, path, deep, exclusive, owner, _end(store, seconds))
    _keep(store, user, [*active(store, user), lock])
    return lock


def refresh(store: Store, user: str, lock: Lock, seconds: int) -> Lock:
    """Let a lock's timeout begin anew and return the lock as it then is."""
    new = msgspec.structs.replace(lock, expires=_end(store, seconds))
    _keep(store, user, [new if one.token == lock.token else one for one in active(store, user)])
    return new


def release(store: Store, user: str, lock: Lock) -> None:
    """Remove a lock."""
    _keep(store, user, [one for one in active(store, user) if one.token != lock.token])


def prune(store: Store, user: str) -> None:
    """Remove the locks at whose roots nothing is left."""
    if store.get(LOCKS, user) is not None:
        _keep(store, user, [one for one in active(store, user) if find(store, user, one.root) is not None])


def left(store: Store, lock: Lock) -> int:
    """Return the seconds of the office's clock until a lock ends."""
    return lock.expires - stamp(store.clock())


def _end(store: Store, seconds: int) -> int:
    return stamp(store.clock()) + min(seconds, LONGEST_S)


def _keep(store: Store, user: str, locks: Sequence[Lock]) -> None:
    if locks:
        store.put(LOCKS, user, {"locks": [msgspec.to_builtins(one) for one in locks]})
    else:
        store.delete(LOCKS, user)
