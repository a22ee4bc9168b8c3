"""Dead properties (RFC 4918, section 4): what clients keep about files and folders, and the store only keeps for them.

They are nobody's record: setting one changes neither ETag nor time nor quota of what it is about. They go along with
COPY and MOVE, stay when a file is written again, and end with what they are about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from teller_gym.office.files.xml_reading import Name
from teller_gym.office.store import Store

PROPERTIES: Final = "webdav.properties"
"""Table of dead properties by ``<user><path>``. It is no ``files.`` table: a property changes nobody's files."""

MAX_PROPERTIES: Final = 100
"""Dead properties of a file or folder."""

MAX_BYTES: Final = 16 * 1024
"""Bytes in UTF-8 of their names and values together: clients keep flags and comments in them."""


class Dead(msgspec.Struct, frozen=True):
    """A dead property.

    Attributes:
        namespace: empty for none.
        local: its local name.
        value: XML that declares all namespaces of its own; may be empty.
        lang: the language of the value's text, as ``xml:lang`` had it; empty for none.
    """

    namespace: str
    local: str
    value: str = ""
    lang: str = ""

    @property
    def name(self) -> Name:
        """Namespace and local name."""
        return self.namespace, self.local


def read(store: Store, user: str, path: str) -> list[Dead]:
    """Return the dead properties of what is at a clean path, in the order in which they were first set."""
    record = store.get(PROPERTIES, user + path)
    return [] if record is None else [Dead(**one) for one in record["properties"]]


def fits(properties: Sequence[Dead]) -> bool:
    """Return whether a file or folder can have these."""
    texts = (text for one in properties for text in (one.namespace, one.local, one.value, one.lang))
    return len(properties) <= MAX_PROPERTIES and sum(len(text.encode()) for text in texts) <= MAX_BYTES


def keep(store: Store, user: str, path: str, properties: Sequence[Dead]) -> None:
    """Replace the dead properties of what is at a clean path by others, which `fits` holds of."""
    if properties:
        store.put(PROPERTIES, user + path, {"properties": [msgspec.to_builtins(one) for one in properties]})
    else:
        store.delete(PROPERTIES, user + path)


def copy(store: Store, user: str, path: str, target: str) -> None:
    """Give what is at ``target`` the dead properties of what is at ``path``."""
    record = store.get(PROPERTIES, user + path)
    if record is not None:
        store.put(PROPERTIES, user + target, record)


def forget(store: Store, user: str, path: str) -> None:
    """Remove all dead properties of what was at a clean path."""
    store.delete(PROPERTIES, user + path)
