"""EspoCRM's REST API over HTTP requests: who asks, which function answers, and how its answer is written."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import unquote

import msgspec

from teller_gym.office.crm import access, attachments, attendance, frontend, links, parameters, records, search, stream
from teller_gym.office.crm.authentication import Login, authenticate, new_token
from teller_gym.office.crm.errors import CrmError, bad_request, forbidden, not_found
from teller_gym.office.crm.openapi import specification
from teller_gym.office.crm.schema import SETTINGS, entity_of, schema
from teller_gym.office.store import Store
from teller_gym.office.web import MAX_BODY, Request, Response, json_response

ROOT: Final = "/api/v1"
MAX_REASON: Final = 500
"""Characters of a reason in a header, where long values that were sent are cut."""

_PAGES: Final = frozenset({"", "/", "/index.php"})
_HTML: Final = ("Content-Type", "text/html; charset=utf-8")
_NOT_IN_HEADERS: Final = re.compile(r"[^\x20-\x7e\xa1-\xac\xae-\xff]")
_NOT_IN_NAMES: Final = re.compile(r"[^ \x21\x23-\x5b\x5d-\x7e]")


class _Call(msgspec.Struct, frozen=True):
    """A request from somebody known, with its path taken apart."""

    store: Store
    request: Request
    login: Login
    parts: tuple[str, ...]

    @property
    def user(self) -> str:
        return self.login.username

    @property
    def record(self) -> tuple[str, str]:
        """The entity and the id in the path."""
        return self.parts[0], self.parts[1]

    @property
    def link(self) -> tuple[str, str, str]:
        """The entity, the id and the link in the path."""
        return self.parts[0], self.parts[1], self.parts[2]

    def params(self) -> dict[str, Any]:
        return parameters.search_params(parameters.query(self.request))

    def body(self) -> dict[str, Any]:
        return parameters.body(self.request)

    def says(self, header: str) -> bool:
        return self.request.headers.get(header, "").strip().lower() == "true"


class Crm:
    """The CRM as a service of the office."""

    name = "crm"

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request; see `Service.handle`."""
        try:
            return _answer(store, request)
        except CrmError as error:
            return _refusal(request, error)
        except Exception:  # no request may end the office's day; a test asserts that none comes here
            return _empty(500, "Internal Server Error")


def _answer(store: Store, request: Request) -> Response:
    path = request.path
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        if path in _PAGES and request.method not in ("GET", "HEAD"):
            return Response(405, (_HTML, ("Allow", "GET, HEAD")), b"<h1>405 Method Not Allowed</h1>")
        if path in _PAGES:
            return Response(200, (_HTML,), _login_page())
        return Response(404, (_HTML,), b"<h1>404 Not Found</h1>")
    if len(request.body) > MAX_BODY:
        return _empty(413, f"A body has at most {MAX_BODY} bytes.")
    below = path.removeprefix(ROOT)
    parts = tuple(unquote(part) for part in below.split("/")[1:]) if below not in ("", "/") else ()
    routes = _routes(parts)
    if not routes:
        return _empty(404, "Route not found.")
    if request.method not in routes:
        return _empty(405, "Method not allowed.", ("Allow", ", ".join(routes)))
    if parts in _OPEN and not _CREDENTIALS & request.headers.keys():
        return json_response(200, _OPEN[parts](store))
    login = authenticate(store, request, below)
    found = routes[request.method](_Call(store, request, login, parts))
    return found if isinstance(found, Response) else json_response(200, found)


Route = Callable[[_Call], Any]


def _routes(parts: tuple[str, ...]) -> dict[str, Route]:
    """What answers each method at a path, in order of the methods; nothing where EspoCRM has no route."""
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
    if parts[1] == "action":
        return {"GET": _no_action, "POST": _action, "PUT": _no_action}
    if parts[:2] == ("Attachment", "file"):
        return {"GET": _download}
    reads: Route = _related
    if parts[2] in ("stream", "posts"):
        reads = _stream
    elif parts[2] == "attendees" and parts[0] in attendance.EVENTS:
        reads = _attendees
    return {"GET": reads, "POST": _relate, "DELETE": _unrelate}


def _index(_: _Call) -> Any:
    return "EspoCRM REST API"


def _app_user(call: _Call) -> Any:
    store, login = call.store, call.login
    who, entities = access.actor(store, login.username), schema(store)
    user = records.get(store, login.username, "User", who.id)
    token = new_token(store, login.username) if login.with_password else login.token
    office = store.get(SETTINGS, "office") or {}
    return {
        "user": user,
        "acl": {"table": access.table(who, entities)},
        "preferences": {"timeZone": "UTC", "dateFormat": "YYYY-MM-DD", "timeFormat": "HH:mm"},
        "token": token,
        "settings": {
            "defaultCurrency": office.get("currency"),
            "currencyList": [office.get("currency")],
            "timeZone": "UTC",
            "fiscalYearShift": office.get("fiscalYearShift", 0),
            "recordListMaxSizeLimit": search.MAX_SIZE,
        },
        "language": "en_US",
    }


def _open_api(call: _Call) -> Any:
    who = access.actor(call.store, call.user)
    if not who.admin and "OpenApi" not in who.levels:
        raise forbidden("No access to OpenApi scope.")
    return specification(schema(call.store))


