"""Sign-in to services, for offices that require it of agents."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from teller_gym.base.errors import ErrorKind, ToolError
from teller_gym.office.desk.desk import Desk
from teller_gym.office.people import with_password
from teller_gym.tools.tool import Act, Result, tool

SIGNED: Final = "desk.signed"
"""Table of the services that the agent has signed in to, by name."""

Service = Literal["files", "crm", "chat", "tracker"]
Word = Annotated[str, Meta(min_length=1, max_length=100)]


class SignedIn(Result):
    """Service that the user has signed in to."""

    service: str
    username: str


@tool(act=Act.NOTE)
def sign_in(desk: Desk, service: Service, username: Word, password: Word) -> SignedIn:
    """Sign in to a service; it knows you for the rest of the day.

    Args:
        service: Which of the four.
        username: Your user name.
        password: Your password.
    """
    found = with_password(desk.store, username, password)
    if found is None or found["username"] != desk.user:
        message = "401 unauthorized: expected your own user name with its password"
        raise ToolError(ErrorKind.VALIDATION, message, "password")
    desk.store.put(SIGNED, service, {"username": desk.user})
    return SignedIn(service=service, username=desk.user)


def is_signed_in(desk: Desk, service: str) -> bool:
    """Return True if the agent has signed in to a service."""
    return desk.store.get(SIGNED, service) is not None
