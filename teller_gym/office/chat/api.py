"""The chat over HTTP: authentication, dispatch and the bytes of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final
from urllib.parse import parse_qsl, quote, unquote

import msgspec

from teller_gym.office.chat import uploads
from teller_gym.office.chat.endpoints import messages, rooms, users
from teller_gym.office.chat.endpoints.call import ChatCall, Endpoint
from teller_gym.office.chat.errors import ChatError, not_logged_in
from teller_gym.office.chat.sessions import SERVICE, authenticate
from teller_gym.office.chat.voice import Voice
from teller_gym.office.forms import FormError, Upload, is_multipart, read_form
from teller_gym.office.store import Store
from teller_gym.office.web import MAX_BODY, Request, Response, json_response

_ROOT: Final = "/api/v1/"
_PAGE: Final = files(__package__).joinpath("page.html").read_bytes()
_HTML: Final = ("Content-Type", "text/html; charset=utf-8")

_GUARDED: Final[Mapping[tuple[str, str], Endpoint]] = {**rooms.ENDPOINTS, **messages.ENDPOINTS, **users.ENDPOINTS}
_OPEN: Final = users.OPEN_ENDPOINTS
_FILES: Final = "/file-upload/"

_METHODS: Final = ("GET", "POST")


class ChatService:
    """The chat as one of the office's services.

    Args:
        voice: puts the answers of colleagues into words; None: their own words.
    """

    name = SERVICE

    def __init__(self, voice: Voice | None = None) -> None:
        self.voice = voice

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request; never raises. Either all of what it writes is in the store afterwards, or nothing."""
        method = "GET" if request.method == "HEAD" else request.method
        path = unquote(request.path, errors="replace")
        if path.startswith(_FILES):
            response = _download(store, method, path, request)
        elif not path.startswith("/api/"):
            response = _page(method)
        else:
            saved = store.snapshot()
            try:
                response = json_response(200, self._answer(store, method, path, request))
            except ChatError as error:
                store.restore(saved)
                allowed = (("Allow", ", ".join(_allowed(path))),) if error.status == 405 else ()
                response = json_response(error.status, error.body(), *allowed)
            except Exception:  # a bug of ours; the server reports it and goes on
                store.restore(saved)
                response = json_response(500, {"success": False, "error": "Internal server error"})
        return Response(response.status, response.headers) if request.method == "HEAD" else response

    def _answer(self, store: Store, method: str, path: str, request: Request) -> dict[str, Any]:
        if len(request.body) > MAX_BODY:
            raise ChatError(f"Expected a body of at most {MAX_BODY} bytes, got {len(request.body)}", status=413)
        name, rest = _endpoint(path)
        key = (method, name)
        is_open = key in _OPEN
        endpoint = _OPEN.get(key) or _GUARDED.get(key)
        if endpoint is None:
            raise ChatError("API endpoint does not exist", status=405 if _allowed(path) else 404)
        token = request.headers.get("x-auth-token", "")
        user = "" if is_open else _caller(store, request, token)
        values, sent = (_query(request.query), ()) if method == "GET" else _body(request)
        answer = endpoint(ChatCall(store, user, token, values, self.voice, rest, sent))
        return answer if "status" in answer and "data" in answer else {**answer, "success": True}


def _endpoint(path: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of an endpoint, with a star for each further part of the path, and these parts."""
    if path in ("/api/info", "/api/info/"):
        return "info", ()
    name, *rest = (path.removeprefix(_ROOT).removesuffix("/") if path.startswith(_ROOT) else "").split("/")
    return name + "/*" * len(rest), tuple(rest)


def _allowed(path: str) -> list[str]:
    """Return the methods that an endpoint accepts; none if there is no such endpoint."""
    name, _ = _endpoint(path)
    return [method for method in _METHODS if (method, name) in _GUARDED or (method, name) in _OPEN]


def _caller(store: Store, request: Request, token: str) -> str:
    user_id = request.headers.get("x-user-id")
    if not token or not user_id:
        raise not_logged_in()
    return authenticate(store, user_id, token)


def _query(text: str) -> dict[str, Any]:
    """Return a query's values by name; for a repeated name, or one that ends in [], a list."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=1000)
    except ValueError as error:
        raise ChatError(f"Expected a query of at most 1000 parameters: {error}", "invalid-params") from None
    values: dict[str, Any] = {}
    for name, value in pairs:
        key, is_list = name.removesuffix("[]"), name.endswith("[]")
        if key in values:
            old = values[key]
            values[key] = [*(old if isinstance(old, list) else [old]), value]
        else:
            values[key] = [value] if is_list else value
    return values


def _body(request: Request) -> tuple[dict[str, Any], tuple[Upload, ...]]:
    """Return the values of a body in JSON or as a form, and the files of the form; none for an empty body."""
    if is_multipart(request):
        try:
            form = read_form(request)
        except FormError as error:
            raise ChatError(f"Expected a readable form: {error}", "invalid-params") from None
        return dict(form.pairs), form.files
    return _values(request), ()


def _values(request: Request) -> dict[str, Any]:
    if not request.body.strip():
        return {}
    if "x-www-form-urlencoded" in request.headers.get("content-type", ""):
        return _query(request.body.decode(errors="replace"))
    try:
        value = msgspec.json.decode(request.body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ChatError(f"Expected a body in JSON: {error}", "invalid-params") from None
    if not isinstance(value, dict):
        raise ChatError("Expected a JSON object as the body", "invalid-params")
    return value


def _download(store: Store, method: str, path: str, request: Request) -> Response:
    """Return a file to a user whose token is in the headers, or in the query as ``rc_uid`` and ``rc_token``."""
    if method != "GET":
        return Response(405, (_HTML, ("Allow", "GET, HEAD")), _PAGE)
    try:
        values = _query(request.query)
        token = request.headers.get("x-auth-token") or str(values.get("rc_token", ""))
        user = authenticate(store, request.headers.get("x-user-id") or str(values.get("rc_uid", "")), token)
        found = uploads.download(store, user, path.removeprefix(_FILES).partition("/")[0])
    except ChatError as error:
        return json_response(error.status, error.body())
    named = ("Content-Disposition", f"attachment; filename*=UTF-8''{quote(found['name'], safe='')}")
    return Response(200, (("Content-Type", found["type"]), named), found["content"])


def _page(method: str) -> Response:
    """Return the page for people, which is at every address outside the API, as in a single-page application."""
    if method != "GET":
        return Response(405, (_HTML, ("Allow", "GET, HEAD")), _PAGE)
    return Response(200, (_HTML,), _PAGE)
