"""Records whether services granted an agent access. The records are part of the office, so they survive a crash.

A service is *shut* to an agent if it rejected at least one of the agent's requests (401 or 403) and never accepted one.
Requests for unknown resources (404) or unsupported methods (405) do not count as rejections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from teller_gym.office.desk.tools import SERVICES
from teller_gym.office.pages import with_pages
from teller_gym.office.people import KEYS
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response, Service, refusal
from teller_gym.office_tasks.contract import ServedOffice
from teller_gym.office_tasks.task import OfficeTask

REFUSED: Final = (401, 403)
"""HTTP statuses for a client that is unknown or lacks a permission."""

TABLE: Final = "office.access"
"""Table with a `Door` per service."""

_CREDENTIALS: Final = (
    "authorization", "espo-authorization", "x-api-key", "x-auth-token", "x-user-id", "cookie",
)  # fmt: skip
_MOST: Final = 100
"""Maximum number of rejections recorded per service, so that guessing passwords does not fill the journal."""


class Door(msgspec.Struct, frozen=True):
    """An agent's access to a service.

    Attributes:
        let_in: True if the service granted access at least once.
        refused: number of requests that the service rejected before that, up to 100.
        last: the last rejection, such as ``401 for GET /api/v1/Contact``.
    """

    let_in: bool = False
    refused: int = 0
    last: str = ""


class Watched:
    """Wraps a service and records in the store whether it grants access, without changing its responses.

    Args:
        service: the wrapped service, including its web pages, so that signing in there is recorded.

    Attributes:
        has_pages: True if the service already has web pages.
    """

    def __init__(self, service: Service) -> None:
        self.name = service.name
        self.has_pages: bool = getattr(service, "has_pages", False)
        self._service = service

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request, and record the outcome unless access has already been granted."""
        door = _door(store, self.name)
        if door.let_in:
            return self._service.handle(store, request)
        before = store.snapshot()
        response = self._service.handle(store, request)
        if response.status in REFUSED:
            if door.refused < _MOST:
                last = f"{response.status} for {request.method} {request.path[:200]}"
                _note(store, self.name, Door(refused=door.refused + 1, last=last))
        elif _new_keys(before, store) or self._is_known(store.fork(before), request, response):
            _note(store, self.name, Door(True, door.refused, door.last))
        return response

    def refusal(self, status: int, message: str) -> Response:
        """Return an error in the service's own format, if it has one."""
        return refusal(self._service, status, message)

    def _is_known(self, store: Store, request: Request, response: Response) -> bool:
        """Return True if the service responds differently without the request's credentials."""
        headers = {name: value for name, value in request.headers.items() if name not in _CREDENTIALS}
        if len(headers) == len(request.headers):
            return False
        other = self._service.handle(store, msgspec.structs.replace(request, headers=headers))
        return (other.status, other.body) != (response.status, response.body)


class WatchedOffice:
    """An office whose services record whether they grant access.

    The original office is not changed.
    """

    def __init__(self, office: ServedOffice) -> None:
        self.store = office.store
        self.services: Mapping[str, Service] = {name: Watched(one) for name, one in with_pages(office.services).items()}
        self._office = office

    def credentials(self) -> dict[str, Any]:
        return self._office.credentials()


def shut(store: Store, task: OfficeTask) -> dict[str, str]:
    """Return the last rejection of each service that a task needs and that is shut, by service name."""
    doors = {name: _door(store, name) for name in needed(task)}
    return {name: door.last for name, door in doors.items() if door.refused and not door.let_in}


def needed(task: OfficeTask) -> tuple[str, ...]:
    """Return the names of the services that the expert's solution of a task uses, sorted."""
    return tuple(sorted({SERVICES[call.name] for call in task.standard.calls if call.name in SERVICES}))


def without_notes(store: Store) -> Store:
    """Return a copy of a store without the access records."""
    return store.fork({place: record for place, record in store.snapshot().items() if place[0] != TABLE})


def _door(store: Store, service: str) -> Door:
    found = store.get(TABLE, service)
    return Door() if found is None else msgspec.convert(found, Door)


def _note(store: Store, service: str, door: Door) -> None:
    store.put(TABLE, service, msgspec.to_builtins(door))


def _new_keys(before: Mapping[tuple[str, str], Any], store: Store) -> bool:
    """Return True if a key or token was issued, which means that the agent signed in."""
    return any(place[0] == KEYS and place not in before for place in store.snapshot())
