"""Serves EspoCRM's REST API: authenticates requests, routes them and writes the responses."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import unquote

import msgspec

from teller_gym.office.crm import access, links, parameters, records, search, stream
from teller_gym.office.crm.errors import CrmError
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response, json_response

ROOT: Final = "/api/v1"
MAX_REASON: Final = 500
"""Maximum length of the reason in a response header, in characters."""

_PAGES: Final = frozenset({"", "/", "/index.php"})
_HTML: Final = ("Content-Type", "text/html; charset=utf-8")
_NOT_IN_HEADERS: Final = re.compile(r"[^\x20-\x7e\xa1-\xac\xae-\xff]")


class _Call(msgspec.Struct, frozen=True):
    """Authenticated request with the segments of its path."""

    store: Store
    request: Request
    user: str
    parts: tuple[str, ...]

    def params(self) -> dict[str, Any]:
        return parameters.search_params(parameters.query(self.request))

    def body(self) -> dict[str, Any]:
        return parameters.body(self.request)


class Crm:
    """Office service that serves the CRM."""

    name = "crm"

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request (see `Service.handle`)."""
        try:
            return _answer(store, request)
        except CrmError as error:
            return _refusal(error)
        except Exception:  # a bug in this package, which must not end the office's day
            return _empty(500, "Internal Server Error")


def _answer(store: Store, request: Request) -> Response:
    path = request.path
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        if path in _PAGES and request.method not in ("GET", "HEAD"):
            return Response(405, (_HTML, ("Allow", "GET, HEAD")), b"<h1>405 Method Not Allowed</h1>")
        if path in _PAGES:
            return Response(200, (_HTML,), _login_page())
        return Response(404, (_HTML,), b"<h1>404 Not Found</h1>")
    below = path.removeprefix(ROOT)
    parts = tuple(unquote(part) for part in below.split("/")[1:]) if below not in ("", "/") else ()
    routes = _routes(parts)
    if not routes:
        return _empty(404, "Route not found.")
    if request.method not in routes:
        return _empty(405, "Method not allowed.", ("Allow", ", ".join(routes)))
    found = routes[request.method](_Call(store, request, access.authenticate(store, request), parts))
    return found if isinstance(found, Response) else json_response(200, found)


Route = Callable[[_Call], Any]


def _routes(parts: tuple[str, ...]) -> dict[str, Route]:
    """Return a path's handlers by HTTP method.

    The result is empty if there is no such route.
    """
    if "" in parts:
        return {}
    if parts in _FIXED:
        return _FIXED[parts]
    if len(parts) == 1:
        return {"GET": _list, "POST": _create}
    if len(parts) == 2:
        return {"GET": _read, "PUT": _update, "PATCH": _update, "DELETE": _delete}
    if len(parts) != 3:
        return {}
    return {"GET": _stream if parts[2] == "stream" else _related}


def _app_user(call: _Call) -> Any:
    return {"user": records.get(call.store, call.user, "User", access.actor(call.store, call.user).id)}


def _list(call: _Call) -> Any:
    return search.search(call.store, call.user, call.parts[0], call.params())


def _create(call: _Call) -> Any:
    values = call.body()
    skip = call.request.headers.get("x-skip-duplicate-check", "").strip().lower() == "true"
    return records.create(call.store, call.user, call.parts[0], values, skip_duplicate_check=skip)


def _read(call: _Call) -> Any:
    return records.get(call.store, call.user, *call.parts[:2])


def _update(call: _Call) -> Any:
    return records.update(call.store, call.user, call.parts[0], call.parts[1], call.body())


def _delete(call: _Call) -> Any:
    return records.delete(call.store, call.user, *call.parts[:2])


def _stream(call: _Call) -> Any:
    return stream.read_stream(call.store, call.user, call.parts[0], call.parts[1], call.params())


def _related(call: _Call) -> Any:
    entity, key, link = call.parts
    return links.list_related(call.store, call.user, entity, key, link, call.params())


_FIXED: Final[dict[tuple[str, ...], dict[str, Route]]] = {
    (): {"GET": lambda _: "EspoCRM REST API"},
    ("App", "user"): {"GET": _app_user},
}


def _refusal(error: CrmError) -> Response:
    if error.status == 401:
        return Response(401, (("WWW-Authenticate", 'Basic realm=""'),))
    if error.body is None:
        return _empty(error.status, error.message)
    return json_response(error.status, error.body, ("X-Status-Reason", _reason(error.message)))


def _empty(status: int, reason: str, *headers: tuple[str, str]) -> Response:
    """Return a response without a body, as EspoCRM does for most errors."""
    return Response(status, (("Content-Type", "application/json"), *headers, ("X-Status-Reason", _reason(reason))))


def _reason(message: str) -> str:
    return _NOT_IN_HEADERS.sub(" ", message)[:MAX_REASON]


@cache
def _login_page() -> bytes:
    return (files(__package__) / "login.html").read_bytes()
