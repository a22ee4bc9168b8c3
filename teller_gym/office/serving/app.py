"""Wraps a service as an ASGI application."""

from __future__ import annotations

from starlette.requests import ClientDisconnect
from starlette.requests import Request as Incoming
from starlette.types import Receive, Scope, Send

from teller_gym.office.serving.dispatch import Dispatcher
from teller_gym.office.serving.messages import to_request
from teller_gym.office.web import MAX_BODY, Service


class ServiceApp:
    """An ASGI application for one service."""

    def __init__(self, service: Service, dispatcher: Dispatcher) -> None:
        self._service = service
        self._dispatcher = dispatcher

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request.

        If the client disconnects before the request ends, it is neither answered nor executed.
        """
        try:
            body = await _body(Incoming(scope, receive))
        except ClientDisconnect:
            return
        request = to_request(scope, body or b"")
        if body is None:
            message = f"The request's body has more than {MAX_BODY} bytes."
            answer = self._dispatcher.refuse(self._service, request, 413, message)
        else:
            answer = self._dispatcher.answer(self._service, request)
        await answer(scope, receive, send)


async def _body(incoming: Incoming) -> bytes | None:
    """Return a request's body, or None if it is too large.

    The body is received to its end, so that the client reads the response.
    """
    parts, size = list[bytes](), 0
    async for part in incoming.stream():
        size += len(part)
        if size <= MAX_BODY:
            parts.append(part)
        else:
            parts.clear()
    return b"".join(parts) if size <= MAX_BODY else None
