"""Users' trees in the store: one record for each file and folder, by user and path.

A file's record has its ``content`` (bytes); a folder's has ``children`` (sorted names) and, for all files and folders
below it, their total ``size`` in bytes and their number (``entries``). Both have ``id`` (a number), ``etag``,
``created`` and ``modified`` (seconds since 1970). The record of a user's home also has the ``quota`` in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from teller_gym.office.files.errors import not_found
from teller_gym.office.files.media import media_type
from teller_gym.office.files.paths import name
from teller_gym.office.files.times import iso, stamp
from teller_gym.office.ids import hex_id
from teller_gym.office.store import Record, Store

NODES: Final = "files.nodes"
"""Table of files and folders by ``<user><path>``, such as ``ada/Clients/deed.txt``. A home's key is ``ada/``."""

DEFAULT_QUOTA: Final = 64 * 1024 * 1024
"""Default quota in bytes. All trees are in memory. Initial ones have less than one megabyte."""


def find(store: Store, user: str, path: str) -> Record | None:
    """Return the record at a normalised path, or None."""
    found = store.get(NODES, user + path)
    return _empty_home(store, user) if found is None and path == "/" else found


def existing(store: Store, user: str, path: str) -> Record:
    """Return the record at a normalised path.

    Raises:
        FilesError: 404 if the path does not exist.
    """
    found = find(store, user, path)
    if found is None:
        raise not_found(path)
    return found


def is_folder(record: Record) -> bool:
    """Return True if a record is a folder."""
    return "children" in record


def size(record: Record) -> int:
    """Return the size of a file, or the total size of a folder's files, in bytes."""
    found: int = record["size"] if "children" in record else len(record["content"])
    return found


def entries(record: Record) -> int:
    """Return the number of files and folders at and below a record."""
    return 1 + int(record.get("entries", 0))


def children(store: Store, user: str, path: str, folder: Record) -> Iterator[tuple[str, Record]]:
    """Iterate over the path and record of a folder's members, by name."""
    start = user + (path if path == "/" else path + "/")
    skipped = len(user)
    for child in folder["children"]:
        record = store.get(NODES, start + child)
        if record is not None:
            yield (start + child)[skipped:], record


def walk(store: Store, user: str, path: str, record: Record) -> Iterator[tuple[str, Record]]:
    """Iterate over the path and record of a file or folder and of everything below it, folders before their members."""
    left = [(path, record)]
    while left:
        path, record = left.pop()
        yield path, record
        if "children" in record:
            left.extend(reversed(list(children(store, user, path, record))))


def entry(path: str, record: Record) -> dict[str, Any]:
    """Return a file or folder in the format that tools show: plain JSON, with times in UTC."""
    found: dict[str, Any] = {"path": path, "name": name(path)}
    if "children" in record:
        found |= {"type": "folder", "size": record["size"]}
    else:
        found |= {"type": "file", "size": len(record["content"]), "content_type": media_type(found["name"])}
    return found | {"modified": iso(record["modified"]), "etag": record["etag"], "id": record["id"]}


def _empty_home(store: Store, user: str) -> Record:
    """Return an empty home, as ownCloud creates it at a user's first login."""
    begun = stamp(store.now)
    etag = hex_id(store.seed, "files.home", user, 13)
    return {
        "id": 0,
        "children": [],
        "size": 0,
        "entries": 0,
        "etag": etag,
        "created": begun,
        "modified": begun,
        "quota": DEFAULT_QUOTA,
    }
