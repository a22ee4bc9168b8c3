"""Serves the file store over HTTP: authenticates users and finds their trees.

`methods` answers the requests.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from functools import lru_cache
from importlib import resources
from typing import Final

import msgspec

from teller_gym.office.files import methods
from teller_gym.office.files.call import Call
from teller_gym.office.files.errors import FilesError, not_found
from teller_gym.office.files.guarding import submitted
from teller_gym.office.files.tree import find
from teller_gym.office.files.urls import Target, locate
from teller_gym.office.files.xml_writing import error_response
from teller_gym.office.people import with_password
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request, Response

_HTML: Final = ("Content-Type", "text/html; charset=UTF-8")
_CHALLENGE: Final = ("WWW-Authenticate", 'Basic realm="ownCloud", charset="UTF-8"')
_NO_PAGE: Final = b"<!DOCTYPE html>\n<html><head><title>ownCloud</title></head><body><h1>Not found</h1></body></html>\n"
_NO_METHOD: Final = (
    b"<!DOCTYPE html>\n<html><head><title>ownCloud</title></head><body><h1>Not allowed</h1></body></html>\n"
)

_WRITES: Final = frozenset({"PUT", "MKCOL"})
"""Methods that ownCloud forbids in another user's tree. For all others the tree is empty."""


class FilesService:
    """Office service that serves the file store."""

    name = "files"

    def handle(self, store: Store, request: Request) -> Response:
        """Answer a request without raising.

        On an error, nothing is written to the store.
        """
        try:
            response = _respond(store, request)
        except FilesError as error:
            response = error_response(error, *((_CHALLENGE,) if error.status == 401 else ()))
        if request.method == "HEAD" and response.body:
            return Response(response.status, (*response.headers, ("Content-Length", str(len(response.body)))))
        return response

    def refusal(self, status: int, message: str) -> Response:
        """Return an error response for the HTTP server, such as for a body that is too large."""
        return error_response(FilesError(status, message))


def _respond(store: Store, request: Request) -> Response:
    target = locate(request.path)
    if target.kind != "tree":
        return _page(target, request)
    user = _signed_in(store, request)
    username: str = user["username"]
    if target.owner not in (None, username):
        if request.method in _WRITES:
            raise FilesError(403, f"Nothing can be written below {target.prefix}/")
        raise not_found(target.path)
    record = find(store, username, target.path)
    call = Call(store, username, request, target, record)
    try:
        return methods.answer(msgspec.structs.replace(call, tokens=submitted(call)))
    except FilesError as error:
        if error.status != 405:
            raise
        return error_response(error, ("Allow", methods.allowed(record)))


def _page(target: Target, request: Request) -> Response:
    """Answer a request to the web site, which needs no login."""
    if request.method not in ("GET", "HEAD"):
        return Response(405, (_HTML, ("Allow", "GET, HEAD")), _NO_METHOD)
    return Response(200, (_HTML,), _login()) if target.kind == "page" else Response(404, (_HTML,), _NO_PAGE)


@lru_cache(maxsize=1)
def _login() -> bytes:
    return resources.files(__package__).joinpath("login.html").read_bytes()


def _signed_in(store: Store, request: Request) -> Record:
    """Return the user who sends a request.

    Raises:
        FilesError: 401 without valid Basic credentials.
    """
    scheme, _, encoded = request.headers.get("authorization", "").strip().partition(" ")
    if scheme.lower() != "basic":
        raise FilesError(401, "Expected a user name and a password in an Authorization header of the scheme Basic")
    try:
        raw = b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise FilesError(401, "Expected base64 after Basic; got what is none") from None
    username, _, password = raw.decode("utf-8", "replace").partition(":")
    user = with_password(store, username, password) if username.strip() else None
    if user is None:
        raise FilesError(401, "The user name or the password is wrong")
    return user
