"""Authenticates requests by API key or by user name and password."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from teller_gym.office.crm.access import LOGINS
from teller_gym.office.crm.errors import CrmError, bad_request
from teller_gym.office.people import with_key, with_password
from teller_gym.office.store import Store
from teller_gym.office.web import Request

API_KEYS: Final = "crm"
"""Service name of the CRM's keys in the table ``keys``."""


def authenticate(store: Store, request: Request) -> str:
    """Return the user name of a request's sender.

    Raises:
        CrmError: 401, or 400 for a header that is not base64 of ``name:password``.
    """
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if "x-api-key" in request.headers:
        person = with_key(store, API_KEYS, request.headers["x-api-key"])
    elif scheme.lower() == "basic":
        person = with_password(store, *_pair(credentials.strip()))
    else:
        person = None
    if person is None or store.get(LOGINS, person["username"]) is None:
        raise CrmError(401, "unauthorized", "")
    username: str = person["username"]
    return username


def _pair(credentials: str) -> tuple[str, str]:
    try:
        name, colon, password = base64.b64decode(credentials, validate=True).decode("utf-8", "replace").partition(":")
    except (binascii.Error, ValueError):
        name = colon = password = ""
    if not colon:
        raise bad_request("Auth: Bad authorization string provided.")
    return name.strip(), password.strip()
