"""Sessions of users who have signed in to a service's pages: keys of the office, stored in a cookie."""

from __future__ import annotations

from typing import Final

from teller_gym.office.chat.tables import USERS as CHAT_USERS
from teller_gym.office.crm.access import LOGINS as CRM_LOGINS
from teller_gym.office.ids import word_id
from teller_gym.office.people import KEYS, with_key, with_password
from teller_gym.office.store import Store
from teller_gym.office.tracker.tables import LOGINS as TRACKER_LOGINS
from teller_gym.office.web import Request

_TOKEN_LENGTH: Final = 32

_BY_KEY: Final = ("crm", "tracker")
"""Services that accept the API key instead of the password."""

_MEMBERS: Final = {"chat": CHAT_USERS, "crm": CRM_LOGINS, "tracker": TRACKER_LOGINS}
"""Tables of the users with an account at a service. In the file store everyone has one."""


def sign_in(store: Store, service: str, username: str, password: str) -> str | None:
    """Begin a session and return its token, or None if name and password match no user of the service.

    The name may be an e-mail address and, in the CRM and the tracker, the password may be an API key.
    """
    person = with_password(store, username, password)
    if person is None and service in _BY_KEY and password:
        holder = with_key(store, service, password)
        person = holder if holder is not None and username in (holder["username"], holder["email"]) else None
    if person is None or (service in _MEMBERS and store.get(_MEMBERS[service], person["username"]) is None):
        return None
    kind = _kind(service)
    token = word_id(store.seed, f"{kind}.session", store.count(kind), _TOKEN_LENGTH)
    store.put(KEYS, f"{kind}:{token}", {"username": person["username"], "expired": False})
    return token


def signed_in(store: Store, service: str, token: str) -> str | None:
    """Return the user name of the session with a token, or None if there is no such session."""
    person = with_key(store, _kind(service), token) if token else None
    return None if person is None else str(person["username"])


def sign_out(store: Store, service: str, token: str) -> None:
    """End a session."""
    store.update(KEYS, f"{_kind(service)}:{token}", expired=True)


def cookie_of(request: Request, service: str) -> str:
    """Return the session token in a request's cookies.

    The result is empty if there is none.
    """
    for part in request.headers.get("cookie", "").replace(",", ";").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _name(service):
            return value.strip()
    return ""


def set_cookie(service: str, token: str) -> tuple[str, str]:
    """Return the header that sets the session cookie.

    An empty token removes the cookie.
    """
    # Cookies ignore ports, and services may differ only by port, so each service has its own cookie name.
    age = "" if token else "; Max-Age=0"
    return "Set-Cookie", f"{_name(service)}={token}; Path=/web/; HttpOnly; SameSite=Lax{age}"


def is_own_origin(request: Request) -> bool:
    """Return True if a request comes from a page of the same host, or the browser sends no origin."""
    origin = request.headers.get("origin")
    return origin is None or origin.partition("://")[2] == request.headers.get("host", "")


def _name(service: str) -> str:
    return f"office_{service}"


def _kind(service: str) -> str:
    return f"web-{service}"
