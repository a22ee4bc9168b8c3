"""Who sends a request: by API key, by a signature (HMAC), or by name and password or token."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Final

import msgspec

from teller_gym.office.crm.access import LOGINS
from teller_gym.office.crm.errors import CrmError, bad_request
from teller_gym.office.ids import word_id
from teller_gym.office.people import KEYS, with_key, with_password
from teller_gym.office.store import Store
from teller_gym.office.web import Request

API_KEYS: Final = "crm"
HMAC_KEYS: Final = "crm-hmac"
TOKENS: Final = "crm-token"
"""The services under which keys stand in the table ``keys``; a row of `HMAC_KEYS` has a ``secret`` besides."""

_TOKEN_LENGTH: Final = 32


class Login(msgspec.Struct, frozen=True):
    """Who a request comes from.

    Attributes:
        username: as the office knows them.
        token: by which they authenticated; None if by other means.
        with_password: they gave a name and password in the header ``Espo-Authorization``, for which there is a token.
    """

    username: str
    token: str | None = None
    with_password: bool = False


def authenticate(store: Store, request: Request, path: str) -> Login:
    """Return who sends a request.

    Args:
        store: the office.
        request: with its headers.
        path: of the request below the API's root, such as ``/Contact/5f0``: what a signature is over.

    Raises:
        CrmError: 401, or 400 for a header that is no base64 of ``name:password``.
    """
    headers = request.headers
    if "espo-authorization" in headers:
        login = _by_name(store, headers["espo-authorization"], espo=True)
    elif "x-hmac-authorization" in headers:
        login = _by_signature(store, headers["x-hmac-authorization"], request.method, path)
    elif "x-api-key" in headers:
        person = with_key(store, API_KEYS, headers["x-api-key"])
        login = None if person is None else Login(person["username"])
    else:
        scheme, _, credentials = headers.get("authorization", "").partition(" ")
        login = _by_name(store, credentials.strip(), espo=False) if scheme.lower() == "basic" else None
    if login is None or store.get(LOGINS, login.username) is None:
        raise CrmError(401, "unauthorized", "")
    return login


def new_token(store: Store, username: str) -> str:
    """Return a new token for somebody, to be used in the place of the password."""
    token = word_id(store.seed, TOKENS, store.count(TOKENS), _TOKEN_LENGTH)
    store.put(KEYS, f"{TOKENS}:{token}", {"username": username, "expired": False})
    return token


def _by_name(store: Store, credentials: str, espo: bool) -> Login | None:
    decoded = (_decoded(credentials) or b"").decode("utf-8", "replace")
    if ":" not in decoded:
        raise bad_request("Auth: Bad authorization string provided.")
    name, secret = (part.strip() for part in decoded.split(":", 1))
    holder = with_key(store, TOKENS, secret)
    if holder is not None:
        return Login(holder["username"], token=secret) if name in (holder["username"], holder["email"]) else None
    person = with_password(store, name, secret)
    return None if person is None else Login(person["username"], with_password=espo)


def _by_signature(store: Store, credentials: str, method: str, path: str) -> Login | None:
    """The signature is HMAC-SHA256 of ``METHOD /path``, in hexadecimal or, as older clients send it, in bytes."""
    key, colon, signature = (_decoded(credentials) or b"").partition(b":")
    row = store.get(KEYS, f"{HMAC_KEYS}:{key.decode('utf-8', 'replace')}")
    if not colon or row is None or row["expired"]:
        return None
    right = hmac.new(row["secret"].encode(), f"{method} {path}".encode("utf-8", "replace"), hashlib.sha256)
    if signature not in (right.hexdigest().encode(), right.digest()):
        return None
    return Login(row["username"])


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
