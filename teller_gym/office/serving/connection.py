"""One client's connection: from bytes to requests and back, within the limits, whatever the client does."""

from __future__ import annotations

import asyncio
import math
from enum import StrEnum
from typing import Any, Final, Protocol

import h11

from teller_gym.office.serving.dispatch import Asked
from teller_gym.office.serving.limits import Limits
from teller_gym.office.serving.wire import Answer, closing, escaped, target, to_request
from teller_gym.office.web import Request, Service

_CONTINUE: Final = h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue")
_EVENTS_A_TURN: Final = 256
"""So many events of a connection are handled before others have their turn: a body may come in a million chunks."""

_LINE_OVERHEAD: Final = 64
"""Bytes of a request line beside its target: a method and the version."""

_FIELD_OVERHEAD: Final = 4
"""Bytes of a header field beside its name and value."""


class Phase(StrEnum):
    """What a connection waits for."""

    IDLE = "idle"
    """The first byte of a request."""
    HEAD = "head"
    BODY = "body"
    ANSWER = "answer"
    LINGER = "linger"
    """That the client closes it, too; what it sends is not read any more."""


class Host(Protocol):
    """What a connection needs of its server."""

    limits: Limits
    buffered: int
    """Bytes of bodies that are being received."""
    stopping: bool

    def add(self, connection: Connection) -> bool:
        """Count a connection; False if there are too many."""

    def remove(self, connection: Connection) -> None:
        """Count it no more."""

    def submit(self, connection: Connection, asked: Asked) -> None:
        """Have a request answered by `Connection.answer`, soon."""

    def refuse(self, service: Service, request: Request, status: int, message: str) -> Answer:
        """Return an error that is not the service's own."""

    def record(self, service: Service, request: Request | None, answer: Answer) -> None:
        """Write a request to the access log; None: what came was none."""


