"""PROPFIND and PROPPATCH."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from teller_gym.office.files import properties
from teller_gym.office.files.call import Call
from teller_gym.office.files.errors import bad_request, forbidden, too_large
from teller_gym.office.files.properties import ALLPROP, LIVE, Node
from teller_gym.office.files.tree import children, existing, is_folder
from teller_gym.office.files.urls import href
from teller_gym.office.files.xml_reading import Name, Wanted, changes, wanted
from teller_gym.office.files.xml_writing import multistatus, response
from teller_gym.office.web import Response

MAX_LISTED: Final = 16 * 1024 * 1024
"""Characters that the names of the properties asked for may have, over all files of a listing."""

_PROTECTED: Final = "cannot-modify-protected-property"


def propfind(call: Call) -> Response:
    """Answer with the properties of what stands at the path and, with Depth 1, of what a folder holds.

    Raises:
        FilesError: 400, 413 for the header and the body; 403 for Depth infinity; 404.
    """
    record = existing(call.store, call.username, call.path)
    depth = call.request.headers.get("depth", "1").strip().lower()
    if depth == "infinity":
        raise forbidden("Depth infinity is not offered; ask with Depth 1, folder by folder", "propfind-finite-depth")
    if depth not in ("0", "1"):
        raise bad_request(f"Expected a Depth of 0 or 1; got {depth[:20]!a}")
    asked = wanted(call.request.body)
    nodes = [(call.path, record)]
    if depth == "1" and is_folder(record):
        nodes.extend(children(call.store, call.username, call.path, record))
    if len(nodes) * sum(len(namespace) + len(local) for namespace, local in asked.names) > MAX_LISTED:
        raise too_large(f"These properties of {len(nodes)} files and folders would be too long an answer")
    return multistatus(_described(call, Node(call.store, call.username, path, one), asked) for path, one in nodes)


def proppatch(call: Call) -> Response:
    """Answer that none of the properties can be changed: those that exist are the store's own, others are not kept.

    Raises:
        FilesError: 400, 413 for the body; 404.
    """
    record = existing(call.store, call.username, call.path)
    names = changes(call.request.body)
    live = [(name, "") for name in names if name in LIVE]
    dead = [(name, "") for name in names if name not in LIVE]
    parts = [part for part in ((403, live, _PROTECTED), (403, dead, "")) if part[1]]
    return multistatus([response(href(call.prefix, call.path, is_folder(record)), *parts)])


def _described(call: Call, node: Node, asked: Wanted) -> str:
    address = href(call.prefix, node.path, is_folder(node.record))
    if asked.kind == "propname":
        return response(address, (200, [(name, "") for name in LIVE if properties.find(node, name) is not None], ""))
    found: list[tuple[Name, str]] = []
    missing: list[tuple[Name, str]] = []
    for name in _listed(asked):
        value = properties.find(node, name)
        if value is not None:
            found.append((name, value))
        elif name in asked.names:
            missing.append((name, ""))
    if missing and not found:
        return response(address, (404, missing, ""))
    return response(address, (200, found, ""), (404, missing, ""))


def _listed(asked: Wanted) -> Iterator[Name]:
    if asked.kind == "allprop":
        yield from ALLPROP
    yield from (name for name in asked.names if asked.kind == "prop" or name not in ALLPROP)
