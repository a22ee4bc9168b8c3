"""The connections of all services together: how many there may be, and which have taken too long."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import Final, Protocol

from teller_gym.office.serving.limits import Limits

_RESERVE: Final = 4
"""One in so many connections is shared out as the services' own: a service that is flooded leaves the others theirs."""

_TURN: Final = 8 * 1024
"""So many received bytes are handled before other connections have their turn: they may be thousands of chunks."""

log = logging.getLogger(__name__)


class Client(Protocol):
    """A connection, as far as it is counted and timed.

    Attributes:
        service_name: whose port it came to.
        since: time of the event loop since when it waits for what it waits for.
        deadline: time after which `expire` is called.
    """

    service_name: str
    since: float
    deadline: float

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way that has been read."""

    @property
    def has_sent(self) -> bool:
        """Whether something has come that has not been read; its end is nothing."""

    def expire(self) -> None:
        """End what took too long."""

    def abort(self) -> None:
        """Close it at once."""


class Clients:
    """Counts and times connections; all methods are for the event loop's thread.

    Args:
        limits: of clients.
        services: names of those that connections may come to.

    Attributes:
        limits: as given.
        buffered: bytes of bodies that are being received.
        stopping: whether connections end with the answer under way.
        received: where a connection's bytes are put, until it has handled them.
    """

    def __init__(self, limits: Limits, services: Iterable[str]) -> None:
        self.limits = limits
        self.buffered = 0
        self.stopping = False
        self.received = bytearray(_TURN)
        self._clients: dict[Client, None] = {}
        self._counts = Counter(dict.fromkeys(services, 0))
        self._reserved = limits.connections // (_RESERVE * max(1, len(self._counts)))
        self._look_s = max(0.01, min(1.0, limits.head_s / 4, limits.body_s / 4, limits.idle_s / 4, limits.linger_s / 4))

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._clients)

    def add(self, client: Client) -> bool:
        """Count a connection; at the limit, in place of the one that has been idle longest; False if there is none."""
        name = client.service_name
        if self._is_full(name):
            idle = sorted((one for one in self._clients if self._gives_way(one, name)), key=_since)
            oldest = next((one for one in idle if not one.has_sent), None)
            if oldest is None:
                return False
            oldest.abort()
            self.remove(oldest)
        self._clients[client] = None
        self._counts[name] += 1
        return True

    def remove(self, client: Client) -> None:
        """Count a connection no more."""
        if client in self._clients:
            del self._clients[client]
            self._counts[client.service_name] -= 1

    def watch(self) -> None:
        """Begin to end connections that take too long; goes on for as long as the event loop does."""
        asyncio.get_running_loop().call_later(self._look_s, self._look)

    async def end_all(self) -> None:
        """Wait until all are gone, for ``stop_s``, and close those that are left."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.limits.stop_s
        while self._clients and loop.time() < end:
            await asyncio.sleep(0.01)
        for client in list(self._clients):
            client.abort()

    def _is_full(self, name: str) -> bool:
        """Whether one more of a service would be above the limit, or take what is another service's own."""
        free = sum(max(0, self._reserved - count) for other, count in self._counts.items() if other != name)
        return len(self._clients) + free >= self.limits.connections

    def _gives_way(self, client: Client, name: str) -> bool:
        """Whether closing a connection makes room for one of a service and, as far as was read, costs no answer."""
        theirs = client.service_name
        return client.is_idle and (theirs == name or self._counts[theirs] > self._reserved)

    def _look(self) -> None:
        """End what has taken too long. The clock goes on whatever happens to a connection."""
        loop = asyncio.get_running_loop()
        loop.call_later(self._look_s, self._look)
        now = loop.time()
        for client in [one for one in self._clients if one.deadline <= now]:
            try:
                client.expire()
            except Exception:
                log.exception("a connection could not be ended in order; it is closed")
                client.abort()


def _since(client: Client) -> float:
    return client.since
