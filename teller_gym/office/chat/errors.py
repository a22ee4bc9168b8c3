"""Errors in the format of Rocket.Chat's API."""

from __future__ import annotations

from typing import Any


class ChatError(Exception):
    """An invalid call, after which nothing has been written.

    Args:
        message: what was expected and what was received.
        code: Rocket.Chat's ``errorType``; empty if Rocket.Chat gives none.
        status: HTTP status.
    """

    def __init__(self, message: str, code: str = "", status: int = 400) -> None:
        super().__init__(f"{message} [{code}]" if code else message)
        self.message = message
        self.code = code
        self.status = status

    def body(self) -> dict[str, Any]:
        """Return the JSON body of the response."""
        if self.status in (404, 405):  # the router has its own format
            return {"status": "error", "message": self.message}
        if self.status == 401:
            return {"status": "error", "message": self.message, **({"error": self.code} if self.code else {})}
        if self.code and self.status == 400:
            return {"success": False, "error": str(self), "errorType": self.code}
        return {"success": False, "error": str(self)}


def not_logged_in() -> ChatError:
    """Return the error for a call without valid credentials."""
    return ChatError("You must be logged in to do this.", status=401)


def login_failed() -> ChatError:
    """Return the error for a wrong user name or password, without saying which is wrong."""
    return ChatError("Unauthorized", "Unauthorized", status=401)


def invalid(message: str) -> ChatError:
    """Return the error for a parameter of the wrong type or size."""
    return ChatError(message, "invalid-params")
