"""Dead properties (RFC 4918, section 4): properties of files and folders that the store keeps unchanged for clients.

They are not records of the office: setting one does not change the ETag, the time or the quota. COPY and MOVE copy
them; they survive when a file is overwritten, and are deleted with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from teller_gym.office.store import Store

PROPERTIES: Final = "webdav.properties"
"""Table of dead properties by ``<user><path>``. Its name does not begin with ``files.``, since files do not change."""

MAX_PROPERTIES: Final = 100
"""Maximum number of dead properties per file or folder."""

MAX_BYTES: Final = 16 * 1024
"""Maximum total size of a file's or folder's property names and values, in bytes of UTF-8."""


def read(store: Store, user: str, path: str) -> dict[str, str]:
    """Return the dead properties at a normalised path as XML by name, in the order in which they were first set."""
    record = store.get(PROPERTIES, user + path)
    return {} if record is None else dict(record["properties"])


def fits(properties: Mapping[str, str]) -> bool:
    """Return True if properties are within `MAX_PROPERTIES` and `MAX_BYTES`."""
    size = sum(len(text.encode()) for pair in properties.items() for text in pair)
    return len(properties) <= MAX_PROPERTIES and size <= MAX_BYTES


def keep(store: Store, user: str, path: str, properties: Mapping[str, str]) -> None:
    """Replace the dead properties at a normalised path.

    They must pass `fits`.
    """
    if properties:
        store.put(PROPERTIES, user + path, {"properties": dict(properties)})
    else:
        store.delete(PROPERTIES, user + path)


def copy(store: Store, user: str, path: str, target: str) -> None:
    """Copy the dead properties of ``path`` to ``target``."""
    record = store.get(PROPERTIES, user + path)
    if record is not None:
        store.put(PROPERTIES, user + target, record)


def forget(store: Store, user: str, path: str) -> None:
    """Delete the dead properties at a path."""
    store.delete(PROPERTIES, user + path)
