"""HTTP methods, and WebDAV methods that change the tree.

Others are in `property_methods` and `locking`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from teller_gym.office.files import writing
from teller_gym.office.files.call import Call
from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.guarding import guard, guard_transfer
from teller_gym.office.files.locking import lock, unlock
from teller_gym.office.files.media import media_type
from teller_gym.office.files.paths import name, parent
from teller_gym.office.files.property_methods import propfind, proppatch
from teller_gym.office.files.times import http_date
from teller_gym.office.files.tree import existing, find, is_folder
from teller_gym.office.files.urls import destination
from teller_gym.office.store import Record
from teller_gym.office.web import Response

Headers = tuple[tuple[str, str], ...]

NO_FILE: Final = b"WebDAV serves this folder: its members are listed with PROPFIND, and no page shows them."
"""Response to GET for a folder, with status 200 as in ownCloud."""

_MTIME: Final = re.compile(r"\s*(-?\d{1,12})(\.\d{1,9})?\s*", re.ASCII)


def allowed(record: Record | None) -> str:
    """Return the allowed methods for a record, or for a path without one, separated by commas."""
    if record is None:
        return "OPTIONS, PUT, MKCOL, LOCK"
    put = "" if is_folder(record) else "PUT, "
    return f"OPTIONS, GET, HEAD, {put}DELETE, PROPFIND, PROPPATCH, COPY, MOVE, LOCK, UNLOCK"


def answer(call: Call) -> Response:
    """Answer a request to a tree.

    Raises:
        FilesError: 501 for unknown methods.
    """
    method = METHODS.get(call.request.method)
    if method is not None:
        return method(call)
    raise FilesError(501, f"There is no method {call.request.method[:20]!a} here")


def _options(call: Call) -> Response:
    """Return the allowed methods and the WebDAV classes: locks (2), and RFC 4918 (3)."""
    offered = (("Allow", allowed(call.record)), ("DAV", "1, 2, 3"), ("MS-Author-Via", "DAV"))
    return Response(200, offered)


def _get(call: Call) -> Response:
    record = existing(call.store, call.username, call.path)
    if is_folder(record):
        return Response(200, (("Content-Type", "text/html; charset=UTF-8"),), NO_FILE)
    content: bytes = record["content"]
    file_name = quote(name(call.path), safe="")
    headers: Headers = (
        ("Content-Type", media_type(name(call.path))),
        _etag(record),
        ("Last-Modified", http_date(record["modified"])),
        ("Content-Disposition", f"attachment; filename*=UTF-8''{file_name}; filename=\"{file_name}\""),
    )
    return Response(200, headers, content)


def _put(call: Call) -> Response:
    headers = call.request.headers
    if "content-range" in headers:
        raise FilesError(400, "A PUT replaces the whole file; Content-Range asks for a part of it")
    modified: int | None = None
    if "x-oc-mtime" in headers:
        match = _MTIME.fullmatch(headers["x-oc-mtime"])
        if match is None:
            raise FilesError(400, "Expected seconds since 1970 as X-OC-Mtime; got what is no number of them")
        modified = int(match[1])
    guard(call, *((call.path,) if call.record else (parent(call.path),)))
    writing.write_file(call.store, call.username, call.path, call.request.body, modified)
    record = existing(call.store, call.username, call.path)
    accepted: Headers = () if modified is None else (("X-OC-MTime", "accepted"),)
    return Response(204 if call.record else 201, (_etag(record), *accepted))


def _mkcol(call: Call) -> Response:
    if call.request.body:
        raise FilesError(415, "Expected no body: MKCOL makes an empty folder")
    guard(call, parent(call.path))
    writing.make_folder(call.store, call.username, call.path)
    return Response(201)


def _delete(call: Call) -> Response:
    guard(call, call.path, parent(call.path), emptied=(call.path,))
    writing.delete(call.store, call.username, call.path)
    return Response(204)


def _copy(call: Call) -> Response:
    there, overwrite = _landing(call)
    deep = call.depth("0", "infinity") == "infinity"
    guard_transfer(call, there, moves=False)
    before = find(call.store, call.username, there)
    writing.copy(call.store, call.username, call.path, there, overwrite=overwrite, deep=deep)
    return Response(204 if before else 201)


def _move(call: Call) -> Response:
    there, overwrite = _landing(call)
    call.depth("infinity")
    guard_transfer(call, there, moves=True)
    before = find(call.store, call.username, there)
    writing.move(call.store, call.username, call.path, there, overwrite=overwrite)
    return Response(204 if before else 201)


def _landing(call: Call) -> tuple[str, bool]:
    """Return the path to copy or move to, and True if an existing file or folder may be replaced."""
    headers = call.request.headers
    overwrite = headers.get("overwrite", "T").strip().upper()
    if overwrite not in ("T", "F"):
        raise FilesError(400, f"Expected T or F as Overwrite; got {overwrite[:20]!a}")
    there = destination(headers.get("destination", "").strip(), headers.get("host", ""), call.target)
    return there, overwrite == "T"


def _etag(record: Record) -> tuple[str, str]:
    return "ETag", f'"{record["etag"]}"'


METHODS: Final[dict[str, Callable[[Call], Response]]] = {
    "OPTIONS": _options,
    "GET": _get,
    "HEAD": _get,
    "PUT": _put,
    "DELETE": _delete,
    "MKCOL": _mkcol,
    "COPY": _copy,
    "MOVE": _move,
    "PROPFIND": propfind,
    "PROPPATCH": proppatch,
    "LOCK": lock,
    "UNLOCK": unlock,
}
