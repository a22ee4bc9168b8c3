"""Writes the XML of answers, with the prefixes that ownCloud uses: d, s and oc."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.xml_reading import DAV, OWNCLOUD, Name
from teller_gym.office.web import Response

SABRE: Final = "http://sabredav.org/ns"

_TYPE: Final = ("Content-Type", "application/xml; charset=utf-8")
_HEAD: Final = '<?xml version="1.0" encoding="utf-8"?>\n'
_PREFIXES: Final = {DAV: "d:", OWNCLOUD: "oc:", SABRE: "s:", "http://www.w3.org/XML/1998/namespace": "xml:"}
_STATUS: Final = {200: "200 OK", 403: "403 Forbidden", 404: "404 Not Found"}

Properties = Sequence[tuple[Name, str]]
"""Names with their content as XML."""


def multistatus(responses: Iterable[str]) -> Response:
    """Return 207 with what `response` made."""
    body = f'{_HEAD}<d:multistatus xmlns:d="DAV:" xmlns:s="{SABRE}" xmlns:oc="{OWNCLOUD}">{"".join(responses)}'
    return Response(207, (_TYPE,), (body + "</d:multistatus>\n").encode())


def response(href: str, *parts: tuple[int, Properties, str]) -> str:
    """Return the element about one file or folder.

    Args:
        href: percent-encoded.
        parts: statuses, each with the properties that have it and the local name of RFC 4918's condition or nothing;
            the first is written even if no property has it.
    """
    written = [_propstat(*part) for number, part in enumerate(parts) if part[1] or number == 0]
    return f"<d:response><d:href>{escape(href)}</d:href>{''.join(written)}</d:response>"


def error_response(error: FilesError, *headers: tuple[str, str]) -> Response:
    """Return an error as sabre/dav writes it."""
    parts = [f"<s:exception>{escape(error.exception)}</s:exception>", f"<s:message>{_safe(error.message)}</s:message>"]
    if error.header:
        parts.append(f"<s:header>{error.header}</s:header>")
    if error.condition:
        parts.append(f"<d:{error.condition}/>")
    if error.code == "InvalidPath":
        parts.append(f'<o:retry xmlns:o="o:">false</o:retry><o:reason xmlns:o="o:">{_safe(error.message)}</o:reason>')
    body = f'{_HEAD}<d:error xmlns:d="DAV:" xmlns:s="{SABRE}">\n  ' + "\n  ".join(parts) + "\n</d:error>\n"
    return Response(error.status, (_TYPE, *error.headers, *headers), body.encode())


def _propstat(status: int, properties: Properties, condition: str) -> str:
    props = "".join(_property(name, content) for name, content in properties)
    error = f"<d:error><d:{condition}/></d:error>" if condition else ""
    line = f"<d:status>HTTP/1.1 {_STATUS[status]}</d:status>"
    return f"<d:propstat><d:prop>{props}</d:prop>{line}{error}</d:propstat>"


def _property(name: Name, content: str) -> str:
    namespace, local = name
    prefix = _PREFIXES.get(namespace)
    if prefix is None:
        prefix = "x:" if namespace else ""
    tag = prefix + local
    declared = f" xmlns:x={quoteattr(namespace)}" if prefix == "x:" else ""
    return f"<{tag}{declared}>{content}</{tag}>" if content else f"<{tag}{declared}/>"


def _safe(text: str) -> str:
    """Text for XML, without the characters that it cannot carry."""
    return escape("".join(char if char.isprintable() or char == " " else "?" for char in text))