class Connection(asyncio.Protocol):
    """A connection to a service.

    Attributes:
        phase: what it waits for.
        since: time of the event loop since when it does.
        deadline: time after which the server calls `expire`.
    """

    def __init__(self, host: Host, service: Service) -> None:
        self._host = host
        self._limits = host.limits
        self._service = service
        limits = host.limits
        most = limits.target + _LINE_OVERHEAD + limits.head + _FIELD_OVERHEAD * limits.fields
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=most)
        self._transport: asyncio.Transport
        self._loop = asyncio.get_running_loop()
        self.phase = Phase.IDLE
        self.since = 0.0
        self.deadline = math.inf
        self._event: h11.Request | None = None
        self._place = ("", "")
        self._body: list[bytes] = []
        self._size = 0
        self._request: Request | None = None
        self._in_line = False
        self._is_blocked = False
        self._is_over = False

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._expect(Phase.IDLE, self._limits.head_s)
        if not self._host.add(self):
            self._refuse(503, "Too many connections.")
            transport.close()  # without lingering: the limit is on these, too

    def data_received(self, data: bytes) -> None:
        if self.phase is Phase.LINGER:
            return
        if self.phase is Phase.IDLE:
            data = data.lstrip(b"\r\n")  # some clients end a body with a line end that is no part of it
            if not data:
                return
            self._expect(Phase.HEAD, self._limits.head_s)
            self._in_line = True
        if self._in_line:
            line, end, rest = data.partition(b"\n")
            data, self._in_line = escaped(line) + end + rest, not end
        self._parser.receive_data(data)
        self._advance()

    def eof_received(self) -> bool:
        if self.phase is Phase.LINGER:
            return False
        self._is_over = True
        self._parser.receive_data(b"")
        self._advance()
        return True  # a client that has no more to say may still wait for an answer

    def pause_writing(self) -> None:
        self._is_blocked = True
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._is_blocked = False
        self._transport.resume_reading()
        if self.phase is not Phase.LINGER:
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        self._drop_body()
        self.phase = Phase.LINGER
        self._host.remove(self)

    # What the server calls

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way, so that closing it costs nobody an answer."""
        return self.phase is Phase.IDLE and self._transport.get_write_buffer_size() == 0

    def answer(self, answer: Answer) -> None:
        """Send the answer to the request that was submitted, and go on with the next one."""
        self._host.record(self._service, self._request, answer)
        self._request = None
        if self._transport.is_closing():
            return
        self._send(answer, ends=self._host.stopping)
        if self._parser.our_state is h11.DONE and self._parser.their_state is h11.DONE:
            self._parser.start_next_cycle()
            self._next()
        else:
            self._linger()

    def expire(self) -> None:
        """End what took too long."""
        if self.phase in (Phase.HEAD, Phase.BODY) and not self._is_blocked:
            self._refuse(408, "The request took too long to come.")
        elif self.is_idle:
            self.close()
        else:
            self._transport.abort()

    def close(self) -> None:
        """Close a connection on which nothing is under way."""
        self._expect(Phase.LINGER, self._limits.linger_s)
        self._transport.close()

    def abort(self) -> None:
        """Close it at once."""
        self._transport.abort()

    # Its own steps

    def _expect(self, phase: Phase, seconds: float) -> None:
        self.phase = phase
        self.since = self._loop.time()
        self.deadline = self.since + seconds

    def _next(self) -> None:
        """Begin with the next request, of which some or all may have come already."""
        if self._is_blocked:
            self._expect(Phase.IDLE, self._limits.send_s)
        elif self._host.stopping:
            self.close()
        else:
            self._expect(Phase.HEAD, self._limits.head_s)
            self._advance()

    def _advance(self) -> None:
        """Handle what has come, up to a whole request."""
        for _ in range(_EVENTS_A_TURN):
            if self.phase not in (Phase.IDLE, Phase.HEAD, Phase.BODY) or self._is_blocked:
                return
            try:
                event = self._parser.next_event()
            except h11.RemoteProtocolError as error:
                self._misunderstand(error)
                return
            if event is h11.NEED_DATA or event is h11.PAUSED:
                self._want()
                return
            self._take(event)
        self._transport.pause_reading()
        self._loop.call_soon(self._go_on)

    def _go_on(self) -> None:
        if not self._is_blocked:
            self._transport.resume_reading()
        self._advance()

    def _want(self) -> None:
        """Wait for more to come."""
        if self._parser.they_are_waiting_for_100_continue:
            self._transport.write(self._parser.send(_CONTINUE) or b"")
        elif self.phase is Phase.HEAD and not self._parser.trailing_data[0]:
            self._expect(Phase.IDLE, self._limits.idle_s)

    def _take(self, event: Any) -> None:
        if isinstance(event, h11.Request):
            self._begin(event)
        elif isinstance(event, h11.Data):
            self._add(event.data)
        elif isinstance(event, h11.EndOfMessage):
            assert self._event is not None
            request = to_request(self._event, *self._place, b"".join(self._body))
            self._drop_body()
            self._request, self.phase, self.deadline = request, Phase.ANSWER, math.inf
            self._host.submit(self, Asked(self._service, request))
        else:
            self.close()

    def _begin(self, event: h11.Request) -> None:
        """Check a header and wait for the body."""
        self._event, limits = event, self._limits
        if len(event.target) > limits.target:
            self._refuse(414, f"The request's target has more than {limits.target} bytes.")
        elif len(event.headers) > limits.fields:
            self._refuse(431, f"The request has more than {limits.fields} header fields.")
        elif sum(len(name) + len(value) for name, value in event.headers) > limits.head:
            self._refuse(431, f"The request's header fields have more than {limits.head} bytes.")
        elif not event.http_version.startswith(b"1."):
            self._refuse(505, "The version of HTTP is not supported; expected HTTP/1.1.")
        elif event.method == b"CONNECT":
            self._refuse(501, "This is no proxy.")
        elif self._length(event) > limits.body:
            self._refuse(413, f"The request's body has more than {limits.body} bytes.")
        else:
            try:
                self._place = target(event.target)
            except ValueError as error:
                self._refuse(400, str(error))
                return
            self._expect(Phase.BODY, limits.body_s)

    def _length(self, event: h11.Request) -> int:
        """Bytes of the body, as far as the header says."""
        return next((int(value) for name, value in event.headers if name == b"content-length"), 0)

    def _add(self, data: bytes) -> None:
        """Take a part of the body."""
        self._body.append(bytes(data))
        self._size += len(data)
        self._host.buffered += len(data)
        if self._size > self._limits.body:
            self._refuse(413, f"The request's body has more than {self._limits.body} bytes.")
        elif self._host.buffered > self._limits.buffered:
            self._refuse(503, "Too many bodies are being received.")

    def _drop_body(self) -> None:
        self._host.buffered -= self._size
        self._body, self._size = [], 0

    def _misunderstand(self, error: h11.RemoteProtocolError) -> None:
        """Refuse what is not HTTP, or stop with a client that has gone in the middle."""
        if self._is_over:
            self.close()
        elif error.error_status_hint != 431:
            self._refuse(error.error_status_hint, f"The request is not valid HTTP: {error}")
        elif self.phase is Phase.HEAD and b"\n" not in self._parser.trailing_data[0]:
            self._refuse(414, f"The request's target has more than {self._limits.target} bytes.")
        else:
            self._refuse(431, f"The request's header fields have more than {self._limits.head} bytes.")

    def _refuse(self, status: int, message: str) -> None:
        """Answer with an error of the server's own and read no more."""
        event, request = self._event, None
        if event is not None:
            request = Request(event.method.decode(), event.target.decode().partition("?")[0])
        answer = self._host.refuse(self._service, request or Request("GET", "/"), status, message)
        self._host.record(self._service, request, answer)
        self._drop_body()
        if self._parser.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._send(answer, ends=True)
        self._linger()

    def _send(self, answer: Answer, *, ends: bool) -> None:
        self._event = None
        parts = [self._parser.send(closing(answer.head) if ends else answer.head)]
        if answer.body:
            parts.append(self._parser.send(h11.Data(data=answer.body)))
        parts.append(self._parser.send(h11.EndOfMessage()))
        self._transport.write(b"".join(filter(None, parts)))

    def _linger(self) -> None:
        """End our side and wait for the client's: closing at once may cost it the answer."""
        self._expect(Phase.LINGER, self._limits.send_s if self._is_blocked else self._limits.linger_s)
        if self._is_over or self._host.stopping:
            self._transport.close()
        elif self._transport.can_write_eof():
            self._transport.resume_reading()
            self._transport.write_eof()
