"""Reads the XML of requests: elements' names alone, since no text in them matters to what this store does.

The parser is the standard library's expat, with everything off that grows or reaches out: a document type, and with it
every entity, ends the reading.
"""

from __future__ import annotations

from typing import Final
from xml.parsers import expat

import msgspec

from teller_gym.office.files.errors import bad_request, too_large

MAX_XML: Final = 64 * 1024
"""Bytes of a body: the longest sensible one names some twenty properties in two kilobytes."""

MAX_ELEMENTS: Final = 1000
"""Elements of a body; each property asked for is written back for every file in a listing."""

MAX_DEPTH: Final = 32
"""Elements within each other."""

MAX_LENGTH: Final = 1000
"""Characters of an element's namespace and name: a short prefix must not stand for a page of text."""

DAV: Final = "DAV:"
OWNCLOUD: Final = "http://owncloud.org/ns"

_SEPARATOR: Final = "}"
"""Stands between namespace and name in what expat reports; as no URI has one, expat refuses namespaces that do."""

Name = tuple[str, str]
"""An element's namespace (empty: none) and local name."""


class Element(msgspec.Struct, frozen=True):
    """An element's name and the elements in it."""

    name: Name
    children: list[Element]


class Wanted(msgspec.Struct, frozen=True):
    """What a PROPFIND asks for.

    Attributes:
        kind: prop, allprop or propname.
        names: of properties, each once; with allprop, those to be included as well.
    """

    kind: str
    names: tuple[Name, ...] = ()


def parse(body: bytes) -> Element:
    """Return the root of a document.

    Raises:
        FilesError: 400 for what is no well-formed XML with namespaces, or has a document type; 413 for too much of it.
    """
    if len(body) > MAX_XML:
        raise too_large(f"A body of XML has at most {MAX_XML} bytes; this one has {len(body)}")
    top = Element(("", ""), [])
    open_elements = [top]
    seen = 0

    def start(full_name: str, _: object) -> None:
        nonlocal seen
        seen += 1
        if seen > MAX_ELEMENTS or len(open_elements) > MAX_DEPTH:
            raise too_large(f"A body of XML has at most {MAX_ELEMENTS} elements, {MAX_DEPTH} within each other")
        namespace, _, local = full_name.rpartition(_SEPARATOR)
        if ":" in local or len(full_name) > MAX_LENGTH:
            raise bad_request(f"Expected names with one colon at most and {MAX_LENGTH} characters; got another")
        element = Element((namespace, local), [])
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def refuse(*_: object) -> None:
        raise bad_request("A body of XML has no document type and no entities of its own; this one has")

    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, ValueError, LookupError) as error:  # the last two: an encoding that is none
        raise bad_request(f"Expected well-formed XML with namespaces; got: {error}") from None
    return top.children[0]


def wanted(body: bytes) -> Wanted:
    """Return what the body of a PROPFIND asks for; an empty one asks for all.

    Raises:
        FilesError: 400, 413.
    """
    if not body.strip():
        return Wanted("allprop")
    root = parse(body)
    if root.name != (DAV, "propfind"):
        raise bad_request(f"Expected a propfind element of the namespace DAV:; got {_shown(root.name)}")
    parts = {child.name: child for child in root.children if child.name[0] == DAV}
    kinds = [kind for kind in ("prop", "allprop", "propname") if (DAV, kind) in parts]
    if len(kinds) != 1:
        raise bad_request(f"Expected one of prop, allprop and propname; got {' and '.join(kinds) or 'none of them'}")
    listed = parts.get((DAV, "include" if kinds[0] == "allprop" else "prop"))
    return Wanted(kinds[0], tuple(dict.fromkeys(child.name for child in listed.children)) if listed else ())


def changes(body: bytes) -> tuple[Name, ...]:
    """Return the names of the properties that the body of a PROPPATCH sets or removes, each once.

    Raises:
        FilesError: 400, 413.
    """
    root = parse(body)
    if root.name != (DAV, "propertyupdate"):
        raise bad_request(f"Expected a propertyupdate element of the namespace DAV:; got {_shown(root.name)}")
    acts = [act for act in root.children if act.name in ((DAV, "set"), (DAV, "remove"))]
    props = [prop for act in acts for prop in act.children if prop.name == (DAV, "prop")]
    names = tuple(dict.fromkeys(child.name for prop in props for child in prop.children))
    if not names:
        raise bad_request("Expected properties in set or remove elements; got none")
    return names


def _shown(name: Name) -> str:
    return f"{{{name[0]}}}{name[1]}"
