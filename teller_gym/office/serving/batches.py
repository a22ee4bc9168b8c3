"""Answers requests together that came in the same turn of the event loop, so that they share a wait for the disk."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, NamedTuple

from teller_gym.office.serving.access_log import AccessLog
from teller_gym.office.serving.dispatch import Asked, Dispatcher
from teller_gym.office.serving.messages import Answer
from teller_gym.office.web import Request, Service

_BATCH: Final = 64
_BATCH_BYTES: Final = 16 * 1024 * 1024
"""Limits on the requests, and on the bytes of their bodies, answered in one turn of the event loop."""


class _Waiting(NamedTuple):
    asked: Asked
    answer: asyncio.Future[Answer]


class Batches:
    """Gets requests answered and writes them to the access log; all methods are for the event loop's thread.

    Args:
        dispatcher: answers requests.
        log: where requests are written, if anywhere.
    """

    def __init__(self, dispatcher: Dispatcher, log: AccessLog | None) -> None:
        self._dispatcher = dispatcher
        self._log = log
        self._waiting: deque[_Waiting] = deque()

    async def answer(self, service: Service, request: Request) -> Answer:
        """Return the answer to a request, once everything written so far is in the journal."""
        loop = asyncio.get_running_loop()
        waiting = _Waiting(Asked(service, request), loop.create_future())
        self._waiting.append(waiting)
        if len(self._waiting) == 1:
            loop.call_soon(self._answer)
        return await waiting.answer

    def refuse(self, service: Service, request: Request | None, status: int, message: str) -> Answer:
        """Return an error from outside the service; ``request`` is None for input that is not a request."""
        answer = self._dispatcher.refuse(service, request or Request("GET", "/"), status, message)
        self._record(service, request, answer)
        return answer

    def _answer(self) -> None:
        """Answer the waiting requests, at most one batch."""
        batch: list[_Waiting] = []
        size = 0
        while self._waiting and len(batch) < _BATCH and size < _BATCH_BYTES:
            batch.append(self._waiting.popleft())
            size += len(batch[-1].asked.request.body)
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._answer)
        try:
            answers = self._dispatcher.answer([one.asked for one in batch])
        except Exception as error:
            for one in batch:
                if not one.answer.done():
                    one.answer.set_exception(error)
            return
        for one, answer in zip(batch, answers, strict=True):
            self._record(*one.asked, answer)
            if not one.answer.done():
                one.answer.set_result(answer)

    def _record(self, service: Service, request: Request | None, answer: Answer) -> None:
        if self._log is not None:
            method, path = (None, None) if request is None else (request.method, request.path)
            self._log.write(service.name, method, path, answer.head.status_code, len(answer.body))
