"""Writes response XML, with the prefixes that ownCloud uses: d, s and oc."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from teller_gym.office.files.errors import FilesError
from teller_gym.office.web import Response

SABRE: Final = "http://sabredav.org/ns"
OWNCLOUD: Final = "http://owncloud.org/ns"

_TYPE: Final = ("Content-Type", "application/xml; charset=utf-8")
_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>\n'
_PREFIXES: Final = {"DAV:": "d:", OWNCLOUD: "oc:", SABRE: "s:", "http://www.w3.org/XML/1998/namespace": "xml:"}
_STATUS: Final = {
    200: "200 OK",
    403: "403 Forbidden",
    404: "404 Not Found",
    423: "423 Locked",
    424: "424 Failed Dependency",
    507: "507 Insufficient Storage",
}


class Property(NamedTuple):
    """A property in a response, with its name, such as ``{DAV:}getetag``, and its content as XML."""

    name: str
    content: str = ""


def multistatus(responses: Iterable[str]) -> Response:
    """Return a 207 response with the elements from `response`."""
    body = f'{_HEAD}<d:multistatus xmlns:d="DAV:" xmlns:s="{SABRE}" xmlns:oc="{OWNCLOUD}">{"".join(responses)}'
    return Response(207, (_TYPE,), (body + "</d:multistatus>\n").encode())


def properties(*found: Property) -> Response:
    """Return a 200 response with properties of the requested resource."""
    body = f'{_HEAD}<d:prop xmlns:d="DAV:">{"".join(map(_property, found))}</d:prop>\n'
    return Response(200, (_TYPE,), body.encode())


def response(href: str, *parts: tuple[int, Sequence[Property], str]) -> str:
    """Return the element for one file or folder.

    Args:
        href: percent-encoded address.
        parts: a status, the properties with this status, and the local name of RFC 4918's condition (or empty); the
            first
            part is written even without properties.
    """
    written = [_propstat(*part) for number, part in enumerate(parts) if part[1] or number == 0]
    return f"<d:response><d:href>{escape(href)}</d:href>{''.join(written)}</d:response>"


def error_response(error: FilesError, *headers: tuple[str, str]) -> Response:
    """Return an error in sabre/dav's format or, for an error of a folder's members, in RFC 4918's."""
    if error.failed:
        return multistatus(_status(href, status, error) for href, status in error.failed)
    name = f"Sabre\\DAV\\Exception\\{error.code}" if error.code else "Sabre\\DAV\\Exception"
    parts = [f"<s:exception>{name}</s:exception>", f"<s:message>{_safe(error.message)}</s:message>"]
    if error.condition:
        parts.append(_condition(error.condition, error.hrefs))
    body = f'{_HEAD}<d:error xmlns:d="DAV:" xmlns:s="{SABRE}">\n  ' + "\n  ".join(parts) + "\n</d:error>\n"
    return Response(error.status, (_TYPE, *error.headers, *headers), body.encode())


def _status(href: str, status: int, error: FilesError) -> str:
    """Return the element for a file or folder with only a status.

    424 means that others caused the failure.
    """
    condition = f"<d:error>{_condition(error.condition, (href,))}</d:error>" if status != 424 else ""
    line = f"<d:status>HTTP/1.1 {_STATUS[status]}</d:status>"
    return f"<d:response><d:href>{escape(href)}</d:href>{line}{condition}</d:response>"


def _condition(condition: str, hrefs: Sequence[str] = ()) -> str:
    inner = "".join(f"<d:href>{escape(href)}</d:href>" for href in hrefs)
    return f"<d:{condition}>{inner}</d:{condition}>" if inner else f"<d:{condition}/>"


def _propstat(status: int, properties: Sequence[Property], condition: str) -> str:
    props = "".join(map(_property, properties))
    error = f"<d:error>{_condition(condition)}</d:error>" if condition else ""
    line = f"<d:status>HTTP/1.1 {_STATUS[status]}</d:status>"
    return f"<d:propstat><d:prop>{props}</d:prop>{line}{error}</d:propstat>"


def _property(one: Property) -> str:
    namespace, _, local = one.name.removeprefix("{").rpartition("}")
    prefix = _PREFIXES.get(namespace, "x:" if namespace else "")
    declared = f" xmlns:x={quoteattr(namespace)}" if prefix == "x:" else ""
    tag = prefix + local
    return f"<{tag}{declared}>{one.content}</{tag}>" if one.content else f"<{tag}{declared}/>"


def _safe(text: str) -> str:
    """Escape text for XML, and replace characters that XML does not allow."""
    return escape("".join(char if char.isprintable() or char == " " else "?" for char in text))
