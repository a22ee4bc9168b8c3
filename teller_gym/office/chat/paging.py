"""Pages of results, by count and offset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import invalid
from teller_gym.office.store import Record

DEFAULT_COUNT: Final = 50
MAX_COUNT: Final = 100
"""Maximum number of results on a page: Rocket.Chat's default."""

MAX_ALL: Final = 1_000
"""Maximum number of results if ``count=0`` asks for all; an office holds fewer."""


class Page(msgspec.Struct, frozen=True):
    """A part of a list.

    Attributes:
        count: maximum number of results; 0 for all.
        offset: number of results to skip.
    """

    count: int = DEFAULT_COUNT
    offset: int = 0


def page_from(values: Mapping[str, Any], default_count: int = DEFAULT_COUNT) -> Page:
    """Read a page from a call's parameters, which are numbers or their texts.

    Raises:
        ChatError: one of them is malformed.
    """
    return Page(min(_number(values, "count", default_count), MAX_COUNT), _number(values, "offset", 0))


def take(rows: Iterable[Record], page: Page) -> tuple[list[Record], Record]:
    """Return a page's rows, and its ``count``, ``offset`` and ``total``."""
    found = list(rows)
    part = found[page.offset : page.offset + (page.count or MAX_ALL)]
    return part, {"count": len(part), "offset": page.offset, "total": len(found)}


def _number(values: Mapping[str, Any], name: str, default: int) -> int:
    value = values.get(name)
    if value is None or value == "":
        return default
    if isinstance(value, str) and len(value) <= 9 and value.isdecimal():
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10**9:
        return value
    raise invalid(f"{name}: expected a whole number from 0, got {shown(value)}")
