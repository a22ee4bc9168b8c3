"""Serves the chat over HTTP: authenticates and dispatches requests, and writes the response bodies."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

import msgspec

from teller_gym.office.chat.endpoints import ENDPOINTS, OPEN_ENDPOINTS, ChatCall
from teller_gym.office.chat.errors import ChatError
from teller_gym.office.chat.users import SERVICE, authenticate
from teller_gym.office.store import Store
from teller_gym.office.web import MAX_BODY, Request, Response, json_response

_ROOT: Final = "/api/v1/"
_PAGE: Final = files(__package__).joinpath("page.html").read_bytes()
_HTML: Final = ("Content-Type", "text/html; charset=utf-8")


class ChatService:
    """Office service that serves the chat."""

    name = SERVICE

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request without raising.

        On an error, nothing is written to the store.
        """
        method = "GET" if request.method == "HEAD" else request.method
        path = unquote(request.path, errors="replace")
        if not path.startswith("/api/"):
            response = _page(method)
        else:
            saved = store.snapshot()
            try:
                response = json_response(200, _answer(store, method, path, request))
            except ChatError as error:
                store.restore(saved)
                allowed = (("Allow", ", ".join(_allowed(path))),) if error.status == 405 else ()
                response = json_response(error.status, error.body(), *allowed)
            except Exception:  # a bug in this package; the server goes on
                store.restore(saved)
                response = json_response(500, {"success": False, "error": "Internal server error"})
        return Response(response.status, response.headers) if request.method == "HEAD" else response


def _answer(store: Store, method: str, path: str, request: Request) -> dict[str, Any]:
    if len(request.body) > MAX_BODY:
        raise ChatError(f"Expected a body of at most {MAX_BODY} bytes, got {len(request.body)}", status=413)
    key = (method, _name(path))
    endpoint = OPEN_ENDPOINTS.get(key) or ENDPOINTS.get(key)
    if endpoint is None:
        raise ChatError("API endpoint does not exist", status=405 if _allowed(path) else 404)
    token = request.headers.get("x-auth-token", "")
    user = "" if key in OPEN_ENDPOINTS else authenticate(store, request.headers.get("x-user-id", ""), token)
    values = _query(request.query) if method == "GET" else _values(request)
    answer = endpoint(ChatCall(store, user, token, values))
    return answer if "status" in answer and "data" in answer else {**answer, "success": True}


def _name(path: str) -> str:
    """Return the endpoint name at a path.

    The result is empty outside the API.
    """
    if path in ("/api/info", "/api/info/"):
        return "info"
    return path.removeprefix(_ROOT).removesuffix("/") if path.startswith(_ROOT) else ""


def _allowed(path: str) -> list[str]:
    """Return the methods that the endpoint at a path accepts.

    The result is empty if there is no such endpoint.
    """
    return [method for method in ("GET", "POST") if (method, _name(path)) in {**ENDPOINTS, **OPEN_ENDPOINTS}]


def _query(text: str) -> dict[str, Any]:
    """Parse a query into values by name.

    A repeated name, or one that ends in [], has a list.
    """
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


def _values(request: Request) -> dict[str, Any]:
    """Parse a JSON or form-encoded body into values by name.

    The result is empty for an empty body.
    """
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


def _page(method: str) -> Response:
    """Return the web page shown at every address outside the API, as in a single-page application."""
    if method != "GET":
        return Response(405, (_HTML, ("Allow", "GET, HEAD")), _PAGE)
    return Response(200, (_HTML,), _PAGE)
