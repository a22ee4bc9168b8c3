"""Reads a user's files. Paths are normalised by `paths.clean`, which rejects invalid ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import translate
from typing import Any, Final

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.paths import MAX_NAME, clean, name
from teller_gym.office.files.tree import children, entry, existing, walk
from teller_gym.office.store import Store

MAX_FOUND: Final = 100
"""Maximum number of search results."""


def info(store: Store, user: str, path: str) -> dict[str, Any]:
    """Return the path, name, type, size, modified, etag and id of a file or folder, and a file's content_type."""
    path = clean(path)
    return entry(path, existing(store, user, path))


def list_folder(store: Store, user: str, path: str = "/") -> list[dict[str, Any]]:
    """Return a folder's members by name, each in the format of `info`.

    Raises:
        FilesError: 409 for a file.
    """
    path = clean(path)
    folder = existing(store, user, path)
    if "children" not in folder:
        raise FilesError(409, f"Expected a folder; {path} is a file")
    return [entry(child, record) for child, record in children(store, user, path, folder)]


def read_file(store: Store, user: str, path: str) -> bytes:
    """Return a file's content.

    Raises:
        FilesError: 409 for a folder.
    """
    path = clean(path)
    file = existing(store, user, path)
    if "children" in file:
        raise FilesError(409, f"Expected a file; {path} is a folder")
    content: bytes = file["content"]
    return content


def search(store: Store, user: str, text: str, folder: str = "/") -> list[dict[str, Any]]:
    """Return the files and folders below a folder whose names contain a text, or match it if it has * or ?.

    Case does not matter. Folders come before their members, and otherwise results are sorted by name.
    """
    if not text.strip() or len(text) > MAX_NAME:
        raise FilesError(400, f"Expected between 1 and {MAX_NAME} characters to look for; got {len(text.strip())}")
    folder = clean(folder)
    if "*" in text or "?" in text:
        # The standard library's pattern does not backtrack from one star into another. [ is escaped: it begins a set.
        matches: Callable[[str], object] = re.compile(translate(text.casefold().replace("[", "[[]"))).match
    else:
        matches = re.compile(re.escape(text.casefold())).search
    found: list[dict[str, Any]] = []
    for path, record in walk(store, user, folder, existing(store, user, folder)):
        if len(found) >= MAX_FOUND:
            break
        if path != folder and matches(name(path).casefold()):
            found.append(entry(path, record))
    return found


def contents(store: Store, user: str, folder: str = "/") -> dict[str, bytes]:
    """Return the contents of all files below a folder, by path."""
    folder = clean(folder)
    nodes = walk(store, user, folder, existing(store, user, folder))
    return {path: record["content"] for path, record in nodes if "children" not in record}
