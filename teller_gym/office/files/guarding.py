"""Holds a request's If header against the tree, and keeps it from what is locked unless it submits the token."""

from __future__ import annotations

from collections.abc import Iterable

from teller_gym.office.files import if_header
from teller_gym.office.files.call import Call
from teller_gym.office.files.discovery import address
from teller_gym.office.files.errors import locked, members_failed, precondition_failed
from teller_gym.office.files.if_header import State
from teller_gym.office.files.locks import active, barring, barring_below, covering
from teller_gym.office.files.paths import parent
from teller_gym.office.files.tree import find
from teller_gym.office.files.urls import tagged


def submitted(call: Call) -> frozenset[str]:
    """Return the lock tokens of a request's If header, if that holds.

    Raises:
        FilesError: 400 for what is no If header, 412 for one that does not hold.
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
        raise precondition_failed("No list of the If header holds: other ETags, or locks that are not there", "If")
    return if_header.tokens(lists)


def guard(call: Call, *changed: str, emptied: Iterable[str] = ()) -> None:
    """Keep a request from what is locked by tokens that it does not submit.

    Args:
        changed: paths at which something changes, the folder included whose members do.
        emptied: those of them that lose all that is below.

    Raises:
        FilesError: 423 for such a path; 207 for what is below one.
    """
    locks = active(call.store, call.username)
    if not locks:
        return
    for path in changed:
        if bars := barring(locks, path, call.tokens):
            roots = dict.fromkeys(address(call.store, call.username, call.prefix, one.root) for one in bars)
            message = f"What is at {path} is locked; expected the lock's token in an If header"
            raise locked(message, "lock-token-submitted", *roots)
    below = [one.root for path in emptied for one in barring_below(locks, path, call.tokens)]
    if below:
        roots = dict.fromkeys(address(call.store, call.username, call.prefix, root) for root in below)
        message = "Something in the folder is locked; expected the lock's token in an If header"
        raise members_failed(message, "lock-token-submitted", *((root, 423) for root in roots))


def guard_transfer(call: Call, destination: str, *, moves: bool) -> None:
    """Keep a COPY or a MOVE from what is locked, at its destination and, if it moves, at its source.

    Raises:
        FilesError: as from `guard`.
    """
    source = (call.path, parent(call.path)) if moves else ()
    emptied = (call.path, destination) if moves else (destination,)
    guard(call, *source, destination, parent(destination), emptied=emptied)
