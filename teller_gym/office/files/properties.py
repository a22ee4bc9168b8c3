"""Live properties of files and folders, as XML in responses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from teller_gym.office.files.discovery import SUPPORTED, discovery
from teller_gym.office.files.locks import Lock, covering
from teller_gym.office.files.media import media_type
from teller_gym.office.files.paths import name
from teller_gym.office.files.times import http_date, iso
from teller_gym.office.files.tree import existing, is_folder, size
from teller_gym.office.files.xml_reading import OC, D
from teller_gym.office.store import Record, Store


class Node(msgspec.Struct, frozen=True):
    """A file or folder with its path.

    Attributes:
        prefix: address of the user's home, for links.
        locks: all locks of the user.
    """

    store: Store
    user: str
    path: str
    record: Record
    prefix: str
    locks: Sequence[Lock]


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
    return str(max(home["quota"] - home["size"], 0))


def _locks(node: Node) -> str:
    return discovery(node.store, node.user, node.prefix, covering(node.locks, node.path))


LIVE: Final[dict[str, Callable[[Node], str | None]]] = {
    f"{D}creationdate": lambda node: iso(node.record["created"]),
    f"{D}getlastmodified": lambda node: http_date(node.record["modified"]),
    f"{D}getcontentlength": _length,
    f"{D}resourcetype": lambda node: "<d:collection/>" if is_folder(node.record) else "",
    f"{D}quota-used-bytes": _used,
    f"{D}quota-available-bytes": _available,
    f"{D}getetag": lambda node: f'"{node.record["etag"]}"',
    f"{D}getcontenttype": _type,
    f"{D}lockdiscovery": _locks,
    f"{D}supportedlock": lambda node: SUPPORTED,
    f"{OC}fileid": lambda node: str(node.record["id"]),
    # May be deleted, renamed, moved, and written to (W) or given files and folders (C, K). R is missing: no sharing.
    f"{OC}permissions": lambda node: "DNVCK" if is_folder(node.record) else "DNVW",
    f"{OC}size": lambda node: str(size(node.record)),
}
"""Function that returns each live property or None, in the order of a response. Clients cannot set them."""

ALLPROP: Final = tuple(name for name in LIVE if name.startswith(D))
"""Property names in the response to allprop: RFC 4918's, without ownCloud's."""
