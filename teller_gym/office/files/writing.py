"""Changes a user's files. Each function makes its whole change, or raises `FilesError` and changes nothing.

A change advances the clock by one event, and updates the ETag and time of every folder above it. Dead properties are
copied or moved as well, and locks whose roots no longer exist end; these functions ignore all other locks.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import Any, Final

from teller_gym.office.files import dead, locks
from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.paths import below, clean, moved, name, parent
from teller_gym.office.files.times import LATEST, stamp
from teller_gym.office.files.tree import NODES, entries, entry, existing, find, is_folder, size, walk
from teller_gym.office.ids import digest
from teller_gym.office.store import Record, Store
from teller_gym.office.web import MAX_BODY

MAX_FILE: Final = MAX_BODY
"""Maximum size of a file in bytes, the same as of a request body."""

MAX_ENTRIES: Final = 2000
"""Maximum number of files and folders in a user's tree, which keeps listings short."""

NEW_IDS_FROM: Final = 100_000
"""Lower bound of the ids of created files. The ids of initial files are lower."""


def write_file(store: Store, user: str, path: str, content: bytes, modified: int | None = None) -> dict[str, Any]:
    """Create a file or replace its content, and return it in the format of `reading.info`.

    Args:
        store: the office's store.
        user: user name of the tree's owner.
        path: path of the file.
        content: the new content.
        modified: time of the last change in seconds since 1970; None for the current time.

    Raises:
        FilesError: 409 if the path is a folder or in a missing folder; 413 if the file is too large; 507 if it exceeds
            the
            quota or the number of entries.
    """
    path = clean(path)
    old = find(store, user, path)
    if old is not None and is_folder(old):
        raise FilesError(409, f"Expected the path of a file; {path} is a folder")
    if len(content) > MAX_FILE:
        raise FilesError(413, f"A file has at most {MAX_FILE} bytes; this one has {len(content)}")
    if old is None:
        _folder_of(store, user, path, 409)
    more = len(content) - (0 if old is None else size(old))
    _has_space(store, user, more, 0 if old else 1)

    now, etag, folders_etag = _change(store)
    new = {
        "id": old["id"] if old else _new_id(store),
        "content": content,
        "etag": etag,
        "created": old["created"] if old else now,
        "modified": now if modified is None else min(max(modified, 0), LATEST),
    }
    store.put(NODES, user + path, new)
    if old is None:
        _link(store, user, path, new, now, folders_etag)
    else:
        _touch(store, user, parent(path), more, 0, now, folders_etag)
    return entry(path, new)


def make_folder(store: Store, user: str, path: str) -> dict[str, Any]:
    """Create an empty folder, and return it in the format of `reading.info`.

    Raises:
        FilesError: 405 if the path exists; 409 for a path in a missing folder; 507 beyond the number of entries.
    """
    path = clean(path)
    if path != "/":
        _folder_of(store, user, path, 409)
    if find(store, user, path) is not None:
        raise FilesError(405, f"There is already something at {path}")
    _has_space(store, user, 0, 1)

    now, _, etag = _change(store)
    new = _folder(store, now, etag)
    store.put(NODES, user + path, new)
    _link(store, user, path, new, now, etag)
    return entry(path, new)


def delete(store: Store, user: str, path: str) -> None:
    """Delete a file, or a folder with its contents.

    Raises:
        FilesError: 404 if the path does not exist, 403 for the home.
    """
    path = clean(path)
    record = existing(store, user, path)
    if path == "/":
        raise FilesError(403, "The home folder cannot be deleted")
    now, _, etag = _change(store)
    _remove(store, user, path, record, now, etag)
    locks.prune(store, user)


def copy(
    store: Store, user: str, source: str, destination: str, *, overwrite: bool = True, deep: bool = True
) -> dict[str, Any]:
    """Copy a file, or a folder with its members, and return the copy in the format of `reading.info`.

    Args:
        store: the office's store.
        user: user name of the tree's owner.
        source: path of the file or folder.
        destination: path of the copy itself, not of the folder that contains it.
        overwrite: True to replace a file or folder at the destination, which is deleted and not merged.
        deep: False to copy a folder without its members.

    Raises:
        FilesError: 404 for the source; 409 for a destination in a missing folder or within the source, 415 for one in a
            file; 412 if the destination exists and ``overwrite`` is False; 403 if the destination is the source or a
            folder above it; 507 beyond the quota or the number of entries.
    """
    source, destination = clean(source), clean(destination)
    record, replaced = _transfer(store, user, source, destination, overwrite)
    nodes = list(walk(store, user, source, record)) if deep else [(source, record)]
    targets = [moved(path, source, destination) for path, _ in nodes]
    bytes_more = size(record) if deep or not is_folder(record) else 0
    gone = (size(replaced), entries(replaced)) if replaced else (0, 0)
    _has_space(store, user, bytes_more - gone[0], len(nodes) - gone[1])

    now, _, folders_etag = _change(store)
    if replaced is not None:
        _remove(store, user, destination, replaced, now, folders_etag)
    for target, (path, one) in zip(targets, nodes, strict=True):
        dead.copy(store, user, path, target)
        if not is_folder(one):
            store.put(NODES, user + target, {**one, **_born(store, now)})
        elif deep:
            store.put(NODES, user + target, {**one, **_born(store, now, folders_etag)})
        else:
            store.put(NODES, user + target, _folder(store, now, folders_etag))
    new = existing(store, user, destination)
    _link(store, user, destination, new, now, folders_etag)
    locks.prune(store, user)
    return entry(destination, new)


