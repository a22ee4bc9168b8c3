"""Dead properties (RFC 4918, section 4): properties of files and folders that the store keeps for clients as they are.

They are not records of the office: setting one changes neither the ETag nor the time nor the quota of its file or
folder. COPY and MOVE take them along; they stay when a file is written again, and are deleted with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from teller_gym.office.files.xml_reading import Name
from teller_gym.office.store import Store

PROPERTIES: Final = "webdav.properties"
"""Table of dead properties by ``<user><path>``. It is not a ``files.`` table, since a property changes no file."""

MAX_PROPERTIES: Final = 100
"""Maximum number of dead properties of a file or folder."""

MAX_BYTES: Final = 16 * 1024
"""Maximum size of their names and values together, in bytes of UTF-8: clients keep flags and comments in them."""


class Dead(msgspec.Struct, frozen=True):
    """A dead property.

    Attributes:
        namespace: empty for none.
        local: its local name.
        value: XML that declares all its namespaces; may be empty.
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
    """Return the dead properties at a clean path, in the order in which they were first set."""
    record = store.get(PROPERTIES, user + path)
    return [] if record is None else [Dead(**one) for one in record["properties"]]


def fits(properties: Sequence[Dead]) -> bool:
    """Return True if a file or folder can have these properties."""
    texts = (text for one in properties for text in (one.namespace, one.local, one.value, one.lang))
    return len(properties) <= MAX_PROPERTIES and sum(len(text.encode()) for text in texts) <= MAX_BYTES


def keep(store: Store, user: str, path: str, properties: Sequence[Dead]) -> None:
    """Replace the dead properties at a clean path with others that pass `fits`."""
    if properties:
        store.put(PROPERTIES, user + path, {"properties": [msgspec.to_builtins(one) for one in properties]})
    else:
        store.delete(PROPERTIES, user + path)


def copy(store: Store, user: str, path: str, target: str) -> None:
    """Copy the dead properties at ``path`` to the file or folder at ``target``."""
    record = store.get(PROPERTIES, user + path)
    if record is not None:
        store.put(PROPERTIES, user + target, record)


def forget(store: Store, user: str, path: str) -> None:
    """Remove all dead properties at a clean path."""
    store.delete(PROPERTIES, user + path)
