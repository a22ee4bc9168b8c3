"""uvicorn's connection, hardened: limited in time and number, no matter how its client behaves.

uvicorn and h11 speak HTTP. Added here is the part that they leave to a server in front of them: connections are
counted; one ends when its client takes too long to send a header or to take an answer; a client that has ended its side
is still answered; one whose request is refused has time to read why; and a refusal has the service's own body.
"""

from __future__ import annotations

import asyncio
import logging
import math
import socket
import sys
from contextlib import suppress
from enum import StrEnum
from typing import Any, Final

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from teller_gym.office.serving.app import seen
from teller_gym.office.serving.clients import Clients
from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.messages import closing, escaped
from teller_gym.office.web import Service

_READ: Final = (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)
"""States of a client whose request is complete."""

log = logging.getLogger(__name__)
log.setLevel(logging.ERROR)  # uvicorn warns of each invalid request, which the access log has already


class Phase(StrEnum):
    """Event that a connection waits for."""

    IDLE = "idle"
    """The first byte of a request."""
    HEAD = "head"
    ANSWER = "answer"
    """The service's answer, or the rest of a body, whose time limit is set where it is received."""
    SEND = "send"
    """The client's receipt of the answer."""
    LINGER = "linger"
    """The client's end of the connection; further input is not read."""


class _Transport:
    """The transport that uvicorn sees: it sends an answer in one piece, and closing gives the client time."""

    def __init__(self, connection: Connection, transport: asyncio.Transport) -> None:
        self._connection = connection
        self.is_closing = transport.is_closing
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.get_extra_info = transport.get_extra_info
        self._send = transport.writelines
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        self._held.append(data)
        if self._connection.conn.our_state is not h11.SEND_BODY:
            held, self._held = self._held, []
            self._send(held)

    def close(self) -> None:
        self._connection.end()


