"""Refusals of the chat, in the shapes of Rocket.Chat's API."""

from __future__ import annotations

from typing import Any


class ChatError(Exception):
    """A call that was refused; nothing was written.

    Args:
        message: what was expected and what was received.
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
    """Return the answer to a call without valid credentials."""
    return ChatError("You must be logged in to do this.", status=401)


def login_failed() -> ChatError:
    """Return the answer to a wrong user name or password, which does not say which of them is wrong."""
    return ChatError("Unauthorized", "Unauthorized", status=401)


def invalid(message: str) -> ChatError:
    """Return the answer to a parameter of the wrong type or size."""
    return ChatError(message, "invalid-params")