def _global_search(call: _Call) -> Any:
    given = parameters.query(call.request)
    text = given.get("q")
    numbers = {key: parameters.search_params(given).get(key) for key in ("offset", "maxSize")}
    offset, size = numbers["offset"], numbers["maxSize"]
    return frontend.global_search(
        call.store,
        call.user,
        text if isinstance(text, str) else "",
        0 if offset is None else offset,
        frontend.FOUND if size is None else size,
    )


def _list(call: _Call) -> Any:
    params = call.params()
    no_total = call.says("x-no-total") or bool(params.get("q"))  # quick search is not counted, as in EspoCRM
    return search.search(call.store, call.user, call.parts[0], params, no_total=no_total)


def _create(call: _Call) -> Any:
    values = call.body()
    if call.parts[0] == "Attachment":
        return attachments.upload(call.store, call.user, values)
    skip = call.says("x-skip-duplicate-check")
    if "x-skip-duplicate-check" not in call.request.headers:
        skip = values.get("_skipDuplicateCheck") is True
    return records.create(call.store, call.user, call.parts[0], values, skip_duplicate_check=skip)


def _read(call: _Call) -> Any:
    return records.get(call.store, call.user, *call.record)


def _update(call: _Call) -> Any:
    return records.update(call.store, call.user, *call.record, call.body())


def _delete(call: _Call) -> Any:
    return records.delete(call.store, call.user, *call.record)


def _stream(call: _Call) -> Any:
    entity_type, record_id, what = call.parts
    return stream.read_stream(call.store, call.user, entity_type, record_id, call.params(), posts=what == "posts")


def _attendees(call: _Call) -> Any:
    return attendance.attendees(call.store, call.user, *call.record)


def _related(call: _Call) -> Any:
    return links.list_related(call.store, call.user, *call.link, call.params())


def _relate(call: _Call) -> Any:
    given = call.body()
    if given.get("massRelate"):
        raise forbidden("Mass link is not allowed.")
    return links.relate(call.store, call.user, *call.link, parameters.ids(given))


def _unrelate(call: _Call) -> Any:
    return links.unrelate(call.store, call.user, *call.link, parameters.ids(call.body()))


def _action(call: _Call) -> Any:
    entity_type, _, action = call.parts
    if entity_type not in attendance.EVENTS or action != "setAcceptanceStatus":
        return _no_action(call)
    given = call.body()
    record_id, status = given.get("id"), given.get("status")
    if not isinstance(record_id, str) or not isinstance(status, str):
        raise bad_request("No id or status.")
    return attendance.set_acceptance_status(call.store, call.user, entity_type, record_id, status)


def _no_action(call: _Call) -> Any:
    entity_type, _, action = call.parts
    entity_of(call.store, entity_type)
    raise not_found(f"Action {call.request.method} '{action}' does not exist in controller '{entity_type}'.")


def _download(call: _Call) -> Response:
    name, kind, contents = attachments.download(call.store, call.user, call.parts[2])
    shown = _NOT_IN_NAMES.sub("_", name)
    return Response(
        200,
        (
            ("Content-Type", _NOT_IN_HEADERS.sub(" ", kind)),
            ("Content-Disposition", f'attachment; filename="{shown}"'),
        ),
        contents,
    )


_FIXED: Final[dict[tuple[str, ...], dict[str, Route]]] = {
    (): {"GET": _index},
    ("App", "user"): {"GET": _app_user},
    ("OpenApi",): {"GET": _open_api},
    ("GlobalSearch",): {"GET": _global_search},
    ("Settings",): {"GET": lambda call: frontend.settings(call.store)},
    ("I18n",): {"GET": lambda call: frontend.labels(call.store)},
}

_OPEN: Final[dict[tuple[str, ...], Callable[[Store], Any]]] = {
    ("Settings",): frontend.settings,
    ("I18n",): frontend.labels,
}
"""Endpoints that need no sign-in, since the log-in page uses them."""

_CREDENTIALS: Final = frozenset({"espo-authorization", "x-hmac-authorization", "x-api-key", "authorization"})
"""Headers that carry credentials."""


def _refusal(request: Request, error: CrmError) -> Response:
    if error.status == 401:
        asks = request.method != "POST" and "referer" not in request.headers
        given = _CREDENTIALS & request.headers.keys()
        # A browser is asked for a password only where nothing was given.
        return Response(401, (("WWW-Authenticate", 'Basic realm=""'),) if asks and not given else ())
    if error.body is None:
        return _empty(error.status, error.message)
    return json_response(error.status, error.body, ("X-Status-Reason", _reason(error.message)))


def _empty(status: int, reason: str, *headers: tuple[str, str]) -> Response:
    """An answer without a body, as most of EspoCRM's refusals are."""
    return Response(status, (("Content-Type", "application/json"), *headers, ("X-Status-Reason", _reason(reason))))


def _reason(message: str) -> str:
    return _NOT_IN_HEADERS.sub(" ", message)[:MAX_REASON]


@cache
def _login_page() -> bytes:
    return (files(__package__) / "login.html").read_bytes()
