"""Parses the XML bodies of PROPFIND, PROPPATCH and LOCK, as defined by RFC 4918.

Names are those of `xml.etree`, such as ``{DAV:}prop``. Document types, and therefore all entities, are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser, tostring
from xml.sax.saxutils import escape

import msgspec

from teller_gym.office.files.errors import FilesError

MAX_XML: Final = 64 * 1024
"""Maximum size of an XML body in bytes. Realistic ones have some twenty properties in a few kilobytes."""

MAX_DEPTH: Final = 32
"""Maximum depth of nested elements."""

MAX_OWNER: Final = 2000
"""Maximum length of a lock's owner in characters. The owner is repeated for each file that the lock covers."""

D: Final = "{DAV:}"
OC: Final = "{http://owncloud.org/ns}"


class Wanted(msgspec.Struct, frozen=True):
    """Body of a PROPFIND.

    Attributes:
        kind: prop, allprop or propname.
        names: property names, without duplicates; with allprop, those to include as well.
    """

    kind: str
    names: tuple[str, ...] = ()


class Act(NamedTuple):
    """A property change by a PROPPATCH.

    ``value`` is XML, or None to remove the property.
    """

    name: str
    value: str | None


class LockInfo(NamedTuple):
    """Body of a LOCK.

    ``owner`` is XML.
    """

    exclusive: bool
    owner: str


def wanted(body: bytes) -> Wanted:
    """Parse the body of a PROPFIND.

    An empty body asks for all properties.
    """
    if not body.strip():
        return Wanted("allprop")
    root = _root(body, "propfind")
    kinds = [kind for kind in ("prop", "allprop", "propname") if root.find(D + kind) is not None]
    if len(kinds) != 1:
        got = " and ".join(kinds) or "none of them"
        raise FilesError(400, f"Expected one of prop, allprop and propname; got {got}")
    listed = root.find(D + ("include" if kinds[0] == "allprop" else "prop"))
    return Wanted(kinds[0], () if listed is None else tuple(dict.fromkeys(child.tag for child in listed)))


def changes(body: bytes) -> tuple[Act, ...]:
    """Parse the body of a PROPPATCH into its changes, in order."""
    found = tuple(_acts(_root(body, "propertyupdate")))
    if not found:
        raise FilesError(400, "Expected properties in set or remove elements; got none")
    return found


def lock_info(body: bytes) -> LockInfo:
    """Parse the body of a LOCK.

    Raises:
        FilesError: 422 for locks other than write locks.
    """
    root = _root(body, "lockinfo")
    scopes, types = ([child.tag for child in root.findall(f"{D}{part}/*")] for part in ("lockscope", "locktype"))
    if scopes not in ([f"{D}exclusive"], [f"{D}shared"]):
        raise FilesError(400, "Expected a lockscope element with either exclusive or shared; got another or none")
    if len(types) != 1:
        raise FilesError(400, "Expected a locktype element with write; got none, or several types")
    if types[0] != f"{D}write":
        raise FilesError(422, f"Expected the locktype write; got {types[0]}")
    named = root.find(f"{D}owner")
    owner = "" if named is None else _inner(named).strip()
    if len(owner) > MAX_OWNER:
        raise FilesError(413, f"A lock's owner has at most {MAX_OWNER} characters; this one has {len(owner)}")
    return LockInfo(scopes == [f"{D}exclusive"], owner)


def _root(body: bytes, local: str) -> Element:
    root = parse(body)
    if root.tag != D + local:
        raise FilesError(400, f"Expected a {local} element of the namespace DAV:; got {root.tag}")
    return root


def _acts(root: Element) -> Iterator[Act]:
    for act in root:
        if act.tag in (f"{D}set", f"{D}remove"):
            for one in act.findall(f"{D}prop/*"):
                yield Act(one.tag, _inner(one) if act.tag == f"{D}set" else None)


def _inner(element: Element) -> str:
    """Return the content of an element as XML that declares its own namespaces."""
    return escape(element.text or "") + "".join(tostring(child, encoding="unicode") for child in element)


class _Builder(TreeBuilder):
    """Builds an element tree within the limits."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: Any, attrs: Any, /) -> Any:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise FilesError(413, f"A body of XML has at most {MAX_DEPTH} elements within each other")
        if any(":" in name.rpartition("}")[2] for name in (tag, *attrs)):
            raise FilesError(400, "Expected names with one colon at most; got another")
        return super().start(tag, attrs)

    def end(self, tag: Any, /) -> Any:
        self._depth -= 1
        return super().end(tag)

    def doctype(self, *_: object) -> None:
        raise FilesError(400, "A body of XML has no document type and no entities of its own; this one has")


def parse(body: bytes) -> Element:
    """Parse an XML document.

    Raises:
        FilesError: 400 for a document type or XML that is not well-formed with namespaces; 413 if the document is too
            large.
    """
    if len(body) > MAX_XML:
        raise FilesError(413, f"A body of XML has at most {MAX_XML} bytes; this one has {len(body)}")
    parser = XMLParser(target=_Builder())
    try:
        parser.feed(body)
        return parser.close()
    except (ParseError, ValueError, LookupError) as error:  # the last two: an unknown encoding
        raise FilesError(400, f"Expected well-formed XML with namespaces; got: {error}") from None