class Connection(H11Protocol, asyncio.BufferedProtocol):
    """A connection to a service.

    Attributes:
        service_name: the service whose port it came to.
        phase: event that it waits for.
        since: time of the event loop when the wait began.
        deadline: time after which `expire` is called.
    """

    def __init__(
        self,
        clients: Clients,
        dispatcher: Dispatcher,
        service: Service,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.logger = log
        self.access_log = False
        self.service_name = service.name
        self._clients = clients
        self._limits = clients.limits
        self._dispatcher = dispatcher
        self._service = service
        self._wire: asyncio.Transport
        self.phase = Phase.IDLE
        self.since = 0.0
        self.deadline = math.inf
        self._in_line = False
        self._is_over = False

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        super().connection_made(_Transport(self, transport))  # type: ignore[arg-type]
        self._expect(Phase.IDLE, self._limits.head_s)
        if not self._clients.add(self):
            self._refuse(503, "Too many connections.")
            transport.close()  # without lingering: the limit is on these, too

    def get_buffer(self, sizehint: int) -> bytearray:
        return self._clients.received

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(memoryview(self._clients.received)[:nbytes]))

    def data_received(self, data: bytes) -> None:
        if self.phase is Phase.LINGER:
            return
        if self.phase is Phase.IDLE:
            data = data.lstrip(b"\r\n")  # some clients end a body with a line end that is no part of it
            if not data:
                return
            self._in_line = True
        if self._in_line:
            line, end, rest = data.partition(b"\n")
            data, self._in_line = escaped(line) + end + rest, not end
        super().data_received(data)
        self._note()

    def eof_received(self) -> bool:  # type: ignore[override]
        if self.phase is Phase.LINGER:
            return False
        self._is_over = True
        self._note()
        return True  # a client that has no more to say may still wait for an answer

    def pause_writing(self) -> None:
        super().pause_writing()
        self._note()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self.phase is Phase.LINGER:
            self._half_close()
        else:
            self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        self.phase = Phase.LINGER
        self._clients.remove(self)
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # after a reset, too: a running timer would keep this object alive

    # Called by uvicorn

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note()

    def send_400_response(self, msg: str) -> None:
        """Refuse invalid HTTP; called while the parser's error is being handled."""
        error = sys.exception()
        hint = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        if hint != 431:
            self._refuse(hint, f"The request is not valid HTTP: {error}")
        elif not self._is_answering and b"\n" not in self.conn.trailing_data[0]:
            self._refuse(414, f"The request's target has more than {self._limits.target} bytes.")
        else:
            self._refuse(431, f"The request's header fields have more than {self._limits.head} bytes.")

    def shutdown(self) -> None:
        """Close the connection if no request is in progress; otherwise it ends with the next answer."""
        if self.is_idle and not self.has_sent:
            self.end()

    def end(self) -> None:
        """End our side. A client that may be sending gets time, since closing at once could cost it the answer."""
        if self.phase is Phase.LINGER:
            return
        is_sent = self._wire.get_write_buffer_size() == 0
        self._expect(Phase.LINGER, self._limits.linger_s if is_sent else self._limits.send_s)
        if self._wire.is_closing():
            return
        is_read = self.conn.their_state in _READ and not self.conn.trailing_data[0] and not self.flow.read_paused
        if is_read or self._is_over or self._clients.stopping:
            self._wire.close()
        elif is_sent:
            self._half_close()
        else:
            self._wire.set_write_buffer_limits(0)  # so that `resume_writing` means that everything is sent
            self._wire.resume_reading()

    # Called by the clock in `Clients`

    @property
    def is_idle(self) -> bool:
        """True if no request that has been read, even in part, is in progress."""
        return self.phase is Phase.IDLE and self._wire.get_write_buffer_size() == 0

    @property
    def has_sent(self) -> bool:
        """True if received data has not been read yet; the end of the stream does not count."""
        with suppress(OSError), self._wire.get_extra_info("socket").dup() as own:  # the transport's own cannot be asked
            return bool(own.recv(1, socket.MSG_PEEK))
        return False

    def expire(self) -> None:
        """End a wait that took too long."""
        if self.phase is Phase.HEAD:
            self._refuse(408, "The request took too long to come.")
        elif self.is_idle:
            self.end()
        else:
            self.abort()

    def abort(self) -> None:
        """Close it at once."""
        self._wire.abort()

    # Its own steps

    @property
    def _is_answering(self) -> bool:
        """True if a request's header has come and its answer is not complete."""
        return self.cycle is not None and not self.cycle.response_complete

    def _expect(self, phase: Phase, seconds: float) -> None:
        self.phase = phase
        self.since = self.loop.time()
        self.deadline = self.since + seconds

    def _note(self) -> None:
        """Update the phase; end the connection if its client has ended its side and expects no answer."""
        if self.phase is Phase.LINGER:
            return
        if self.flow.write_paused:
            phase, seconds = Phase.SEND, self._limits.send_s
        elif self._is_answering:
            phase, seconds = Phase.ANSWER, math.inf
        elif self.conn.trailing_data[0]:
            phase, seconds = Phase.HEAD, self._limits.head_s
        else:
            phase, seconds = Phase.IDLE, self._limits.idle_s
        if self._is_over and not (self._is_answering and not self.cycle.more_body):
            self._drop()
            self.end()
        elif phase is not self.phase:
            self._expect(phase, seconds)

    def _drop(self) -> None:
        """Abandon the request in progress, if any: its client no longer waits for it."""
        if self._is_answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _refuse(self, status: int, message: str) -> None:
        """Answer with an error of the server's own and read no more."""
        answer = self._dispatcher.refuse(
            self._service,
            seen(self.scope["method"], self.scope["raw_path"]) if self._is_answering else None,
            status,
            message,
        )
        self._drop()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            for event in (closing(answer.head), h11.Data(data=answer.body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.end()

    def _half_close(self) -> None:
        """Signal the end of our side to the client, and wait for the end of its side."""
        self._expect(Phase.LINGER, self._limits.linger_s)
        self._wire.resume_reading()
        try:
            self._wire.write_eof()
        except OSError:  # it has gone already
            self._wire.abort()
