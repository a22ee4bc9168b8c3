"""XML of the lock properties lockdiscovery and supportedlock (RFC 4918)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

from teller_gym.office.files.locks import Lock, left
from teller_gym.office.files.tree import find, is_folder
from teller_gym.office.files.urls import href
from teller_gym.office.store import Store

_WRITE: Final = "<d:locktype><d:write/></d:locktype>"

SUPPORTED: Final = "".join(
    f"<d:lockentry><d:lockscope><d:{scope}/></d:lockscope>{_WRITE}</d:lockentry>" for scope in ("exclusive", "shared")
)
"""Value of supportedlock, the same for all files and folders."""


def address(store: Store, user: str, prefix: str, path: str) -> str:
    """Return the address of a path, with a slash at the end for a folder."""
    record = find(store, user, path)
    return href(prefix, path, record is not None and is_folder(record))


def discovery(store: Store, user: str, prefix: str, locks: Sequence[Lock]) -> str:
    """Return the value of lockdiscovery for the given locks."""
    return "".join(_active(store, user, prefix, one) for one in locks)


def _active(store: Store, user: str, prefix: str, lock: Lock) -> str:
    owner = f"<d:owner>{lock.owner}</d:owner>" if lock.owner else ""
    return (
        f"<d:activelock><d:lockscope><d:{'exclusive' if lock.exclusive else 'shared'}/></d:lockscope>{_WRITE}"
        f"<d:depth>{'infinity' if lock.deep else '0'}</d:depth>{owner}"
        f"<d:timeout>Second-{left(store, lock)}</d:timeout>"
        f"<d:locktoken><d:href>{lock.token}</d:href></d:locktoken>"
        f"<d:lockroot><d:href>{escape(address(store, user, prefix, lock.root))}</d:href></d:lockroot></d:activelock>"
    )
