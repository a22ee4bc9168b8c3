"""Paths in a user's tree: ``/`` is the user's home, ``/Clients/Ada/deed.txt`` a file.

No path leaves the tree.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from teller_gym.office.files.errors import invalid_path

MAX_NAME: Final = 255
"""Maximum size of a name in bytes of UTF-8, as in file systems."""

MAX_PATH: Final = 4000
"""Maximum size of a path in bytes of UTF-8, as in ownCloud's database."""

MAX_DEPTH: Final = 32
"""Maximum number of names in a path, which limits the time to walk a tree and to update the folders above a file."""

_REFUSED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\\\ud800-\udfff\ufffe\uffff]")
"""Control characters, the backslash (a separator on other systems), and characters that XML does not allow."""


def clean(path: str) -> str:
    """Normalise a path to one leading slash, none at the end and NFC names.

    Raises:
        FilesError: 400 for an invalid path.
    """
    if len(path) > MAX_PATH:
        raise invalid_path(f"A path has at most {MAX_PATH} bytes; this one has more")
    return _cleaned(path)


@lru_cache(maxsize=4096)
def _cleaned(path: str) -> str:
    names = [_name(name) for name in path.split("/") if name]
    if len(names) > MAX_DEPTH:
        raise invalid_path(f"A path has at most {MAX_DEPTH} names; this one has {len(names)}")
    found = "/" + "/".join(names)
    if len(found.encode()) > MAX_PATH:
        raise invalid_path(f"A path has at most {MAX_PATH} bytes; this one has {len(found.encode())}")
    return found


def _name(name: str) -> str:
    refused = _REFUSED.search(name)
    if refused:
        raise invalid_path(f"Names have no control characters and no backslash; this one has {refused[0]!a}")
    name = unicodedata.normalize("NFC", name)
    if name.strip() in ("", ".", ".."):
        raise invalid_path(f"A name is neither blank nor made of dots; this one is '{name}'")
    if len(name.encode()) > MAX_NAME:
        raise invalid_path(f"A name has at most {MAX_NAME} bytes; this one has {len(name.encode())}")
    return name


def parent(path: str) -> str:
    """Return the folder that contains a path.

    The home's parent is the home itself.
    """
    return path.rpartition("/")[0] or "/"


def name(path: str) -> str:
    """Return the last name in a path.

    The result is empty for the home.
    """
    return path.rpartition("/")[2]


def below(path: str, folder: str) -> bool:
    """Return True if a path is within a folder, at any depth."""
    return path != folder and path.startswith(folder if folder == "/" else folder + "/")


def moved(path: str, source: str, destination: str) -> str:
    """Return the path of ``path``, at or below ``source``, after a move.

    Raises:
        FilesError: 400 if the new path is too long or too deep.
    """
    return clean(destination + path[len(source) :])
