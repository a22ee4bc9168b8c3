"""If headers (RFC 4918, section 10.4): lists of conditions on the lock tokens and ETags of resources."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from teller_gym.office.files.errors import FilesError

_CONDITION: Final = re.compile(r"(not\b)?[ \t]*(?:<([^<>\s]+)>|\[((?:W/)?\"[^\"]*\")\])", re.IGNORECASE)
_LIST: Final = re.compile(
    rf"[ \t]*(?:<([^<>\s]+)>[ \t]*)?\(((?:[ \t]*{_CONDITION.pattern})+)[ \t]*\)[ \t]*", re.IGNORECASE
)
"""A list in parentheses, optionally preceded by the address of its resource."""


class Condition(NamedTuple):
    """A condition on a resource.

    Attributes:
        value: a lock token without its angle brackets, or an ETag with its quotes.
        is_etag: False for a lock token.
        negated: True if the condition is preceded by Not.
    """

    value: str
    is_etag: bool = False
    negated: bool = False


class Conditions(NamedTuple):
    """Conditions on one resource that must all be met.

    ``resource`` is None for the request's own resource.
    """

    resource: str | None
    conditions: tuple[Condition, ...]


class State(NamedTuple):
    """State of a resource, against which conditions are checked.

    Attributes:
        etag: ETag with its quotes; empty if nothing exists at the address.
        tokens: tokens of all locks that cover the address.
    """

    etag: str
    tokens: frozenset[str]


def parse(header: str) -> tuple[Conditions, ...]:
    """Parse the lists of an If header.

    A list without an address refers to the same resource as the list before it.

    Raises:
        FilesError: 400 for a malformed header.
    """
    found: list[Conditions] = []
    resource, position = None, 0
    while match := _LIST.match(header, position):
        resource, position = match[1] or resource, match.end()
        pieces = _CONDITION.findall(match[2])
        conditions = (Condition(token or etag, bool(etag), bool(negated)) for negated, token, etag in pieces)
        found.append(Conditions(resource, tuple(conditions)))
    if not found or position != len(header):
        what = 'Expected an If header such as (<token> ["etag"]) (Not <token>), each list after the address in angle '
        raise FilesError(400, what + "brackets that it is about, or none of them; got what cannot be read")
    return tuple(found)


def tokens(lists: tuple[Conditions, ...]) -> frozenset[str]:
    """Return all lock tokens in a header.

    Each counts as submitted, whatever its condition.
    """
    return frozenset(one.value for listed in lists for one in listed.conditions if not one.is_etag)


def holds(lists: tuple[Conditions, ...], state: Callable[[str | None], State]) -> bool:
    """Return True if all conditions of at least one list are met.

    ``state`` returns the state of a resource.
    """
    return any(_all_hold(one.conditions, state(one.resource)) for one in lists)


def _all_hold(conditions: tuple[Condition, ...], state: State) -> bool:
    return all(
        (one.value == state.etag if one.is_etag else one.value in state.tokens) != one.negated for one in conditions
    )
