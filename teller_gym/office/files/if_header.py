"""The If header of RFC 4918, section 10.4: lists of conditions on lock tokens and ETags, each for some resource."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from teller_gym.office.files.errors import bad_request

_PIECE: Final = re.compile(r"[ \t]*(?:([()])|(not)(?![^\s<\[])|<([^<>\s]+)>|\[((?:W/)?\"[^\"]*\")\])", re.IGNORECASE)
"""A bracket, the word Not, a token or an address, an ETag: each ends where it must, so that reading never goes back."""


class Condition(msgspec.Struct, frozen=True):
    """A condition on a resource.

    Attributes:
        value: a lock token without its angle brackets, or an ETag with its quotes.
        is_etag: False for a lock token.
        negated: whether Not precedes it.
    """

    value: str
    is_etag: bool = False
    negated: bool = False


class Conditions(msgspec.Struct, frozen=True):
    """Conditions that must all hold for one resource.

    Attributes:
        resource: the address that the list is tagged with; None for the resource of the request.
    """

    resource: str | None
    conditions: tuple[Condition, ...]


class State(NamedTuple):
    """The state of a resource that conditions are about.

    Attributes:
        etag: with its quotes; empty if there is nothing at the address.
        tokens: of all locks whose scope the address is in.
    """

    etag: str
    tokens: frozenset[str]


def parse(header: str) -> tuple[Conditions, ...]:
    """Return the lists of an If header, in order.

    Raises:
        FilesError: 400 for what is no such header.
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
    """Return all lock tokens of a header: to name one, in whatever condition, is to submit it."""
    return frozenset(one.value for listed in lists for one in listed.conditions if not one.is_etag)


def holds(lists: tuple[Conditions, ...], state: Callable[[str | None], State]) -> bool:
    """Return whether a header is true, which it is if all conditions of one of its lists are.

    Args:
        state: returns the state of a resource by the address of a list's tag, or None for the request's.
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


def _malformed() -> Exception:
    return bad_request(
        'Expected an If header such as (<token> ["etag"]) (Not <token>), each list after the address in angle brackets '
        "that it is about, or none of them; got what cannot be read"
    )
