"""Bodies of PROPFIND, PROPPATCH and LOCK, as RFC 4918 has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from teller_gym.office.files.errors import bad_request, too_large, unprocessable
from teller_gym.office.files.xml_reading import DAV, Element, Name, parse, shown
from teller_gym.office.files.xml_values import inner_xml

MAX_OWNER: Final = 2000
"""Maximum length of a lock's owner in characters; it is repeated for each file that the lock covers."""

_LANG: Final = ("http://www.w3.org/XML/1998/namespace", "lang")


class Wanted(msgspec.Struct, frozen=True):
    """The body of a PROPFIND.

    Attributes:
        kind: prop, allprop or propname.
        names: names of properties, without duplicates; with allprop, those to include as well.
    """

    kind: str
    names: tuple[Name, ...] = ()


class Act(NamedTuple):
    """A change that a PROPPATCH makes to a property.

    Attributes:
        value: the new value as XML; None to remove the property.
        lang: the value's language, as in ``xml:lang``; empty for none.
    """

    name: Name
    value: str | None
    lang: str = ""


class LockInfo(NamedTuple):
    """The body of a LOCK; ``owner`` is XML."""

    exclusive: bool
    owner: str


def wanted(body: bytes) -> Wanted:
    """Read the body of a PROPFIND; an empty one asks for all properties.

    Raises:
        FilesError: 400, 413.
    """
    if not body.strip():
        return Wanted("allprop")
    root = _root(body, "propfind")
    parts = {child.name: child for child in root.children if child.name[0] == DAV}
    kinds = [kind for kind in ("prop", "allprop", "propname") if (DAV, kind) in parts]
    if len(kinds) != 1:
        raise bad_request(f"Expected one of prop, allprop and propname; got {' and '.join(kinds) or 'none of them'}")
    listed = parts.get((DAV, "include" if kinds[0] == "allprop" else "prop"))
    return Wanted(kinds[0], tuple(dict.fromkeys(child.name for child in listed.children)) if listed else ())


def changes(body: bytes) -> tuple[Act, ...]:
    """Return the changes in the body of a PROPPATCH, in order.

    Raises:
        FilesError: 400, 413.
    """
    found = tuple(_acts(_root(body, "propertyupdate")))
    if not found:
        raise bad_request("Expected properties in set or remove elements; got none")
    return found


def lock_info(body: bytes) -> LockInfo:
    """Read the body of a LOCK.

    Raises:
        FilesError: 400, 413; 422 for locks other than write locks.
    """
    root = _root(body, "lockinfo")
    parts = {child.name[1]: child for child in root.children if child.name[0] == DAV}
    scopes, types = (
        [child.name for child in parts[part].children] if part in parts else [] for part in ("lockscope", "locktype")
    )
    if len(scopes) != 1 or scopes[0] not in ((DAV, "exclusive"), (DAV, "shared")):
        raise bad_request("Expected a lockscope element with either exclusive or shared; got another or none")
    if len(types) != 1:
        raise bad_request("Expected a locktype element with write; got none, or several types")
    if types[0] != (DAV, "write"):
        raise unprocessable(f"Expected the locktype write; got {shown(types[0])}")
    owner = inner_xml(parts["owner"]).strip() if "owner" in parts else ""
    if len(owner) > MAX_OWNER:
        raise too_large(f"A lock's owner has at most {MAX_OWNER} characters; this one has {len(owner)}")
    return LockInfo(scopes[0][1] == "exclusive", owner)


def _root(body: bytes, local: str) -> Element:
    root = parse(body)
    if root.name != (DAV, local):
        raise bad_request(f"Expected a {local} element of the namespace DAV:; got {shown(root.name)}")
    return root


def _acts(root: Element) -> Iterator[Act]:
    for act in root.children:
        if act.name not in ((DAV, "set"), (DAV, "remove")):
            continue
        for prop in act.children:
            if prop.name != (DAV, "prop"):
                continue
            for one in prop.children:
                if act.name[1] == "remove":
                    yield Act(one.name, None)
                else:
                    langs = [element.attribute(_LANG) for element in (one, prop, act, root)]
                    yield Act(one.name, inner_xml(one), next((lang for lang in langs if lang is not None), ""))
