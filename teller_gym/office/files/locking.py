"""Methods LOCK and UNLOCK."""

from __future__ import annotations

import re
from typing import Final

from teller_gym.office.files import locks, writing
from teller_gym.office.files.call import Call
from teller_gym.office.files.discovery import address, discovery
from teller_gym.office.files.errors import FilesError
from teller_gym.office.files.guarding import guard
from teller_gym.office.files.locks import LONGEST_S, USUAL_S, Lock
from teller_gym.office.files.paths import parent
from teller_gym.office.files.xml_reading import D, lock_info
from teller_gym.office.files.xml_writing import Property, properties
from teller_gym.office.web import Response

_TIMEOUT: Final = re.compile(r"\s*(?:second-(\d{1,20})|(infinite))\s*", re.IGNORECASE | re.ASCII)
_TOKEN: Final = re.compile(r"\s*<([^<>\s]+)>\s*")
_NO_MATCH: Final = "lock-token-matches-request-uri"


def lock(call: Call) -> Response:
    """Lock the file or folder at the path, or create an empty file there.

    Without a body, refresh a lock.

    Raises:
        FilesError: 400, 413 or 422 for headers and body; 409 for a path in a missing folder; 412 for a token that
            belongs
            to no lock on the path; 423, or 207 for a folder's members, if other locks conflict; 507 beyond the lock
            limit.
    """
    seconds = _timeout(call.request.headers.get("timeout", ""))
    if not call.request.body.strip():
        return _refreshed(call, seconds)
    info = lock_info(call.request.body)
    deep = call.depth("0", "infinity") == "infinity"
    _has_no_rival(call, deep, info.exclusive)
    if call.record is None:
        guard(call, parent(call.path))
    locks.has_room(call.store, call.username)
    if call.record is None:
        writing.write_file(call.store, call.username, call.path, b"")
    new = locks.take(
        call.store,
        call.username,
        call.path,
        deep=deep,
        exclusive=info.exclusive,
        owner=info.owner,
        seconds=seconds,
    )
    answer = _described(call, new)
    headers = (*answer.headers, ("Lock-Token", f"<{new.token}>"))
    return Response(200 if call.record else 201, headers, answer.body)


def unlock(call: Call) -> Response:
    """Release the lock whose token is in the Lock-Token header.

    Raises:
        FilesError: 400 without a token; 409 if no such lock covers the path.
    """
    match = _TOKEN.fullmatch(call.request.headers.get("lock-token", ""))
    if match is None:
        raise FilesError(400, "Expected a Lock-Token header with one token in angle brackets; there is none")
    here = locks.covering(locks.active(call.store, call.username), call.path)
    found = [one for one in here if one.token == match[1]]
    if not found:
        raise FilesError(409, "The token is of no lock on what is at the path", condition=_NO_MATCH)
    locks.release(call.store, call.username, found[0])
    return Response(204)


def _refreshed(call: Call, seconds: int) -> Response:
    here = locks.covering(locks.active(call.store, call.username), call.path)
    found = [one for one in here if one.token in call.tokens]
    if not call.tokens:
        raise FilesError(
            400, "Expected a body that asks for a lock, or an If header with the token of a lock to refresh"
        )
    if not found:
        raise FilesError(412, "The token is of no lock on what is at the path", condition=_NO_MATCH)
    if len(found) > 1:
        raise FilesError(400, f"Expected the token of one lock to refresh; got those of {len(found)}")
    return _described(call, locks.refresh(call.store, call.username, found[0], seconds))


def _has_no_rival(call: Call, deep: bool, exclusive: bool) -> None:
    """Raise an error for a lock that conflicts with existing locks."""
    rivals = locks.conflicting(locks.active(call.store, call.username), call.path, deep, exclusive)
    if not rivals:
        return
    message, condition = "It is locked already; other locks would conflict with this one", "no-conflicting-lock"
    here = [one for one in rivals if one.covers(call.path)]
    roots = dict.fromkeys(address(call.store, call.username, call.prefix, one.root) for one in here or rivals)
    if here:
        raise FilesError(423, message, code="ConflictingLock", condition=condition, hrefs=tuple(roots))
    asked = address(call.store, call.username, call.prefix, call.path)
    raise FilesError(207, message, condition=condition, failed=(*((root, 423) for root in roots), (asked, 424)))


def _described(call: Call, one: Lock) -> Response:
    content = discovery(call.store, call.username, call.prefix, [one])
    return properties(Property(f"{D}lockdiscovery", content))


def _timeout(header: str) -> int:
    """Return a header's first valid timeout in seconds, or the default.

    A header may list several.
    """
    for part in header.split(","):
        if match := _TIMEOUT.fullmatch(part):
            return LONGEST_S if match[2] else max(1, min(int(match[1]), LONGEST_S))
    return USUAL_S
