"""A call of an endpoint: its sender, and typed access to the parameters of the query or the body."""

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


class ChatCall(msgspec.Struct, frozen=True):
    """A request to an endpoint.

    Attributes:
        store: the office's.
        user: the caller's user name; empty for endpoints that need no login.
        token: the caller's token.
        values: parameters by name.
        voice: puts the answers of colleagues into words; None: their own words.
        rest: the parts of the path after the endpoint's name, such as a room's id.
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
        """Return a required text.

        Raises:
            ChatError: it is missing, empty or something else.
        """
        value = self.text(name)
        if not value:
            raise invalid(f"{name}: expected a text, got {'an empty one' if value == '' else 'none'}")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth value (or its text); False if it is not given.

        Raises:
            ChatError: it is something else.
        """
        value = self.values.get(name, False)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in ("true", "false", "1", "0"):
            return value.lower() in ("true", "1")
        raise invalid(f"{name}: expected true or false, got {shown(value)}")

    def texts(self, name: str) -> list[str]:
        """Return a list of texts: of one text a list of one, of none an empty list.

        Raises:
            ChatError: it is something else.
        """
        value = self.values.get(name)
        found = [value] if isinstance(value, str) else [] if value is None else value
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise invalid(f"{name}: expected a list of texts, got {shown(value)}")
        return found

    def page(self, default_count: int = 50) -> Page:
        """Return the requested page.

        Raises:
            ChatError: count or offset are malformed.
        """
        return page_from(self.values, default_count)

    def listed(self, name: str, rows: Iterable[Record]) -> dict[str, Any]:
        """Return a page of rows in the API's form: under a name, with ``count``, ``offset`` and ``total``."""
        part, numbers = take(rows, self.page())
        return {name: part, **numbers}


Endpoint = Callable[[ChatCall], dict[str, Any]]
"""Answers a call; without ``success``, which is added."""
