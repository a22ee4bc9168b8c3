"""PROPFIND and PROPPATCH, which read and change properties.

A PROPPATCH makes all its changes or none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from teller_gym.office.files import dead
from teller_gym.office.files.call import Call
from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.guarding import guard
from teller_gym.office.files.locks import active
from teller_gym.office.files.properties import ALLPROP, LIVE, Node
from teller_gym.office.files.tree import children, existing, is_folder
from teller_gym.office.files.urls import href
from teller_gym.office.files.xml_reading import Wanted, changes, wanted
from teller_gym.office.files.xml_writing import Property, multistatus, response
from teller_gym.office.web import Response

MAX_LISTED: Final = 16 * 1024 * 1024
"""Maximum length of a response in characters."""


_CONDITIONS: Final = {403: "cannot-modify-protected-property", 507: "", 424: "", 200: ""}
"""Property statuses, in the order of a response, with RFC 4918's condition."""


def propfind(call: Call) -> Response:
    """Answer with the properties of the file or folder at the path and, with Depth 1, of a folder's members.

    Raises:
        FilesError: 400 or 413 for header and body; 403 for Depth infinity; 404.
    """
    record = existing(call.store, call.username, call.path)
    depth = call.request.headers.get("depth", "1").strip().lower()
    if depth == "infinity":
        raise FilesError(
            403, "Depth infinity is not offered; ask with Depth 1, folder by folder", condition="propfind-finite-depth"
        )
    if depth not in ("0", "1"):
        raise FilesError(400, f"Expected a Depth of 0 or 1; got {depth[:20]!a}")
    asked = wanted(call.request.body)
    nodes = [(call.path, record)]
    if depth == "1" and is_folder(record):
        nodes.extend(children(call.store, call.username, call.path, record))
    locks = active(call.store, call.username)
    told: list[str] = []
    length = 0
    for path, one in nodes:
        told.append(_described(Node(call.store, call.username, path, one, call.prefix, locks), asked))
        length += len(told[-1])
        if length > MAX_LISTED:
            message = f"These properties of {len(nodes)} files and folders would be too long an answer"
            raise FilesError(413, message)
    return multistatus(told)


def _described(node: Node, asked: Wanted) -> str:
    address = href(node.prefix, node.path, is_folder(node.record))
    kept = dead.read(node.store, node.user, node.path)
    if asked.kind == "propname":
        live = [Property(name) for name, read in LIVE.items() if read(node) is not None]
        return response(address, (200, [*live, *map(Property, kept)], ""))
    found: list[Property] = []
    missing: list[Property] = []
    for name in _listed(asked, kept):
        value = LIVE[name](node) if name in LIVE else None
        if value is not None:
            found.append(Property(name, value))
        elif name in kept:
            found.append(Property(name, kept[name]))
        elif name in asked.names:
            missing.append(Property(name))
    if missing and not found:
        return response(address, (404, missing, ""))
    return response(address, (200, found, ""), (404, missing, ""))


def _listed(asked: Wanted, kept: dict[str, str]) -> Iterator[str]:
    if asked.kind == "prop":
        yield from asked.names
        return
    yield from ALLPROP
    yield from kept
    yield from (name for name in asked.names if name not in ALLPROP and name not in kept)


def proppatch(call: Call) -> Response:
    """Change properties, and answer with the status of each.

    The status is 200 if all are changed; otherwise none is, with 403 for live properties, 507 for those beyond the
    limits of `dead`, and 424 for all others.

    Raises:
        FilesError: 400 or 413 for the body; 404; 423.
    """
    record = existing(call.store, call.username, call.path)
    acts = changes(call.request.body)
    guard(call, call.path)
    kept = dead.read(call.store, call.username, call.path)
    for act in acts:
        if act.value is None:
            kept.pop(act.name, None)
        else:
            kept[act.name] = act.value
    statuses = dict.fromkeys((act.name for act in acts), 200)
    if protected := [name for name in statuses if name in LIVE]:
        statuses = dict.fromkeys(statuses, 424) | dict.fromkeys(protected, 403)
    elif not dead.fits(kept):
        statuses = dict.fromkeys(statuses, 424) | {act.name: 507 for act in acts if act.value is not None}
    else:
        dead.keep(call.store, call.username, call.path, kept)
    parts = [
        (status, [Property(name) for name, found in statuses.items() if found == status], condition)
        for status, condition in _CONDITIONS.items()
        if status in statuses.values()
    ]
    return multistatus([response(href(call.prefix, call.path, is_folder(record)), *parts)])
