"""What the chat refuses, as Rocket.Chat's API says it."""

from __future__ import annotations

from typing import Any


class ChatError(Exception):
    """A call that was refused; nothing was written.

    Args:
        message: what was expected and what came.
        code: Rocket.Chat's name of the error, its ``errorType``; empty where Rocket.Chat gives none.
        status: of HTTP.
    """

    def __init__(self, message: str, code: str = "", status: int = 400) -> None:
        super().__init__(f"{message} [{code}]" if code else message)
        self.message = message
        self.code = code
        self.status = status

    def body(self) -> dict[str, Any]:
        """Return the answer's JSON."""
        if self.status in (404, 405):  # these two come from the router, which has a shape of its own
            return {"status": "error", "message": self.message}
        if self.status == 401:
            return {"status": "error", "message": self.message, **({"error": self.code} if self.code else {})}
        if self.code and self.status == 400:
            return {"success": False, "error": str(self), "errorType": self.code}
        return {"success": False, "error": str(self)}


def not_logged_in() -> ChatError:
    """Return what a call without good credentials gets."""
    return ChatError("You must be logged in to do this.", status=401)


def login_failed() -> ChatError:
    """Return what a wrong user name or password gets: which of them is wrong is not said."""
    return ChatError("Unauthorized", "Unauthorized", status=401)


def forbidden() -> ChatError:
    """Return what a call gets whose caller lacks the permission for an endpoint."""
    return ChatError("unauthorized", status=403)


def too_many_requests(seconds: int) -> ChatError:
    """Return what a limiter in front of the service says to a client that has to wait for so many seconds."""
    return ChatError(f"Too many requests; wait {seconds} seconds", "error-too-many-requests", status=429)


def invalid(message: str) -> ChatError:
    """Return what a parameter of the wrong type or size gets."""
    return ChatError(message, "invalid-params")
