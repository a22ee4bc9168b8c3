"""ServerLimits on the connections of all services together: on their number, and on the time they take."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable
from typing import Final, Protocol

from teller_gym.office.serving.limits import ServerLimits

_RESERVE: Final = 4
"""One in this many connections is reserved, evenly among services, so that flooding one leaves the others theirs."""

_TURN: Final = 8 * 1024
"""Received bytes handled before other connections have their turn; they may hold thousands of chunks."""

log = logging.getLogger(__name__)


class Client(Protocol):
    """The part of a connection that is counted and timed.

    Attributes:
        service_name: the service whose port it came to.
        since: time of the event loop when its present wait began.
        deadline: time after which `expire` is called.
    """

    service_name: str
    since: float
    deadline: float

    @property
    def is_idle(self) -> bool:
        """True if no request that has been read, even in part, is in progress."""

    @property
    def has_sent(self) -> bool:
        """True if received data has not been read yet; the end of the stream does not count."""

    def expire(self) -> None:
        """End a wait that took too long."""

    def abort(self) -> None:
        """Close the connection at once."""


class Clients:
    """Counts and times connections; all methods are for the event loop's thread.

    Args:
        limits: limits on clients.
        services: names of the services that are served.

    Attributes:
        limits: as given.
        buffered: bytes of bodies that are being received.
        stopping: True if connections end with the answer in progress.
        received: buffer for a connection's bytes until it has handled them.
    """

    def __init__(self, limits: ServerLimits, services: Iterable[str]) -> None:
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
        """The number of connections."""
        return len(self._clients)

    def add(self, client: Client) -> bool:
        """Count a connection, at the limit replacing the one idle longest; return False if none is idle."""
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
        """Stop counting a connection."""
        if client in self._clients:
            del self._clients[client]
            self._counts[client.service_name] -= 1

    def watch(self) -> None:
        """Start ending connections that take too long, for as long as the event loop runs."""
        asyncio.get_running_loop().call_later(self._look_s, self._look)

    async def end_all(self) -> None:
        """Wait up to ``stop_s`` until all connections are gone, then close those that are left."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.limits.stop_s
        while self._clients and loop.time() < end:
            await asyncio.sleep(0.01)
        for client in list(self._clients):
            client.abort()

    def _is_full(self, name: str) -> bool:
        """Return True if one more connection of a service would exceed the limit or take another service's reserve."""
        free = sum(max(0, self._reserved - count) for other, count in self._counts.items() if other != name)
        return len(self._clients) + free >= self.limits.connections

    def _gives_way(self, client: Client, name: str) -> bool:
        """Return True if closing a connection makes room for one of a service and, as far as read, loses no answer."""
        theirs = client.service_name
        return client.is_idle and (theirs == name or self._counts[theirs] > self._reserved)

    def _look(self) -> None:
        """End connections that have taken too long. A failure with one of them does not stop the clock."""
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
