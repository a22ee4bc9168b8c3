"""Writes parts of a request's XML so that they mean the same in any document: each declares its own namespaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from teller_gym.office.files.xml_reading import Element

_XML: Final = "http://www.w3.org/XML/1998/namespace"
_OUTSIDE: Final[Mapping[str, str]] = {"": "", "xml": _XML}
"""Prefixes with their namespaces that any document has."""

_RETURN: Final = {"\r": "&#13;"}
_BREAKS: Final = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;", '"': "&quot;"}
"""What reading would change, and what would end an attribute."""


def inner_xml(element: Element) -> str:
    """Return what is in an element, with the prefixes that it was written with."""
    declared = dict(element.declared)
    return "".join(
        escape(one, _RETURN) if isinstance(one, str) else _outer_xml(one, _OUTSIDE, declared)
        for one in element.content
    )  # fmt: skip


def _outer_xml(element: Element, scope: Mapping[str, str], kept: Mapping[str, str]) -> str:
    """An element; ``kept`` are declarations of the element around it, for the sake of prefixes in texts and values."""
    used = {one.prefix: one.name[0] for one in element.attributes if one.prefix}
    needed = {**kept, **dict(element.declared), **used, element.prefix: element.name[0]}
    new = {prefix: namespace for prefix, namespace in needed.items() if scope.get(prefix) != namespace}
    tag = _tag(element.prefix, element.name[1])
    head = [tag]
    head += [f'{_tag("xmlns", prefix) if prefix else "xmlns"}="{escape(uri, _BREAKS)}"' for prefix, uri in new.items()]
    head += [f'{_tag(one.prefix, one.name[1])}="{escape(one.value, _BREAKS)}"' for one in element.attributes]
    inside = {**scope, **new}
    inner = "".join(
        escape(one, _RETURN) if isinstance(one, str) else _outer_xml(one, inside, {}) for one in element.content
    )
    return f"<{' '.join(head)}>{inner}</{tag}>" if inner else f"<{' '.join(head)}/>"


def _tag(prefix: str, local: str) -> str:
    return f"{prefix}:{local}" if prefix else local
