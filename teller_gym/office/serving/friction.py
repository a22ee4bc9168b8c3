"""Friction before a request reaches a service: a rate limit and temporary errors."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.office.ids import digest
from teller_gym.office.web import Request

_TOO_MANY: Final = 429
_UNAVAILABLE: Final = 503


class Refused(NamedTuple):
    """Status and message of a rejected request."""

    status: int
    message: str


class FrictionOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Amount of friction, by default none.

    Attributes:
        rate_limit: maximum number of requests in a row that a service accepts. The next one is answered with 429, and
            the
            count restarts: the office's clock does not move between events, so clients cannot wait.
        temporary_errors: share, from 0 to 1, of addresses whose first request is answered with 429 or 503 and whose
            later ones are not. An address is a service, a method, a path and a query.
        seed: seed that determines the addresses and their statuses.

    Raises:
        OptionError: a value is out of its range.
    """

    rate_limit: int | None = None
    temporary_errors: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.rate_limit is not None and self.rate_limit < 1:
            raise OptionError(f"rate_limit: expected at least 1 request, got {self.rate_limit}")
        if not 0 <= self.temporary_errors <= 1:
            raise OptionError(f"temporary_errors: expected a share from 0 to 1, got {self.temporary_errors}")


class Friction:
    """Rejects requests, depending only on the options and on the sequence of requests."""

    def __init__(self, options: FrictionOptions) -> None:
        self._options = options
        self._taken: Counter[str] = Counter()
        self._failed: set[bytes] = set()

    def refuse(self, service: str, request: Request) -> Refused | None:
        """Return the status and message for a rejected request, or None to pass the request to its service."""
        limit = self._options.rate_limit
        if limit is not None:
            if self._taken[service] == limit:
                self._taken[service] = 0
                return Refused(_TOO_MANY, f"Too many requests: {limit} are taken in a row; wait a second.")
            self._taken[service] += 1
        if self._options.temporary_errors:
            return self._fail(service, request)
        return None

    def _fail(self, service: str, request: Request) -> Refused | None:
        address = f"{service} {request.method} {request.path}?{request.query}"
        drawn = digest(self._options.seed, "temporary error", address)
        if int.from_bytes(drawn[:8]) >= self._options.temporary_errors * 2**64:
            return None
        if drawn in self._failed:
            return None
        self._failed.add(drawn)
        if drawn[8] % 2:
            return Refused(_TOO_MANY, "Too many requests at the moment; try again.")
        return Refused(_UNAVAILABLE, "The service is not available at the moment; try again.")
