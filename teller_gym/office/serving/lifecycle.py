"""Serves an office on ports of this machine, in a thread."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from functools import partial
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.office.pages import with_pages
from teller_gym.office.serving.access_log import AccessLog
from teller_gym.office.serving.app import ServiceApp
from teller_gym.office.serving.changes import fingerprint, repeat
from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.friction import Friction, FrictionOptions
from teller_gym.office.serving.journal import Journal
from teller_gym.office.serving.listening import address_of, listen
from teller_gym.office.serving.office import Office
from teller_gym.office.store import Store

HOST: Final = "127.0.0.1"
"""Default host, which only this machine can reach, since credentials are sent unencrypted."""

STOP_S: Final = 2.0
"""Seconds that requests in progress have to finish when the server stops."""

_BACKLOG: Final = 1024
"""Maximum number of connections that the system queues before they are accepted. The system's limit may be lower."""

_KEEP_ALIVE_S: Final = 75
"""Seconds after which an idle connection is closed."""

T = TypeVar("T")


class Serving:
    """Serves an office for the duration of a `with` block.

        with Serving(office) as serving:
            httpx.get(serving.addresses["files"] + "/status.php")

    Args:
        office: the office; a copy of its store is served, see `look`.
        ports: port by service; 0, the default, takes any free port.
        state: a folder for the journal. Acknowledged changes survive a crash, and the next `Serving` of the same office
            and folder continues with them. Without a folder, all changes are lost after the block.
        begun_by: the command that serves the office; the journal of another command is an error.
        log: a file to which a line is added for each request.
        friction: rate limit and temporary errors.
        host: the address to listen at; 0.0.0.0 and :: open all addresses of this machine to others.

    Attributes:
        addresses: address of each service for clients on this machine, such as ``{"files": "http://127.0.0.1:40123"}``,
            in the office's order.
        restored: number of entries restored from the journal.

    Raises:
        OptionError: a port is taken or invalid, the host is not an address of this machine, or the folder cannot be
            used; see `Journal.open`.
        StorageError: the folder or a file cannot be written.
    """

    def __init__(
        self,
        office: Office,
        *,
        ports: Mapping[str, int] | None = None,
        state: str | PathLike[str] | None = None,
        begun_by: str = "Serving",
        log: str | PathLike[str] | None = None,
        friction: FrictionOptions | None = None,
        host: str = HOST,
    ) -> None:
        self._services = with_pages(office.services)
        for name in ports or {}:
            if name not in self._services:
                hint = did_you_mean(name, self._services)
                raise OptionError(f"port: expected one of {', '.join(self._services)}, got {name!r}{hint}")
        self._office = office
        self._host = host
        self._ports = dict(ports or {})
        self._state = None if state is None else Path(state)
        self._begun_by = begun_by
        self._log_file = None if log is None else Path(log)
        self._friction = friction or FrictionOptions()
        self._stack = ExitStack()
        self._started: Future[None] = Future()
        self._over = threading.Event()
        self._fault: BaseException | None = None
        self._thread: threading.Thread
        self._loop: asyncio.AbstractEventLoop
        self._asked_to_stop: asyncio.Event
        self._store: Store
        self.addresses: dict[str, str] = {}
        self.restored = 0

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            dispatcher = self._dispatcher(stack)
            sockets = {
                name: stack.enter_context(listen(self._host, self._ports.get(name, 0), name)) for name in self._services
            }
            self.addresses = {name: address_of(one) for name, one in sockets.items()}
            self._thread = threading.Thread(target=self._run, args=(dispatcher, sockets), name="office", daemon=True)
            self._thread.start()
            try:
                self._started.result()
            except BaseException:
                self._halt()
                raise
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._halt()
        finally:
            self._stack.close()

    def look(self, read: Callable[[Store], T]) -> T:
        """Call a function with the store between two requests and return its result.

        The function must not write.

        Raises:
            InfrastructureError: the server is not running.
        """

        async def work() -> T:
            return read(self._store)

        if self._over.is_set():
            raise InfrastructureError("the office's server is not running") from self._fault
        return asyncio.run_coroutine_threadsafe(work(), self._loop).result()

    def wait(self) -> None:
        """Wait until the server ends, which happens only by an error.

        A signal handler's exception ends the wait.

        Raises:
            InfrastructureError: the server ended because of a defect.
        """
        self._over.wait()
        if self._fault is not None:
            raise InfrastructureError(f"the office's server ended: {self._fault!r}") from self._fault

    def _dispatcher(self, stack: ExitStack) -> Dispatcher:
        """Return a dispatcher for a copy of the store.

        The stack closes open files.
        """
        self._store = self._office.store.fork(self._office.store.snapshot())
        journal = log = None
        if self._state is not None:
            journal = Journal.open(self._state, self._world(), self._begun_by, partial(repeat, self._store))
            stack.callback(journal.close)
            self.restored = journal.entries
        if self._log_file is not None:
            log = AccessLog(self._log_file)
            stack.callback(log.close)
        return Dispatcher(self._store, journal, Friction(self._friction), log)

    def _world(self) -> str:
        try:
            return fingerprint(self._store)
        except (TypeError, ValueError, OverflowError) as error:
            raise OptionError(f"state: expected an office whose records are plain data, got one with {error}") from None

    def _halt(self) -> None:
        """Stop the server thread and wait for it."""
        with suppress(Exception):
            self._started.result()
            self._loop.call_soon_threadsafe(self._asked_to_stop.set)
        self._thread.join()

    def _run(self, dispatcher: Dispatcher, sockets: Mapping[str, socket.socket]) -> None:
        try:
            asyncio.run(self._serve(dispatcher, sockets))
        except BaseException as error:
            self._fault = error
            if not self._started.done():
                self._started.set_exception(error)
        finally:
            self._over.set()

    async def _serve(self, dispatcher: Dispatcher, sockets: Mapping[str, socket.socket]) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked_to_stop = asyncio.Event()
        state = ServerState()
        servers = []
        for name, listening in sockets.items():
            config = _config(ServiceApp(self._services[name], dispatcher))
            connect = partial(H11Protocol, config, state, {})
            servers.append(await self._loop.create_server(connect, sock=listening, backlog=_BACKLOG))
        self._started.set_result(None)
        await self._asked_to_stop.wait()
        for server in servers:
            server.close()
        await _end(state)


def _config(app: ServiceApp) -> uvicorn.Config:
    """Return the configuration of one port, without time of day, server name, or a log line for each error."""
    config = uvicorn.Config(
        app,
        http=H11Protocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
    )
    config.load()
    return config


async def _end(state: ServerState) -> None:
    """Close idle connections, wait up to `STOP_S` for requests in progress, and close the remaining connections."""
    loop = asyncio.get_running_loop()
    for connection in list(state.connections):
        connection.shutdown()
    end = loop.time() + STOP_S
    while state.connections and loop.time() < end:
        await asyncio.sleep(0.01)
    for connection in list(state.connections):
        if connection.transport is not None:
            connection.transport.abort()
    if state.tasks:
        await asyncio.wait(state.tasks)
