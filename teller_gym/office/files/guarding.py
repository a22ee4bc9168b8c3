"""Evaluates a request's If header, and rejects changes of locked resources without the lock's token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from teller_gym.office.files import if_header
from teller_gym.office.files.call import Call
from teller_gym.office.files.discovery import address
from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.if_header import State
from teller_gym.office.files.locks import Lock, active, barring, covering
from teller_gym.office.files.paths import parent
from teller_gym.office.files.tree import find, walk
from teller_gym.office.files.urls import tagged

_SUBMIT: Final = "lock-token-submitted"


def submitted(call: Call) -> frozenset[str]:
    """Return the lock tokens in a request's If header.

    Raises:
        FilesError: 400 if malformed, 412 if its conditions are not met.
    """
    header = call.request.headers.get("if")
    if header is None:
        return frozenset()
    lists = if_header.parse(header)
    locks = active(call.store, call.username)

    def state(resource: str | None) -> State:
        host = call.request.headers.get("host", "")
        path = call.path if resource is None else tagged(resource, host, call.username)
        record = None if path is None else find(call.store, call.username, path)
        if path is None:
            return State("", frozenset())
        etag = f'"{record["etag"]}"' if record else ""
        return State(etag, frozenset(one.token for one in covering(locks, path)))

    if not if_header.holds(lists, state):
        raise FilesError(412, "No list of the If header holds: other ETags, or locks that are not there")
    return if_header.tokens(lists)


def guard(call: Call, *changed: str, emptied: Iterable[str] = ()) -> None:
    """Raise an error if a request would change locked resources without submitting their tokens.

    Args:
        call: the request.
        changed: paths that change, including a folder whose members change.
        emptied: changed paths that lose everything below them.

    Raises:
        FilesError: 423, or 207 if only members of an emptied path are locked.
    """
    locks = active(call.store, call.username)
    if not locks:
        return
    for path in changed:
        if bars := barring(locks, path, call.tokens):
            raise _locked(call, path, bars)
    for path in emptied:
        bars = [bar for member in _members(call, path) for bar in barring(locks, member, call.tokens)]
        if above := [one for one in bars if one.covers(path)]:
            raise _locked(call, path, above)
        if bars:
            message = f"Something below {path} is locked; expected the lock's token in an If header"
            raise FilesError(207, message, condition=_SUBMIT, failed=tuple((root, 423) for root in _roots(call, bars)))


def _members(call: Call, path: str) -> Iterator[str]:
    record = find(call.store, call.username, path)
    nodes = () if record is None else walk(call.store, call.username, path, record)
    return (one for one, _ in nodes if one != path)


def _locked(call: Call, path: str, bars: Iterable[Lock]) -> FilesError:
    message = f"What is at {path} is locked; expected the lock's token in an If header"
    return FilesError(423, message, condition=_SUBMIT, hrefs=tuple(_roots(call, bars)))


def _roots(call: Call, bars: Iterable[Lock]) -> Iterable[str]:
    return dict.fromkeys(address(call.store, call.username, call.prefix, one.root) for one in bars)


def guard_transfer(call: Call, destination: str, *, moves: bool) -> None:
    """Raise an error for a COPY or MOVE with a locked destination, or a MOVE with a locked source (see `guard`)."""
    source = (call.path, parent(call.path)) if moves else ()
    replaced = () if find(call.store, call.username, destination) is None else (destination,)
    guard(call, *source, *replaced, parent(destination), emptied=(*source[:1], *replaced))
