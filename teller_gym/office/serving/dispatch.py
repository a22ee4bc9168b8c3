"""The one place where requests are answered, one after another, and what they write is made durable.

Requests that have come by the same turn of the event loop share one entry of the journal, and so one wait for the disk;
none of their answers leaves before it. If it cannot be written the store goes back, and each is answered by itself.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from teller_gym.base.errors import CrashError
from teller_gym.office.serving.friction import Friction
from teller_gym.office.serving.journal import Journal, UnstorableError
from teller_gym.office.serving.messages import Answer, to_answer
from teller_gym.office.serving.office import refusal
from teller_gym.office.serving.recording import RecordingStore
from teller_gym.office.web import Request, Response, Service

RETRY_AFTER_S: Final = 1
"""Sent with a refusal that a client may try again. The office's clock stands still, so that no wait is too short."""

log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """A request and the service that it is for."""

    service: Service
    request: Request


class Dispatcher:
    """Answers requests with the services' answers, or with refusals of its own.

    Args:
        store: the office's records.
        journal: where what is written goes before it is acknowledged, if anywhere.
        friction: refuses some requests before their services see them.
    """

    def __init__(self, store: RecordingStore, journal: Journal | None, friction: Friction) -> None:
        self._store = store
        self._journal = journal
        self._friction = friction

    def answer(self, asked: Sequence[Asked]) -> list[Answer]:
        """Answer requests in order. When this returns, all that they wrote is in the journal."""
        refused = [self._friction.refuse(service.name, request) for service, request in asked]
        answers = iter(self._settle([one for one, why in zip(asked, refused, strict=True) if why is None]))
        return [
            next(answers) if why is None else self.refuse(*one, *why)
            for one, why in zip(asked, refused, strict=True)
        ]  # fmt: skip

    def refuse(self, service: Service, request: Request, status: int, message: str) -> Answer:
        """Return an error that is not the service's own, in its shape if it has one for that."""
        try:
            response = refusal(service, status, message)
            if status in (429, 503) and response.header("Retry-After") is None:
                response = Response(
                    response.status, (*response.headers, ("Retry-After", str(RETRY_AFTER_S))), response.body
                )
            return to_answer(response, request.method, self._store.clock())
        except Exception as fault:
            log.error("%s", CrashError(f"{service.name}, refusing a request", fault))
            return to_answer(refusal(None, status, message), request.method, self._store.clock())

    def _settle(self, asked: Sequence[Asked]) -> list[Answer]:
        """Answer requests, all of whose writing is in the journal afterwards."""
        before = self._store.mark()
        answers = [self._handle(*one) for one in asked]
        if self._journal is not None and self._store.log:
            try:
                self._journal.append(self._store.log)
            except (OSError, UnstorableError) as error:
                self._store.rewind(before)
                if len(asked) == 1:
                    return [self._not_stored(*asked[0], error)]
                return [answer for one in asked for answer in self._settle([one])]
        self._store.clear_log()
        return answers

    def _handle(self, service: Service, request: Request) -> Answer:
        before = self._store.mark()
        try:
            response = service.handle(self._store, request)
            return to_answer(response, request.method, self._store.clock())
        except Exception as fault:
            self._store.rewind(before)
            log.error("%s", CrashError(f"{service.name}: {request.method} {request.path}", fault))
            return self.refuse(service, request, 500, "Internal server error.")

    def _not_stored(self, service: Service, request: Request, error: OSError | UnstorableError) -> Answer:
        log.error("%s: %s %s was not stored: %s", service.name, request.method, request.path, error)
        if isinstance(error, OSError):
            return self.refuse(service, request, 507, f"Nothing was stored: {error.strerror or error}.")
        return self.refuse(service, request, 500, "Internal server error.")
