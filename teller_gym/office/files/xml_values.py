"""Writes parts of a request's XML so that they keep their meaning in any document: each declares its own namespaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from teller_gym.office.files.xml_reading import Element

_XML: Final = "http://www.w3.org/XML/1998/namespace"
_OUTSIDE: Final[Mapping[str, str]] = {"": "", "xml": _XML}
"""Prefixes that are defined in any document, with their namespaces."""

_RETURN: Final = {"\r": "&#13;"}
_BREAKS: Final = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;", '"': "&quot;"}
"""Escapes for characters in attributes that parsing would change, and for the quote that would end one."""


def inner_xml(element: Element) -> str:
    """Return the content of an element, with its prefixes as written."""
    declared = dict(element.declared)
    return "".join(
        escape(one, _RETURN) if isinstance(one, str) else _outer_xml(one, _OUTSIDE, declared)
        for one in element.content
    )  # fmt: skip


def _outer_xml(element: Element, scope: Mapping[str, str], kept: Mapping[str, str]) -> str:
    """Return an element; ``kept`` are the outer element's declarations, needed for prefixes in texts and values."""
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
