"""A call of an endpoint: who calls, and typed access to the parameters of the query or the body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from teller_gym.base.text import shown
from teller_gym.office.chat.errors import invalid
from teller_gym.office.chat.paging import Page, page_from, take
from teller_gym.office.chat.voice import Voice
from teller_gym.office.forms import Upload
from teller_gym.office.store import Record, Store


class Call(msgspec.Struct, frozen=True):
    """What an endpoint answers.

    Attributes:
        store: the office's.
        user: the caller's user name; empty where nobody has to be logged in.
        token: that the caller showed.
        values: parameters by name.
        voice: who puts what colleagues answer into words; None: their own words.
        rest: the part of the path after the endpoint's name, such as a room's id.
        files: the files of a form.
    """

    store: Store
    user: str
    token: str
    values: dict[str, Any]
    voice: Voice | None = None
    rest: tuple[str, ...] = ()
    files: tuple[Upload, ...] = ()

    def text(self, name: str) -> str | None:
        """Return a text, or None if it is not given.

        Raises:
            ChatError: it is something else.
        """
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise invalid(f"{name}: expected a text, got {shown(value)}")
        return value

    def need(self, name: str) -> str:
        """Return a text that has to be given, and not empty.

        Raises:
            ChatError: it is not.
        """
        value = self.text(name)
        if not value:
            raise invalid(f"{name}: expected a text, got {'an empty one' if value == '' else 'none'}")
        return value

    def flag(self, name: str) -> bool | None:
        """Return a truth value (or its text), or None if it is not given.

        Raises:
            ChatError: it is something else.
        """
        value = self.values.get(name)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false", "1", "0"):
            return value.lower() in ("true", "1")
        raise invalid(f"{name}: expected true or false, got {shown(value)}")

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; a single text, too, is one, and a missing one is empty.

        Raises:
            ChatError: it is something else.
        """
        value = self.values.get(name)
        found = [value] if isinstance(value, str) else [] if value is None else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise invalid(f"{name}: expected a list of texts, got {shown(value)}")
        return found

    def page(self, default_count: int = 50) -> Page:
        """Return which results are wanted.

        Raises:
            ChatError: count, offset, sort, fields or query are malformed.
        """
        return page_from(self.values, default_count)

    def listed(self, name: str, rows: Iterable[Record], order: dict[str, int] | None = None) -> dict[str, Any]:
        """Return a page of rows as the API lists them: under a name, with ``count``, ``offset`` and ``total``."""
        part, numbers = take(rows, self.page(), order)
        return {name: part, **numbers}


Endpoint = Callable[[Call], dict[str, Any]]
"""Answers a call; without ``success``, which is added."""
