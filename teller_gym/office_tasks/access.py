"""Records of the services that let the agent in, kept in the office itself so that they survive a crash like all else.

A service is *shut* to an agent if it refused at least one of its requests (401 or 403) and never let it in. Only that
counts as a lack of access: a request for the wrong place (404) does not, nor does a call that a service lacks (405).
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
"""Statuses for a client that the service does not know, or does not allow to do something."""

TABLE: Final = "office.access"
"""Table of the services' answers, by service; see `Door`."""

_CREDENTIALS: Final = (
    "authorization", "espo-authorization", "x-api-key", "x-auth-token", "x-user-id", "cookie",
)  # fmt: skip
_MOST: Final = 100
"""Most refusals noted per service, so that an agent that tries passwords does not fill the journal."""


class Door(msgspec.Struct, frozen=True):
    """The dealings of an agent with one service.

    Attributes:
        let_in: True if the service let the agent in at least once.
        refused: number of requests that it refused before that, up to a hundred.
        last: the last of these refusals, such as ``401 for GET /api/v1/Contact``.
    """

    let_in: bool = False
    refused: int = 0
    last: str = ""


class Watched:
    """A wrapped service that notes in the store whether it lets the agent in, and leaves the answers unchanged.

    Args:
        service: the service that answers requests, including those for pages, so that signing in there is noted.

    Attributes:
        has_pages: True if the service already has pages for people, so that none need to be added.
    """

    def __init__(self, service: Service) -> None:
        self.name = service.name
        self.has_pages: bool = getattr(service, "has_pages", False)
        self._service = service

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request; until the service has let the agent in, note whether it does."""
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
        """Return an error in the service's own shape, if it has one."""
        return refusal(self._service, status, message)

    def _is_known(self, store: Store, request: Request, response: Response) -> bool:
        """Return True if the request's credentials made a difference: the service answers differently without them."""
        headers = {name: value for name, value in request.headers.items() if name not in _CREDENTIALS}
        if len(headers) == len(request.headers):
            return False
        other = self._service.handle(store, msgspec.structs.replace(request, headers=headers))
        return (other.status, other.body) != (response.status, response.body)


class WatchedOffice:
    """An office whose services note whether they let the agent in; the office's own store stays as it is."""

    def __init__(self, office: ServedOffice) -> None:
        self.store = office.store
        self.services: Mapping[str, Service] = {name: Watched(one) for name, one in with_pages(office.services).items()}
        self._office = office

    def credentials(self) -> dict[str, Any]:
        """Return the user's credentials for each service."""
        return self._office.credentials()


def shut(store: Store, task: OfficeTask) -> dict[str, str]:
    """Return the services that a task needs and that are shut to the agent, with the last refusal of each."""
    doors = {name: _door(store, name) for name in needed(task)}
    return {name: door.last for name, door in doors.items() if door.refused and not door.let_in}


def needed(task: OfficeTask) -> tuple[str, ...]:
    """Return the services that a right solution of a task uses, sorted by name."""
    return tuple(sorted({SERVICES[call.name] for call in task.standard.calls if call.name in SERVICES}))


def without_notes(store: Store) -> Store:
    """Return a copy of a store without the notes about access."""
    return store.fork({place: record for place, record in store.snapshot().items() if place[0] != TABLE})


def _door(store: Store, service: str) -> Door:
    found = store.get(TABLE, service)
    return Door() if found is None else msgspec.convert(found, Door)


def _note(store: Store, service: str, door: Door) -> None:
    store.put(TABLE, service, msgspec.to_builtins(door))


def _new_keys(before: Mapping[tuple[str, str], Any], store: Store) -> bool:
    """Return True if a key or token was issued, as signing in does."""
    return any(place[0] == KEYS and place not in before for place in store.snapshot())
