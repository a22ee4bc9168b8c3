"""The services' ports in one event loop: who is connected, what is asked next, and who has taken too long."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Mapping
from functools import partial
from typing import Final

from teller_gym.office.serving.access_log import AccessLog
from teller_gym.office.serving.connection import Connection
from teller_gym.office.serving.dispatch import Asked, Dispatcher
from teller_gym.office.serving.limits import Limits
from teller_gym.office.serving.wire import Answer
from teller_gym.office.web import Request, Service

_BATCH: Final = 64
_BATCH_BYTES: Final = 16 * 1024 * 1024
"""So many requests, or bytes of their bodies, are answered before the event loop has its turn again."""

_BACKLOG: Final = 1024
"""Connections that the system holds before they are taken; it may have a lower limit of its own."""


class Server:
    """Serves on sockets that listen; all methods are for the event loop's thread.

    Args:
        services: by name.
        dispatcher: answers requests.
        limits: of clients.
        log: where requests are written, if anywhere.
    """

    def __init__(
        self, services: Mapping[str, Service], dispatcher: Dispatcher, limits: Limits, log: AccessLog | None
    ) -> None:
        self._services = services
        self._dispatcher = dispatcher
        self._log = log
        self._connections: dict[Connection, None] = {}
        self._asked: deque[tuple[Connection, Asked]] = deque()
        self._listening: list[asyncio.Server] = []
        self._look_s = max(0.01, min(1.0, limits.head_s / 4, limits.body_s / 4, limits.idle_s / 4, limits.linger_s / 4))
        self.limits = limits
        self.buffered = 0
        self.stopping = False

    @property
    def connected(self) -> int:
        """How many connections there are."""
        return len(self._connections)

    async def start(self, sockets: Mapping[str, socket.socket]) -> None:
        """Begin to answer on a socket for each service."""
        loop = asyncio.get_running_loop()
        for name, listening in sockets.items():
            connect = partial(Connection, self, self._services[name])
            self._listening.append(await loop.create_server(connect, sock=listening, backlog=_BACKLOG))
        loop.call_later(self._look_s, self._look)

    async def stop(self) -> None:
        """Take no more connections, let requests under way end for ``stop_s``, and close what is left."""
        self.stopping = True
        for server in self._listening:
            server.close()
        for connection in list(self._connections):
            if connection.is_idle:
                connection.close()
        loop = asyncio.get_running_loop()
        end = loop.time() + self.limits.stop_s
        while self._connections and loop.time() < end:
            await asyncio.sleep(0.01)
        for connection in list(self._connections):
            connection.abort()
        await asyncio.sleep(0)

    # What connections need: see `connection.Host`

    def add(self, connection: Connection) -> bool:
        """Count a connection; at the limit, in place of the one that has been idle longest."""
        if len(self._connections) >= self.limits.connections:
            idle = [one for one in self._connections if one.is_idle]
            if not idle:
                return False
            oldest = min(idle, key=lambda one: one.since)
            oldest.abort()
            self.remove(oldest)
        self._connections[connection] = None
        return True

    def remove(self, connection: Connection) -> None:
        """Count a connection no more."""
        self._connections.pop(connection, None)

    def submit(self, connection: Connection, asked: Asked) -> None:
        """Have a request answered once this turn of the event loop is over."""
        self._asked.append((connection, asked))
        if len(self._asked) == 1:
            asyncio.get_running_loop().call_soon(self._answer)

    def refuse(self, service: Service, request: Request, status: int, message: str) -> Answer:
        """Return an error that is not the service's own."""
        return self._dispatcher.refuse(service, request, status, message)

    def record(self, service: Service, request: Request | None, answer: Answer) -> None:
        """Write a request to the access log, if there is one."""
        if self._log is not None:
            method, path = (None, None) if request is None else (request.method, request.path)
            self._log.write(service.name, method, path, answer.head.status_code, len(answer.body))

    # Its own steps

    def _answer(self) -> None:
        """Answer what has been asked, up to a batch."""
        batch: list[tuple[Connection, Asked]] = []
        size = 0
        while self._asked and len(batch) < _BATCH and size < _BATCH_BYTES:
            batch.append(self._asked.popleft())
            size += len(batch[-1][1].request.body)
        if self._asked:
            asyncio.get_running_loop().call_soon(self._answer)
        answers = self._dispatcher.answer([asked for _, asked in batch])
        for (connection, _), answer in zip(batch, answers, strict=True):
            connection.answer(answer)

    def _look(self) -> None:
        """End what has taken too long."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._connections):
            if connection.deadline <= now:
                connection.expire()
        loop.call_later(self._look_s, self._look)
