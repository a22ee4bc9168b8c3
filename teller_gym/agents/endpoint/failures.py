"""Classifies endpoint failures: temporary ones, a full context, and those that require a change of settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib import resources

from teller_gym.base.errors import InfrastructureError

LONGEST_WAIT_S = 900.0
"""Maximum pause in seconds; a server may ask for a longer one, for instance when a daily quota is used up."""

LONGEST_TOLD_S = 1e9
"""Maximum pause in seconds named in messages, about thirty years."""

UNDECIDED = "undecided: "

_SHOWN = 300
_READ = 20_000
"""Number of bytes in a response that are searched for the reason of a failure."""
_PASSING = (408, 409, 425, 429)
_ABOUT_LENGTH = (400, 413, 422, 500)
"""Status codes with which servers reject a chat that is too long, with or without a message."""
_TOO_LARGE = 413
"""Status code for too large content; some servers also use it for per-minute limits, which they then name."""
_ADVICE = {
    401: "the key is wrong or missing: check the environment variable that agent.key_variable names",
    403: "the key may not use this model: check the account, agent.key_variable and agent.model",
    404: "there is no such model or address: check agent.model and agent.base_url (which usually ends in /v1)",
    402: "the account has no credit left",
}


class TransientError(Exception):
    """Temporary failure.

    Args:
        reason: description of the failure.
        wait_s: seconds that the server asks to wait, if it does.
        throttled: True if all requests should wait, not only this one.
        unreachable: True if no connection could be made.
        maybe_length: True if the chat's length may be the reason, should the failure persist.
    """

    def __init__(
        self,
        reason: str,
        wait_s: float | None = None,
        throttled: bool = False,
        unreachable: bool = False,
        maybe_length: bool = False,
    ) -> None:
        super().__init__(reason)
        self.wait_s = wait_s
        self.throttled = throttled
        self.unreachable = unreachable
        self.maybe_length = maybe_length


class ContextFullError(Exception):
    """Raised if the chat exceeds the model's context.

    ``usage`` has the tokens spent on finding this out.
    """

    maybe_length = True

    def __init__(self, reason: str, usage: Mapping[str, int] | None = None) -> None:
        super().__init__(reason)
        self.usage = usage or {"prompt": 0, "completion": 0}


class RefusedError(InfrastructureError):
    """Raised if the endpoint rejects a request and will reject it again until a setting is changed.

    Args:
        message: reason for the rejection, and advice.
        for_all: True if every request is rejected (a wrong key, a wrong model name), not only this chat.
        maybe_length: True if the chat's length may be the reason.
    """

    def __init__(self, message: str, for_all: bool = False, maybe_length: bool = False) -> None:
        super().__init__(message)
        self.for_all = for_all
        self.maybe_length = maybe_length


class GivenUpError(InfrastructureError):
    """Raised if an endpoint has not answered after the last attempt; see `RefusedError` for `maybe_length`."""

    def __init__(self, message: str, maybe_length: bool = False) -> None:
        super().__init__(message)
        self.maybe_length = maybe_length


class UndecidedError(InfrastructureError):
    """Raised if a chat was rejected for an unknown reason, possibly its length.

    The message begins with `UNDECIDED`.
    """


class SetUpError(InfrastructureError):
    """Raised for a configuration mistake that makes every further request fail."""

    for_all = True


class NoRoomError(SetUpError):
    """Raised if the first messages of a chat do not fit into the context."""


class PromptCutError(SetUpError):
    """Raised if the server read only part of the prompt and did not report that."""


class TooManyToolsError(SetUpError):
    """Raised if more tools are available than the endpoint accepts."""


def failure(status: int, headers: Mapping[str, str], body: bytes) -> Exception:
    """Return the error for a response with the given status.

    ``headers`` is a case-insensitive mapping.
    """
    said = f"status {status}: {shorten(body)}"
    words = body[:_READ].decode(errors="replace")
    maybe_length = status in _ABOUT_LENGTH and not _hints("other_errors").search(words)
    if maybe_length and (status == _TOO_LARGE or _hints("context_errors").search(words)):
        return ContextFullError(said)
    if status in _PASSING or status >= 500:
        wait = retry_after(headers)
        if wait is not None and wait > LONGEST_WAIT_S:
            return RefusedError(
                f"the endpoint asks to wait {wait:.0f} s; go on later with the same command; {said}", True
            )
        return TransientError(said, wait, throttled=status == 429, maybe_length=maybe_length)
    if 300 <= status < 400:
        return RefusedError(f"the endpoint has moved: put its new address into agent.base_url; {said}", True)
    advice = _ADVICE.get(status, "the endpoint refuses the request: check agent.model and the other options")
    return RefusedError(f"{advice}; {said}", status in (401, 402, 404), maybe_length)


def broken(said: str, code: int | None, headers: Mapping[str, str]) -> Exception:
    """Return the error for a response that has status 200 but reports an error in its body.

    It is a `TransientError`, unless the chat is too long.

    Args:
        said: error text.
        code: status code named in the error, if any.
        headers: as for `failure`.
    """
    reason = f"status 200 with an error: {shorten(said.encode(errors='replace'))}"
    maybe_length = code in (None, *_ABOUT_LENGTH) and not _hints("other_errors").search(said)
    if maybe_length and (code == _TOO_LARGE or _hints("context_errors").search(said)):
        return ContextFullError(reason)
    wait = retry_after(headers)
    wait = wait if wait is not None and wait <= LONGEST_WAIT_S else None
    return TransientError(reason, wait, throttled=code == 429, maybe_length=maybe_length)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait according to the header `Retry-After`, from 0 to `LONGEST_TOLD_S`.

    None is returned if the header is missing or unreadable.
    """
    value = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]*)?", value):
        return min(float(value), LONGEST_TOLD_S)
    try:
        moment = parsedate_to_datetime(value)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (moment - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):  # no date, or one outside of the calendar
        return None
    return min(max(0.0, seconds), LONGEST_TOLD_S)


def shorten(body: bytes) -> str:
    """Return the beginning of a response body as one line of text for a message."""
    text = " ".join(body[: 4 * _SHOWN].decode(errors="replace").split())
    return (text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…") or "(nothing said)"


@cache
def _hints(name: str) -> re.Pattern[str]:
    """Return a pattern for the reasons listed in a text file with one regular expression per line.

    The lists cannot be complete: a match of `context_errors` saves a request, and one of `other_errors` saves a test
    for the chat's length.
    """
    lines = resources.files("teller_gym.agents.endpoint").joinpath(f"{name}.txt").read_text("utf-8").split("\n")
    return re.compile("|".join(line for line in lines if line), re.IGNORECASE)
