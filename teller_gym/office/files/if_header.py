"""The If header of RFC 4918, section 10.4: lists of conditions on lock tokens and ETags, each for one resource."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from teller_gym.office.files.errors import FilesError

_PIECE: Final = re.compile(r"[ \t]*(?:([()])|(not)(?![^\s<\[])|<([^<>\s]+)>|\[((?:W/)?\"[^\"]*\")\])", re.IGNORECASE)
"""A bracket, the word Not, a token or an address, or an ETag. Each has one possible end, so nothing backtracks."""


class Condition(msgspec.Struct, frozen=True):
    """A condition on a resource.

    Attributes:
        value: a lock token without its angle brackets, or an ETag with its quotes.
        is_etag: False for a lock token.
        negated: True if Not precedes it.
    """

    value: str
    is_etag: bool = False
    negated: bool = False


class Conditions(msgspec.Struct, frozen=True):
    """Conditions that must all hold for one resource.

    Attributes:
        resource: the address that the list is tagged with; None for the request's own resource.
    """

    resource: str | None
    conditions: tuple[Condition, ...]


class State(NamedTuple):
    """The state of a resource, which conditions are checked against.

    Attributes:
        etag: with its quotes; empty if nothing exists at the address.
        tokens: the tokens of all locks that cover the address.
    """

    etag: str
    tokens: frozenset[str]


def parse(header: str) -> tuple[Conditions, ...]:
    """Return the lists of an If header, in order.

    Raises:
        FilesError: 400 for a malformed header.
    """
    found: list[Conditions] = []
    resource: str | None = None
    inside: list[Condition] | None = None
    negated, is_bare = False, False
    for bracket, word, angled, etag in _pieces(header):
        if inside is None:
            if angled and not is_bare and not (found and resource is None):
                resource, is_bare = angled, True
            elif bracket == "(":
                inside, is_bare = [], False
            else:
                raise _malformed()
        elif bracket == ")" and inside and not negated:
            found.append(Conditions(resource, tuple(inside)))
            inside = None
        elif word and not negated:
            negated = True
        elif angled or etag:
            inside.append(Condition(angled or etag, bool(etag), negated))
            negated = False
        else:
            raise _malformed()
    if inside is not None or is_bare or not found:
        raise _malformed()
    return tuple(found)


def tokens(lists: tuple[Conditions, ...]) -> frozenset[str]:
    """Return all lock tokens of a header: naming one in any condition submits it."""
    return frozenset(one.value for listed in lists for one in listed.conditions if not one.is_etag)


def holds(lists: tuple[Conditions, ...], state: Callable[[str | None], State]) -> bool:
    """Return True if all conditions of at least one list hold.

    Args:
        state: returns the state of the resource at a list's tag; given None, of the request's own resource.
    """
    return any(_all_hold(one.conditions, state(one.resource)) for one in lists)


def _all_hold(conditions: tuple[Condition, ...], state: State) -> bool:
    return all(
        (one.value == state.etag if one.is_etag else one.value in state.tokens) != one.negated for one in conditions
    )


def _pieces(header: str) -> list[tuple[str, str, str, str]]:
    found, position, end = [], 0, len(header.rstrip(" \t"))
    while position < end:
        match = _PIECE.match(header, position, end)
        if match is None:
            raise _malformed()
        bracket, word, angled, etag = match.groups(default="")
        found.append((bracket, word, angled, etag))
        position = match.end()
    return found


def _malformed() -> FilesError:
    return FilesError(
        400,
        'Expected an If header such as (<token> ["etag"]) (Not <token>), each list after the address in angle brackets '
        "that it is about, or none of them; got what cannot be read",
    )
