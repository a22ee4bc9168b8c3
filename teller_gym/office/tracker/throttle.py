"""How many requests a minute a key may make.

Office time stands still between events, so a minute cannot be waited for. What a key asked is counted in each minute
of office time; the request after the last allowed one is answered with 429 and ``Retry-After``, and taken to have
waited as it was told: the count begins anew. So with 60 allowed, the 61st request of a minute is refused, the 62nd to
121st are not, and so on. The counts are counters of the store: they go back with a snapshot and stand in no diff.
"""

from __future__ import annotations

from datetime import UTC
from typing import Final

from teller_gym.office.store import Store
from teller_gym.office.tracker.errors import TrackerError

MINUTE: Final = 60

RATE_LIMIT_EXCEEDED: Final = 5900
"""Plane's number of this error."""


def admit(store: Store, key: str, allowed: int) -> tuple[tuple[str, str], ...]:
    """Count a request and return the headers that say how many are left.

    Args:
        store: the office.
        key: the API key.
        allowed: requests per minute.

    Raises:
        TrackerError: 429.
    """
    now = store.clock()
    minute = int((now - store.now).total_seconds()) // MINUTE
    used = store.count(f"tracker.requests.{key}.{minute}") % (allowed + 1)
    if used == 0:
        body = {"error_code": RATE_LIMIT_EXCEEDED, "error_message": "RATE_LIMIT_EXCEEDED"}
        raise TrackerError(429, "throttled", body)
    reset = int(now.replace(tzinfo=UTC).timestamp()) + MINUTE
    return (("X-RateLimit-Remaining", str(allowed - used)), ("X-RateLimit-Reset", str(reset)))
