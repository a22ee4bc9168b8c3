"""Serves an office on ports of this machine, in a thread."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Final, Self, TypeVar

from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.office.pages import with_pages
from teller_gym.office.serving.access_log import AccessLog
from teller_gym.office.serving.changes import Operation, fingerprint, repeat
from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.friction import Friction, FrictionOptions
from teller_gym.office.serving.journal import Journal
from teller_gym.office.serving.limits import ServerLimits
from teller_gym.office.serving.office import Office
from teller_gym.office.serving.server import Server
from teller_gym.office.store import Store

HOST: Final = "127.0.0.1"
"""Only this machine is served unless another address is given: credentials are sent unencrypted."""

_LOOK_S: Final = 0.5
"""Seconds between checks by a waiting `look` that the server is still running."""

T = TypeVar("T")


class Serving:
    """Serves an office while the block lasts.

        with Serving(office) as serving:
            httpx.get(serving.addresses["files"] + "/status.php")

    Args:
        office: its store is where the serving begins, and is not written to; see `look`.
        ports: by service; 0, the default, is any that is free.
        state: a folder for the journal. Acknowledged changes survive a crash, and the next `Serving` of the same office
            and folder continues with them. Without a folder, all changes are lost after the block.
        begun_by: the command that serves the office; the journal of another command is refused.
        log: a file to which a line is added for each request.
        friction: rate limit and temporary errors.
        limits: of clients.
        host: the address to listen at; 0.0.0.0 and :: are all addresses of this machine, open to all who reach them.

    Attributes:
        addresses: such as ``{"files": "http://127.0.0.1:40123"}``, where clients on this machine find the services; in
            the office's order.
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
        limits: ServerLimits | None = None,
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
        self._limits = limits or ServerLimits()
        self._stack = ExitStack()
        self._thread: threading.Thread | None = None
        self._started: Future[None] = Future()
        self._over = threading.Event()
        self._fault: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop
        self._asked_to_stop: asyncio.Event
        self._store: Store
        self._server: Server
        self.addresses: dict[str, str] = {}
        self.restored = 0

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._server = self._prepared(stack)
            sockets = {
                name: stack.enter_context(_listen(self._host, self._ports.get(name, 0), name))
                for name in self._services
            }
            self.addresses = {name: _address(one) for name, one in sockets.items()}
            self._thread = threading.Thread(target=self._run, args=(sockets,), name="office", daemon=True)
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

    @property
    def connected(self) -> int:
        """Number of connected clients."""
        return self._server.connected

    def look(self, read: Callable[[Store], T]) -> T:
        """Call a function with the store between two requests, and return its result; it must not write.

        Raises:
            InfrastructureError: the server is not running.
        """
        found: Future[T] = Future()

        def work() -> None:
            try:
                found.set_result(read(self._store))
            except BaseException as error:
                found.set_exception(error)

        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(work)
        while True:
            try:
                return found.result(_LOOK_S)
            except TimeoutError:
                if self._over.is_set():
                    raise InfrastructureError("the office's server is not running") from None

    def wait(self) -> None:
        """Wait until the server ends, which by itself it does not: a signal's exception comes through.

        Raises:
            InfrastructureError: it ended because of a defect.
        """
        self._over.wait()
        if self._fault is not None:
            raise InfrastructureError(f"the office's server ended: {self._fault!r}") from self._fault

    def _prepared(self, stack: ExitStack) -> Server:
        """Return the server, without its ports; open files are closed by the stack."""
        self._store = self._office.store.fork(self._office.store.snapshot())
        journal = None
        if self._state is not None:
            journal = Journal.open(self._state, self._world(), self._begun_by, self._play)
            stack.callback(journal.close)
            self.restored = journal.entries
        log = None
        if self._log_file is not None:
            log = AccessLog(self._log_file)
            stack.callback(log.close)
        dispatcher = Dispatcher(self._store, journal, Friction(self._friction), log)
        return Server(self._services, dispatcher, self._limits)

    def _world(self) -> str:
        try:
            return fingerprint(self._store)
        except (TypeError, ValueError, OverflowError) as error:
            raise OptionError(f"state: expected an office whose records are plain data, got one with {error}") from None

    def _play(self, operations: Sequence[Operation]) -> None:
        repeat(self._store, operations)

    def _halt(self) -> None:
        """Have the thread stop, and wait for it."""
        assert self._thread is not None
        with suppress(Exception):
            self._started.result()
            self._loop.call_soon_threadsafe(self._asked_to_stop.set)
        self._thread.join()

    def _run(self, sockets: Mapping[str, socket.socket]) -> None:
        try:
            asyncio.run(self._serve(sockets))
        except BaseException as error:
            self._fault = error
            if not self._started.done():
                self._started.set_exception(error)
        finally:
            self._over.set()

    async def _serve(self, sockets: Mapping[str, socket.socket]) -> None:
        self._loop = asyncio.get_running_loop()
        self._asked_to_stop = asyncio.Event()
        await self._server.start(sockets)
        self._started.set_result(None)
        await self._asked_to_stop.wait()
        await self._server.stop()


def _listen(host: str, port: int, service: str) -> socket.socket:
    """A socket that is bound; connections are taken once the event loop listens on it."""
    try:
        # With the protocol named, asyncio disables Nagle's algorithm: answers do not wait for earlier acknowledgements.
        found = socket.getaddrinfo(
            host, None, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        raise _no_host(host, error) from None
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address[0], port, *address[2:]))
    except (OSError, OverflowError) as error:
        listening.close()
        if getattr(error, "errno", None) == errno.EADDRNOTAVAIL:
            raise _no_host(host, error) from None
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"port: {service} cannot have {port}: {reason}; choose another, or 0 for any") from None
    return listening


def _no_host(host: str, error: Exception) -> OptionError:
    return OptionError(
        f"host: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, got {host!r}: "
        f"{getattr(error, 'strerror', None) or error}"
    )


def _address(listening: socket.socket) -> str:
    """Return the address for clients on this machine."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
