"""uvicorn, once for each service's port, all in one event loop."""

from __future__ import annotations

import asyncio
import math
import socket
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, cast

import uvicorn

from teller_gym.office.serving.app import ServiceApp
from teller_gym.office.serving.clients import Clients
from teller_gym.office.serving.connection import Connection
from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.limits import ServerLimits
from teller_gym.office.web import Service

_BACKLOG: Final = 1024
"""Number of connections that the system holds before they are accepted; its own limit may be lower."""

_TAKEN: Final = 16
"""Connections that a port accepts in one turn of the event loop. Clients that have gone by then are counted until they
are read, a few turns later; accepted all at once, they would use up the limit on connections."""

_LINE_OVERHEAD: Final = 64
"""Bytes of a request line besides its target: method and version."""

_FIELD_OVERHEAD: Final = 4
"""Bytes of a header field besides its name and value."""

_START_S: Final = 0.001
"""Seconds between checks, at the start, of whether all ports are served."""


class _Port(uvicorn.Server):
    """Serves one service, until it is asked to stop."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.asked_to_stop = asyncio.Event()

    async def main_loop(self) -> None:
        """Wait for the end. No time of day is sent, so uvicorn's work once a second is not needed."""
        await self.asked_to_stop.wait()


class Server:
    """Serves on bound sockets; all methods are for the event loop's thread.

    Args:
        services: by name.
        dispatcher: passes requests to the services.
        limits: limits on clients.
    """

    def __init__(self, services: Mapping[str, Service], dispatcher: Dispatcher, limits: ServerLimits) -> None:
        self._services = services
        self._dispatcher = dispatcher
        self._clients = Clients(limits, services)
        self._ports: list[_Port] = []
        self._serving: list[asyncio.Task[None]] = []

    @property
    def connected(self) -> int:
        """Number of connections."""
        return self._clients.connected

    async def start(self, sockets: Mapping[str, socket.socket]) -> None:
        """Begin to answer on a socket for each service."""
        for name, listening in sockets.items():
            port = _Port(self._config(name))
            self._ports.append(port)
            self._serving.append(asyncio.create_task(port.serve([listening])))
        while not all(port.started for port in self._ports):
            for task in self._serving:
                if task.done():
                    task.result()
            await asyncio.sleep(_START_S)
        for listening in sockets.values():
            listening.listen(_BACKLOG)
        self._clients.watch()

    async def stop(self) -> None:
        """Accept no more connections, wait up to ``stop_s`` for requests in progress, and close the remaining ones."""
        self._clients.stopping = True
        for port in self._ports:
            port.asked_to_stop.set()
        await self._clients.end_all()
        await asyncio.gather(*self._serving)

    def _config(self, name: str) -> uvicorn.Config:
        service, limits = self._services[name], self._clients.limits
        most = limits.target + _LINE_OVERHEAD + limits.head + _FIELD_OVERHEAD * limits.fields
        connect = partial(Connection, self._clients, self._dispatcher, service)
        return uvicorn.Config(
            ServiceApp(service, self._dispatcher, self._clients),
            http=cast(Any, connect),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            workers=1,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            backlog=_TAKEN,
            timeout_keep_alive=math.ceil(limits.idle_s) + 1,  # after ours, which allows for answers not yet taken
            h11_max_incomplete_event_size=most,
        )
