"""Serves the tracker over HTTP: authenticates and dispatches requests, and writes the response bodies."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote

import msgspec

from teller_gym.base.text import is_unicode
from teller_gym.office.people import with_key
from teller_gym.office.store import Store
from teller_gym.office.tracker import routes
from teller_gym.office.tracker.errors import TrackerError, forbidden, shortened, unparsable
from teller_gym.office.tracker.tables import workspace
from teller_gym.office.web import MAX_BODY, Request, Response, json_response

_PAGE: Final = files(__package__).joinpath("login.html").read_bytes()
"""The web app's login page, shown for every path outside the API. Its form leads to a served office's pages."""


class Tracker:
    """Office service that serves the issue tracker."""

    name = "tracker"

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request (see `teller_gym.office.web.Service`)."""
        try:
            if not request.path.startswith(("/api/", "/auth/")):
                return _page(request)
            if len(request.body) > MAX_BODY:
                detail = "The size of the request body exceeds the maximum allowed size."
                raise TrackerError(413, "too_large", {"error": "REQUEST_BODY_TOO_LARGE", "detail": detail})
            if not is_unicode(request.path) or not is_unicode(request.query):
                raise unparsable("Malformed request: the path and the query must be Unicode.")
            route = routes.find(request.path)
            return _nowhere(request) if route is None else _answer(store, request, route)
        except TrackerError as error:
            return json_response(error.status, error.body)


def _user(store: Store, key: str | None) -> str:
    """Return the user name that a key belongs to."""
    if not key:
        detail = "Authentication credentials were not provided."
        raise TrackerError(401, "not_authenticated", {"detail": detail})
    person = with_key(store, Tracker.name, key)
    if person is None:
        # 403 and not 401: Django REST framework has no WWW-Authenticate header for API keys.
        raise TrackerError(403, "authentication_failed", {"detail": "Given API token is not valid"})
    return str(person["username"])


def _answer(store: Store, request: Request, route: routes.Route) -> Response:
    user = _user(store, request.headers.get("x-api-key"))
    handler = route.methods.get(request.method)
    if handler is None:
        detail = f'Method "{_printable(request.method)}" not allowed.'
        return json_response(405, {"detail": detail}, ("Allow", ", ".join(route.methods)))
    if route.slug is not None and route.slug != workspace(store)["slug"]:
        raise forbidden()  # as for a workspace that the user is not a member of
    data = _data(request) if request.method in ("POST", "PATCH") else {}
    return json_response(*handler(routes.ApiCall(store, user, route.ids, _query(request), data)))


def _query(request: Request) -> dict[str, str]:
    if not request.query:
        return {}
    try:
        return dict(request.parameters())
    except ValueError:
        raise unparsable("Too many query parameters: expected at most 1000.") from None


def _data(request: Request) -> Any:
    """Return the decoded JSON body, or an empty object if there is no body."""
    if not request.body:
        return {}
    media = request.headers.get("content-type", "")
    if media.partition(";")[0].strip().lower() != "application/json":
        detail = f'Unsupported media type "{_printable(media)}" in request.'
        raise TrackerError(415, "unsupported_media_type", {"detail": detail})
    try:
        return msgspec.json.decode(request.body)
    except (ValueError, RecursionError) as error:
        raise unparsable(f"JSON parse error - {error}") from None


def _nowhere(request: Request) -> Response:
    """Answer an unknown path of the API with a redirect if only the last slash is missing, otherwise with 404."""
    path = request.path
    if not path.endswith("/") and routes.find(f"{path}/") is not None:
        query = f"?{request.query}" if request.query else ""
        location = quote(f"{path}/{query}", safe="/%?&=:;,+@!$'()*~[]#")
        return Response(301, (("Content-Type", "text/html; charset=utf-8"), ("Location", location)))
    return json_response(404, {"error": "Page not found."})


def _page(request: Request) -> Response:
    content = ("Content-Type", "text/html; charset=utf-8")
    if request.method in ("GET", "HEAD"):
        return Response(200, (content,), _PAGE)
    body = b"<html><head><title>405 Not Allowed</title></head><body><h1>405 Not Allowed</h1></body></html>\n"
    return Response(405, (content, ("Allow", "GET, HEAD")), body)


def _printable(text: str) -> str:
    return shortened(text.encode("ascii", "replace").decode())
