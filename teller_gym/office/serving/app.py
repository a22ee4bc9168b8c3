"""A service as an ASGI application: checks starlette's request against the limits and sends the service's answer."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from starlette.requests import ClientDisconnect
from starlette.requests import Request as Incoming
from starlette.responses import Response as Outgoing
from starlette.types import Receive, Scope, Send

from teller_gym.office.serving.clients import Clients
from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.messages import Answer, closing, target, to_request
from teller_gym.office.web import Request, Service


class _RefusedError(Exception):
    """A request that is refused before it reaches its service."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Place(NamedTuple):
    path: str
    query: str


class ServiceApp:
    """An ASGI application for one service.

    Args:
        service: answers the requests.
        dispatcher: passes requests to the service.
        clients: supply the limits.
    """

    def __init__(self, service: Service, dispatcher: Dispatcher, clients: Clients) -> None:
        self._service = service
        self._dispatcher = dispatcher
        self._clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; an incomplete request of a client that has gone is neither answered nor executed."""
        ends = False
        try:
            place = self._checked(scope)
            body = await self._body(Incoming(scope, receive))
            answer = self._dispatcher.answer(self._service, to_request(scope, *place, body))
        except ClientDisconnect:
            return
        except _RefusedError as refused:
            ends = True  # the rest of such a request is not read
            answer = self._dispatcher.refuse(
                self._service, seen(scope["method"], scope["raw_path"]), refused.status, str(refused)
            )
        await _outgoing(answer, ends or self._clients.stopping)(scope, receive, send)

    def _checked(self, scope: Scope) -> _Place:
        """Return the path and query of a request, checking its header against the limits."""
        limits, fields = self._clients.limits, scope["headers"]
        if len(scope["raw_path"]) + bool(scope["query_string"]) + len(scope["query_string"]) > limits.target:
            raise _RefusedError(414, f"The request's target has more than {limits.target} bytes.")
        if len(fields) > limits.fields:
            raise _RefusedError(431, f"The request has more than {limits.fields} header fields.")
        if sum(len(name) + len(value) for name, value in fields) > limits.head:
            raise _RefusedError(431, f"The request's header fields have more than {limits.head} bytes.")
        if not scope["http_version"].startswith("1."):
            raise _RefusedError(505, "The version of HTTP is not supported; expected HTTP/1.1.")
        if scope["method"] == "CONNECT":
            raise _RefusedError(501, "This is no proxy.")
        if next((int(value) for name, value in fields if name == b"content-length"), 0) > limits.body:
            raise _RefusedError(413, f"The request's body has more than {limits.body} bytes.")
        try:
            return _Place(*target(scope["raw_path"], scope["query_string"]))
        except ValueError as error:
            raise _RefusedError(400, str(error)) from None

    async def _body(self, incoming: Incoming) -> bytes:
        """Receive a request's body."""
        clients, limits, parts, size = self._clients, self._clients.limits, list[bytes](), 0
        try:
            async with asyncio.timeout(limits.body_s):
                async for part in incoming.stream():
                    parts.append(part)
                    size += len(part)
                    clients.buffered += len(part)
                    if size > limits.body:
                        raise _RefusedError(413, f"The request's body has more than {limits.body} bytes.")
                    if clients.buffered > limits.buffered:
                        raise _RefusedError(503, "Too many bodies are being received.")
        except TimeoutError:
            raise _RefusedError(408, "The request took too long to come.") from None
        finally:
            clients.buffered -= size
        return b"".join(parts)


def seen(method: str, raw_path: bytes) -> Request:
    """Return a request that is refused before it is read, with only what refusals and the access log need."""
    return Request(method, raw_path.decode("ascii"))


def _outgoing(answer: Answer, ends: bool) -> Outgoing:
    head = closing(answer.head) if ends else answer.head
    outgoing = Outgoing(answer.body, head.status_code)
    outgoing.raw_headers = head.headers.raw_items()
    return outgoing
