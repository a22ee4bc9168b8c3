"""Times as whole seconds since 1970 in UTC, as records store them, and their text formats."""

from __future__ import annotations

from calendar import timegm
from datetime import datetime, timedelta
from email.utils import formatdate
from functools import lru_cache
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1)

LATEST: Final = timegm((9999, 12, 31, 23, 59, 59))
"""Last second that can be formatted."""


def stamp(time: datetime) -> int:
    """Convert a time without a zone, taken as UTC, to seconds since 1970."""
    return int((time - _EPOCH) // timedelta(seconds=1))


@lru_cache(maxsize=4096)
def iso(seconds: int) -> str:
    """Format a time such as ``2026-03-02T09:00:00Z``."""
    return (_EPOCH + timedelta(seconds=seconds)).isoformat() + "Z"


@lru_cache(maxsize=4096)
def http_date(seconds: int) -> str:
    """Format a time such as ``Mon, 02 Mar 2026 09:00:00 GMT``."""
    return formatdate(seconds, usegmt=True)
