"""Answers requests one after another, and saves their changes before the response is sent."""

from __future__ import annotations

import logging
from typing import Final

from starlette.responses import Response as Answer

from teller_gym.base.errors import CrashError
from teller_gym.office.serving.access_log import AccessLog
from teller_gym.office.serving.changes import changes
from teller_gym.office.serving.friction import Friction
from teller_gym.office.serving.journal import Journal, UnstorableError
from teller_gym.office.serving.messages import to_answer
from teller_gym.office.store import Snapshot, Store
from teller_gym.office.web import Request, Response, Service, refusal

RETRY_AFTER_S: Final = 1
"""Value of Retry-After in errors that a client may retry. Any wait is enough, since the office's clock is frozen."""

log = logging.getLogger(__name__)


class Dispatcher:
    """Answers requests with the services' responses, or with an error of its own.

    Args:
        store: the office's store.
        journal: journal that saves changes before they are acknowledged; None to store them in memory only.
        friction: friction that rejects some requests before they reach a service.
        access_log: log with a line for each request; None for no log.
    """

    def __init__(
        self, store: Store, journal: Journal | None, friction: Friction, access_log: AccessLog | None = None
    ) -> None:
        self._store = store
        self._journal = journal
        self._friction = friction
        self._access_log = access_log

    def answer(self, service: Service, request: Request) -> Answer:
        """Return the response to a request, whose changes have been saved in the journal."""
        refused = self._friction.refuse(service.name, request)
        if refused is not None:
            return self.refuse(service, request, *refused)
        before = self._store.snapshot()
        try:
            answer = to_answer(service.handle(self._store, request), request.method, self._store.clock())
        except Exception as fault:
            self._store.restore(before)
            log.error("%s", CrashError(f"{service.name}: {request.method} {request.path}", fault))
            return self.refuse(service, request, 500, "Internal server error.")
        try:
            self._save(before)
        except (OSError, UnstorableError) as error:
            self._store.restore(before)
            log.error("%s: %s %s was not stored: %s", service.name, request.method, request.path, error)
            if isinstance(error, OSError):
                return self.refuse(service, request, 507, f"Nothing was stored: {error.strerror or error}.")
            return self.refuse(service, request, 500, "Internal server error.")
        return self._recorded(service, request, answer)

    def refuse(self, service: Service, request: Request, status: int, message: str) -> Answer:
        """Return an error from outside the service, in the service's format if it has one."""
        response = refusal(service, status, message)
        if status in (429, 503) and response.header("Retry-After") is None:
            headers = (*response.headers, ("Retry-After", str(RETRY_AFTER_S)))
            response = Response(response.status, headers, response.body)
        return self._recorded(service, request, to_answer(response, request.method, self._store.clock()))

    def _save(self, before: Snapshot) -> None:
        if self._journal is not None and (operations := changes(before, self._store.snapshot())):
            self._journal.append(operations)

    def _recorded(self, service: Service, request: Request, answer: Answer) -> Answer:
        if self._access_log is not None:
            size = len(answer.body)
            self._access_log.write(service.name, request.method, request.path, answer.status_code, size)
        return answer
