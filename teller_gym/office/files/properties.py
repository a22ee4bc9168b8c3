"""Properties of files and folders, as XML of answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from teller_gym.office.files.discovery import SUPPORTED, discovery
from teller_gym.office.files.locks import Lock, covering
from teller_gym.office.files.media import media_type
from teller_gym.office.files.paths import name
from teller_gym.office.files.times import http_date, iso
from teller_gym.office.files.tree import UNLIMITED, existing, is_folder, size
from teller_gym.office.files.xml_reading import DAV, OWNCLOUD, Name
from teller_gym.office.ids import word_id
from teller_gym.office.store import Record, Store


class Node(msgspec.Struct, frozen=True):
    """A file or folder at its path.

    Attributes:
        prefix: the address of the home, for links.
        locks: all locks of the user.
    """

    store: Store
    user: str
    path: str
    record: Record
    prefix: str
    locks: Sequence[Lock]


def find(node: Node, property_name: Name) -> str | None:
    """Return the value of a live property; None if the node does not have it."""
    read = LIVE.get(property_name)
    return None if read is None else read(node)


def oc_id(store: Store, number: int) -> str:
    """Return the id that ownCloud's clients use: the number with eight digits and the name of the installation."""
    return f"{number:08d}{_installation(store.seed)}"


@lru_cache(maxsize=64)
def _installation(seed: int) -> str:
    return "oc" + word_id(seed, "files.installation", 0, 10).lower()


def _length(node: Node) -> str | None:
    return None if is_folder(node.record) else str(size(node.record))


def _type(node: Node) -> str | None:
    return None if is_folder(node.record) else media_type(name(node.path))


def _used(node: Node) -> str | None:
    return str(size(node.record)) if is_folder(node.record) else None


def _available(node: Node) -> str | None:
    if not is_folder(node.record):
        return None
    home = existing(node.store, node.user, "/")
    return str(UNLIMITED if home["quota"] == UNLIMITED else max(home["quota"] - home["size"], 0))


def _locks(node: Node) -> str:
    return discovery(node.store, node.user, node.prefix, covering(node.locks, node.path))


LIVE: Final[dict[Name, Callable[[Node], str | None]]] = {
    (DAV, "creationdate"): lambda node: iso(node.record["created"]),
    (DAV, "getlastmodified"): lambda node: http_date(node.record["modified"]),
    (DAV, "getcontentlength"): _length,
    (DAV, "resourcetype"): lambda node: "<d:collection/>" if is_folder(node.record) else "",
    (DAV, "quota-used-bytes"): _used,
    (DAV, "quota-available-bytes"): _available,
    (DAV, "getetag"): lambda node: f'"{node.record["etag"]}"',
    (DAV, "getcontenttype"): _type,
    (DAV, "lockdiscovery"): _locks,
    (DAV, "supportedlock"): lambda node: SUPPORTED,
    (OWNCLOUD, "id"): lambda node: oc_id(node.store, node.record["id"]),
    (OWNCLOUD, "fileid"): lambda node: str(node.record["id"]),
    # Deletable, renamable, movable; a file's content can be written, a folder can be given files and folders. Nothing
    # can be shared, so that ownCloud's R is missing.
    (OWNCLOUD, "permissions"): lambda node: "DNVCK" if is_folder(node.record) else "DNVW",
    (OWNCLOUD, "size"): lambda node: str(size(node.record)),
}
"""Reader of each live property, in the order of an answer; none can be set."""

ALLPROP: Final = tuple(name for name in LIVE if name[0] == DAV)
"""Properties of an answer to allprop: RFC 4918's, without ownCloud's."""
