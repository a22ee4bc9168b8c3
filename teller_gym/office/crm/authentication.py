"""Authenticates requests by API key or by user name and password."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from teller_gym.office.crm.access import LOGINS
from teller_gym.office.crm.errors import CrmError, bad_request
from teller_gym.office.people import with_key, with_password
from teller_gym.office.store import Record, Store
from teller_gym.office.web import Request

API_KEYS: Final = "crm"
"""Service name of the CRM's keys in the table ``keys``."""

CREDENTIALS: Final = frozenset({"espo-authorization", "x-api-key", "authorization"})
"""Headers that carry credentials."""


def authenticate(store: Store, request: Request) -> str:
    """Return the user name of a request's sender.

    Raises:
        CrmError: 401, or 400 for a header that is not base64 of ``name:password``.
    """
    headers = request.headers
    person: Record | None = None
    if "espo-authorization" in headers:
        person = _by_password(store, headers["espo-authorization"])
    elif "x-api-key" in headers:
        person = with_key(store, API_KEYS, headers["x-api-key"])
    else:
        scheme, _, credentials = headers.get("authorization", "").partition(" ")
        person = _by_password(store, credentials.strip()) if scheme.lower() == "basic" else None
    if person is None or store.get(LOGINS, person["username"]) is None:
        raise CrmError(401, "unauthorized", "")
    username: str = person["username"]
    return username


def _by_password(store: Store, credentials: str) -> Record | None:
    try:
        decoded = base64.b64decode(credentials, validate=True).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        decoded = ""
    if ":" not in decoded:
        raise bad_request("Auth: Bad authorization string provided.")
    return with_password(store, *(part.strip() for part in decoded.split(":", 1)))
