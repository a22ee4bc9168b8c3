"""Converts addresses to trees and paths, and back."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

import msgspec

from teller_gym.office.files.errors import FilesError, invalid_path
from teller_gym.office.files.paths import clean

_SAFE: Final = "/~()"
"""Characters that are not escaped in a link, besides letters, digits and ``_.-``."""

_PAGES: Final = frozenset({"", "index.php", "login", "apps"})
"""First path segments of web page addresses."""

_PORTS: Final = {"http": ":80", "https": ":443"}


class Target(msgspec.Struct, frozen=True):
    """The tree and path, or the kind of page, at an address.

    Attributes:
        kind: page (for browsers), nothing, or tree.
        prefix: address of the tree's home as the client wrote it, without a slash at the end.
        owner: user whose tree the address names; None for the sender's own.
        path: normalised path in the tree.
    """

    kind: str
    prefix: str = ""
    owner: str | None = None
    path: str = "/"


def locate(address: str) -> Target:
    """Return the target of a request's path.

    Raises:
        FilesError: 400 for escapes that are not UTF-8 or hide a slash, and for invalid paths.
    """
    names = [_decoded(part) for part in address.split("/") if part]
    first = names[0] if names else ""
    if first != "remote.php":
        return Target("page" if first in _PAGES else "nothing")
    service = names[1] if len(names) > 1 else ""
    if service == "webdav":
        return Target("tree", "/remote.php/webdav", None, clean("/".join(names[2:])))
    if service != "dav" or len(names) < 4 or names[2] != "files":
        return Target("nothing")
    return Target("tree", f"/remote.php/dav/files/{quote(names[3], safe=_SAFE)}", names[3], clean("/".join(names[4:])))


def href(prefix: str, path: str, folder: bool) -> str:
    """Return the address of a path, with a slash at the end for a folder."""
    return prefix + quote(path, safe=_SAFE) + ("/" if folder and path != "/" else "")


def destination(header: str, host: str, source: Target) -> str:
    """Return the path in a Destination header, which must be in the tree that the request addresses.

    Args:
        header: an absolute URL or an absolute path, percent-encoded.
        host: the request's Host header; empty if the request did not come over a network.
        source: target of the request.

    Raises:
        FilesError: 400 for other headers; 502 for another host; 403 for an address outside of the tree.
    """
    if not header:
        raise FilesError(400, "Expected a Destination header; there is none")
    try:
        parts = urlsplit(header)
    except ValueError:
        raise FilesError(400, "Expected a URL or an absolute path as Destination; got what is neither") from None
    if bool(parts.scheme) != bool(parts.netloc) or not parts.path.startswith("/"):
        raise FilesError(400, "Expected a URL or an absolute path as Destination; got what is neither")
    if parts.netloc and host and _host(parts.netloc, parts.scheme) != _host(host, parts.scheme):
        raise FilesError(502, "The Destination is on another server than this request")
    target = locate(parts.path)
    if target.kind != "tree" or target.prefix != source.prefix:
        raise FilesError(403, f"The Destination lies outside of {source.prefix}/")
    return target.path


def tagged(resource: str, host: str, username: str) -> str | None:
    """Return the path in a user's tree for a resource in an If header, given as an absolute URL or path.

    None means that the resource is not in the tree. ``host`` is the request's Host header; empty if the request did not
    come over a network.
    """
    try:
        parts = urlsplit(resource)
        if parts.netloc and host and _host(parts.netloc, parts.scheme) != _host(host, parts.scheme):
            return None
        target = locate(parts.path)
    except (ValueError, FilesError):
        return None
    return target.path if target.kind == "tree" and target.owner in (None, username) else None


def _host(authority: str, scheme: str) -> str:
    return authority.rpartition("@")[2].lower().removesuffix(_PORTS.get(scheme, ""))


def _decoded(part: str) -> str:
    try:
        found = unquote_to_bytes(part).decode()
    except ValueError:
        raise invalid_path("Expected percent-encoded UTF-8 in the address; some escapes are not") from None
    if "/" in found:
        raise invalid_path("A slash within a name was encoded as %2F; names have no slash")
    return found
