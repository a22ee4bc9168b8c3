"""Reads the XML of requests; `xml_bodies` interprets each kind of body.

The parser is the standard library's expat, with everything off that grows or reaches out: a document type, and with it
every entity, ends the reading.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from xml.parsers import expat

import msgspec

from teller_gym.office.files.errors import bad_request, too_large

MAX_XML: Final = 64 * 1024
"""Maximum size of a body in bytes; the longest sensible one has some twenty properties in a few kilobytes."""

MAX_ELEMENTS: Final = 1000
"""Elements of a body; each property asked for is written back for every file in a listing."""

MAX_DEPTH: Final = 32
"""Elements within each other."""

MAX_LENGTH: Final = 1000
"""Maximum number of characters of an element's namespace and name."""

DAV: Final = "DAV:"
OWNCLOUD: Final = "http://owncloud.org/ns"

_SEPARATOR: Final = "}"
"""Separator of namespace and name in expat's reports; expat refuses namespaces that contain it."""

Name = tuple[str, str]
"""An element's or an attribute's namespace (empty: none) and local name."""


class Attribute(NamedTuple):
    """An attribute, with its ``prefix`` as written."""

    name: Name
    prefix: str
    value: str


class Element(msgspec.Struct, frozen=True):
    """An element.

    Attributes:
        content: texts and elements, in order.
        prefix: as written; empty for none.
        declared: prefixes and namespaces that the element declares.
    """

    name: Name
    content: list[Element | str]
    prefix: str = ""
    attributes: tuple[Attribute, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()

    @property
    def children(self) -> list[Element]:
        """The child elements, without texts."""
        return [one for one in self.content if not isinstance(one, str)]

    def attribute(self, name: Name) -> str | None:
        """Return an attribute's value, or None."""
        return next((one.value for one in self.attributes if one.name == name), None)


def parse(body: bytes) -> Element:
    """Return the root of a document.

    Raises:
        FilesError: 400 for a body with a document type or that is not well-formed XML with namespaces; 413 for one that
            is too large.
    """
    if len(body) > MAX_XML:
        raise too_large(f"A body of XML has at most {MAX_XML} bytes; this one has {len(body)}")
    top = Element(("", ""), [])
    open_elements = [top]
    declared: list[tuple[str, str]] = []
    seen = 0

    def declare(prefix: str | None, namespace: str | None) -> None:
        declared.append((prefix or "", namespace or ""))

    def start(full_name: str, attributes: list[str]) -> None:
        nonlocal seen
        seen += 1
        if seen > MAX_ELEMENTS or len(open_elements) > MAX_DEPTH:
            raise too_large(f"A body of XML has at most {MAX_ELEMENTS} elements, {MAX_DEPTH} within each other")
        name, prefix = _name(full_name)
        pairs = zip(attributes[::2], attributes[1::2], strict=True)
        found = tuple(Attribute(*_name(one), value) for one, value in pairs)
        element = Element(name, [], prefix, found, tuple(declared))
        declared.clear()
        open_elements[-1].content.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def text(found: str) -> None:
        open_elements[-1].content.append(found)

    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.namespace_prefixes = parser.ordered_attributes = parser.buffer_text = True
    parser.StartNamespaceDeclHandler = declare
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # the last two: an unknown encoding
        raise bad_request(f"Expected well-formed XML with namespaces; got: {error}") from None
    return top.children[0]


def shown(name: Name) -> str:
    """Return a name for a message."""
    return f"{{{name[0]}}}{name[1]}"


def _name(full_name: str) -> tuple[Name, str]:
    """Split expat's full name of namespace, local name and prefix into name and prefix."""
    parts = full_name.split(_SEPARATOR)
    namespace, local = ("", parts[0]) if len(parts) == 1 else parts[:2]
    if ":" in local or len(namespace) + len(local) + bool(namespace) > MAX_LENGTH:
        raise bad_request(f"Expected names with one colon at most and {MAX_LENGTH} characters; got another")
    prefix = parts[2] if len(parts) == 3 else ""
    if len(prefix) > MAX_LENGTH:
        raise bad_request(f"Expected prefixes of {MAX_LENGTH} characters at most; got a longer one")
    return (namespace, local), prefix


def _refuse(*_: object) -> None:
    raise bad_request("A body of XML has no document type and no entities of its own; this one has")
