"""Shared parts of all services' pages: routes, sign-in and errors."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from teller_gym.office.desk.desk import REFUSALS
from teller_gym.office.forms import Form, FormError, read_form
from teller_gym.office.pages import sessions
from teller_gym.office.pages.rendering import ROOT, go, link, page
from teller_gym.office.store import Store
from teller_gym.office.web import MAX_BODY, Request, Response, Service

log = logging.getLogger(__name__)

_DONE: Final[Mapping[str, str]] = {
    "commented": "The comment was added.",
    "created": "It was created.",
    "folder": "The folder was made.",
    "posted": "The message was posted.",
    "saved": "It was saved.",
    "uploaded": "The file was uploaded.",
    "written": "The file was written.",
}
"""Messages shown after a form was processed, by the ``done`` parameter of the page's address."""


class PageError(Exception):
    """An error raised by the pages themselves.

    Attributes:
        status: HTTP status.
        message: what was expected and what was received.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


class Visit(msgspec.Struct, frozen=True):
    """A request for a page from a signed-in user.

    Attributes:
        store: the office's store.
        service: the service behind the pages.
        user: user name of the sender.
        request: the request as received.
        query: parameters of the address; for a repeated one, the first value.
        form: the submitted form; empty for GET.
    """

    store: Store
    service: Service
    user: str
    request: Request
    query: Mapping[str, str]
    form: Form

    def asked(self, name: str) -> str:
        """Return a required parameter of the address.

        Raises:
            PageError: the parameter is missing.
        """
        found = self.query.get(name, "")
        if not found:
            raise PageError(400, f"Expected {name} in the address, got none; go back and follow a link.")
        return found

    def filled(self, name: str) -> str:
        """Return a required form field without surrounding white space.

        Raises:
            PageError: the field is blank.
        """
        found = self.form.get(name).strip()
        if not found:
            raise PageError(400, f"Expected the field {name} to be filled in; it is blank. Go back and fill it in.")
        return found

    def number(self, name: str, most: int) -> int:
        """Return a number from 0 to ``most`` in the address, by default 0.

        Raises:
            PageError: the parameter is not such a number.
        """
        text = self.query.get(name, "") or "0"
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= most):
            raise PageError(400, f"Expected {name} from 0 to {most} in the address, got {text[:40]!r}.")
        return int(text)

    def show(self, template: str, title: str, **values: Any) -> Response:
        """Render a page from a template, with the values that all pages have."""
        return page(template, {**self._frame(title), **values})

    def refused(self, status: int, message: str) -> Response:
        """Render the page that explains why a request was rejected."""
        return page("refused", {**self._frame("Not done"), "status": status, "message": message}, status)

    def _frame(self, title: str) -> dict[str, Any]:
        return {
            "site": TITLES[self.service.name],
            "title": title,
            "user": self.user,
            "done": _DONE.get(self.query.get("done", "")),
        }


Handler = Callable[[Visit], Response]

Routes = Mapping[tuple[str, str], Handler]
"""Handlers by method (GET or POST) and path below `ROOT`."""

TITLES: Final = {"crm": "CRM", "files": "Files", "chat": "Chat", "tracker": "Issue tracker"}
"""Page titles by service."""


def answer(service: Service, routes: Routes, store: Store, request: Request) -> Response:
    """Answer a request below `ROOT` without raising.

    On an error, nothing is written to the store.
    """
    saved = store.snapshot()
    method = "GET" if request.method == "HEAD" else request.method
    try:
        response = _answer(service, routes, store, request, method)
    except PageError as error:
        store.restore(saved)
        response = _outside(service, error.status, error.message)
    except Exception:  # a bug in this package: report it and go on serving
        log.exception("the page %s of %s failed", request.path[:200], service.name)
        store.restore(saved)
        response = _outside(service, 500, "Something went wrong on the server; nothing was changed.")
    return Response(response.status, response.headers) if request.method == "HEAD" else response


def _answer(service: Service, routes: Routes, store: Store, request: Request, method: str) -> Response:
    path = request.path.removeprefix(ROOT) if request.path.startswith(ROOT) else ""
    if len(request.body) > MAX_BODY:
        raise PageError(413, f"Expected at most {MAX_BODY} bytes, got {len(request.body)}.")
    if method not in ("GET", "POST"):
        raise PageError(405, f"Expected GET or POST, got {method[:20]}.")
    query, form = _query(request), _form(request, method)
    if method == "POST" and not sessions.is_own_origin(request):
        raise PageError(403, "This form came from another site.")
    if path == "login":
        return _login(service, store, form, method)
    token = sessions.cookie_of(request, service.name)
    user = sessions.signed_in(store, service.name, token)
    if user is None:
        return go(link("login"))
    visit = Visit(store, service, user, request, query, form)
    if (method, path) == ("POST", "logout"):
        sessions.sign_out(store, service.name, token)
        return go(link("login"), sessions.set_cookie(service.name, ""))
    return _page(visit, routes, method, path)


def _page(visit: Visit, routes: Routes, method: str, path: str) -> Response:
    handler = routes.get((method, path))
    if handler is None:
        known = any((other, path) in routes for other in ("GET", "POST"))
        return visit.refused(405 if known else 404, f"There is no page for {method} {visit.request.path[:200]}.")
    saved = visit.store.snapshot()
    try:
        return handler(visit)
    except REFUSALS as error:
        visit.store.restore(saved)
        return visit.refused(403 if error.status == 401 else error.status, error.message)
    except PageError as error:
        visit.store.restore(saved)
        return visit.refused(error.status, error.message)


def _login(service: Service, store: Store, form: Form, method: str) -> Response:
    values: dict[str, Any] = {"site": TITLES[service.name], "username": form.get("username"), "wrong": False}
    if method == "GET":
        return page("login", values)
    token = sessions.sign_in(store, service.name, form.get("username").strip(), form.get("password"))
    if token is None:
        return page("login", {**values, "wrong": True}, 401)
    return go(ROOT, sessions.set_cookie(service.name, token))


def _query(request: Request) -> dict[str, str]:
    try:
        return dict(reversed(request.parameters()))
    except ValueError:
        raise PageError(400, "Expected at most 1000 parameters in the address, got more.") from None


def _form(request: Request, method: str) -> Form:
    if method == "GET":
        return Form()
    try:
        return read_form(request)
    except FormError as error:
        raise PageError(400, f"The form cannot be read: {error}.") from None


def _outside(service: Service, status: int, message: str) -> Response:
    """Return the error page for a request that failed or whose user may not be signed in."""
    return page("failed", {"site": TITLES[service.name], "status": status, "message": message}, status)