def move(store: Store, user: str, source: str, destination: str, *, overwrite: bool = True) -> dict[str, Any]:
    """Move or rename a file, or a folder with its members, and return it in the format of `reading.info`.

    The file or folder keeps its id, times and ETag. The arguments and errors are those of `copy`, without 507.
    """
    source, destination = clean(source), clean(destination)
    record, replaced = _transfer(store, user, source, destination, overwrite)
    nodes = list(walk(store, user, source, record))
    targets = [moved(path, source, destination) for path, _ in nodes]

    now, _, etag = _change(store)
    if replaced is not None:
        _remove(store, user, destination, replaced, now, etag)
    _unlink(store, user, source, record, now, etag)
    for target, (path, one) in zip(targets, nodes, strict=True):
        store.delete(NODES, user + path)
        store.put(NODES, user + target, one)
        dead.copy(store, user, path, target)
        dead.forget(store, user, path)
    _link(store, user, destination, record, now, etag)
    locks.prune(store, user)
    return entry(destination, record)


def _transfer(store: Store, user: str, source: str, destination: str, overwrite: bool) -> tuple[Record, Record | None]:
    """Return the records at the source and the destination, after the checks in sabre/dav's order."""
    if destination != "/":
        _folder_of(store, user, destination, 415)
    replaced = find(store, user, destination)
    if replaced is not None and not overwrite:
        raise FilesError(412, f"There is already something at {destination}, and it must stay")
    if source == destination:
        raise FilesError(403, f"Source and destination are both {source}")
    if below(destination, source):
        raise FilesError(409, f"The destination {destination} is within the source {source}")
    record = existing(store, user, source)
    if below(source, destination):
        raise FilesError(403, f"The destination {destination} holds the source {source}")
    return record, replaced


def _folder_of(store: Store, user: str, path: str, if_file: int) -> Record:
    folder = find(store, user, parent(path))
    if folder is None:
        raise FilesError(409, f"The folder {parent(path)} does not exist; it must be created first")
    if not is_folder(folder):
        raise FilesError(if_file, f"{parent(path)} is a file, which cannot hold {name(path)}")
    return folder


def _has_space(store: Store, user: str, bytes_more: int, entries_more: int) -> None:
    home = existing(store, user, "/")
    if bytes_more > 0 and home["size"] + bytes_more > home["quota"]:
        free = max(home["quota"] - home["size"], 0)
        raise FilesError(507, f"The quota leaves {free} bytes; this needs {bytes_more}")
    if entries_more > 0 and home["entries"] + entries_more > MAX_ENTRIES:
        raise FilesError(507, f"A user has at most {MAX_ENTRIES} files and folders; this would make more")


def _change(store: Store) -> tuple[int, str, str]:
    """Return a change's time, the ETag for the file that it writes, and the ETag for all folders above the file."""
    found = digest(store.seed, "files.etag", store.count("files.etag")).hex()
    return stamp(store.tick()), found[:32], found[32:45]


def _new_id(store: Store) -> int:
    return NEW_IDS_FROM + store.count("files.id")


def _born(store: Store, now: int, etag: str | None = None) -> Record:
    """Return the fields in which a copy differs from its source."""
    if etag is None:
        etag = digest(store.seed, "files.etag", store.count("files.etag")).hex()[:32]
    return {"id": _new_id(store), "etag": etag, "created": now, "modified": now}


def _folder(store: Store, now: int, etag: str) -> Record:
    return {**_born(store, now, etag), "children": [], "size": 0, "entries": 0}


def _link(store: Store, user: str, path: str, record: Record, now: int, etag: str) -> None:
    """Add a new record to its folder."""
    names = list(existing(store, user, parent(path))["children"])
    insort(names, name(path))
    _touch(store, user, parent(path), size(record), entries(record), now, etag, names)


def _unlink(store: Store, user: str, path: str, record: Record, now: int, etag: str) -> None:
    names = list(existing(store, user, parent(path))["children"])
    del names[bisect_left(names, name(path))]
    _touch(store, user, parent(path), -size(record), -entries(record), now, etag, names)


def _remove(store: Store, user: str, path: str, record: Record, now: int, etag: str) -> None:
    for one, _ in list(walk(store, user, path, record)):
        store.delete(NODES, user + one)
        dead.forget(store, user, one)
    _unlink(store, user, path, record, now, etag)


def _touch(
    store: Store,
    user: str,
    path: str,
    bytes_more: int,
    entries_more: int,
    now: int,
    etag: str,
    names: list[str] | None = None,
) -> None:
    """Update a folder, optionally with new ``names`` of its members, and all folders above it after a change."""
    while True:
        folder = existing(store, user, path)
        changed = {
            "children": folder["children"] if names is None else names,
            "size": folder["size"] + bytes_more,
            "entries": folder["entries"] + entries_more,
            "etag": etag,
            "modified": max(folder["modified"], now),
        }
        store.put(NODES, user + path, {**folder, **changed})
        if path == "/":
            return
        path, names = parent(path), None
