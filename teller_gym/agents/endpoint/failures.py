"""The meaning of an endpoint's failure: try again, the context is full, or somebody has to change something."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from importlib import resources

from teller_gym.base.errors import InfrastructureError

LONGEST_WAIT_S = 900.0
"""Longest pause that is waited for; a server may ask for more (a daily quota, say)."""

LONGEST_TOLD_S = 1e9
"""Upper limit of a pause that a message names: thirty years."""

UNDECIDED = "undecided: "

_SHOWN = 300
_READ = 20_000
"""Bytes of what a server says in which its reason is looked for."""
_PASSING = (408, 409, 425, 429)
_ABOUT_LENGTH = (400, 413, 422, 500)
"""Statuses with which servers refuse a chat that is too long, with any message or none."""
_TOO_LARGE = 413
"""Status meant for it; some servers also use it for per-minute limits, and then name them."""
_ADVICE = {
    401: "the key is wrong or missing: check the environment variable that agent.key_variable names",
    403: "the key may not use this model: check the account, agent.key_variable and agent.model",
    404: "there is no such model or address: check agent.model and agent.base_url (which usually ends in /v1)",
    402: "the account has no credit left",
}


class TransientError(Exception):
    """A failure that may pass.

    Args:
        reason: for people.
        wait_s: seconds that the server asks to wait, if it says so.
        throttled: True if it means all requests, not only this one.
        unreachable: True if no connection came about at all.
        maybe_length: True if the length of the chat may be the reason, if it keeps failing.
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
    """The chat is longer than the model can read; `usage` are the tokens spent on finding out."""

    maybe_length = True

    def __init__(self, reason: str, usage: Mapping[str, int] | None = None) -> None:
        super().__init__(reason)
        self.usage = usage or {"prompt": 0, "completion": 0}


class RefusedError(InfrastructureError):
    """The endpoint refuses, and will go on refusing until somebody changes something.

    Args:
        message: what was refused and what to do.
        for_all: True if it means every request (a wrong key, a wrong name), not only this chat.
        maybe_length: True if the length of the chat may be the reason.
    """

    def __init__(self, message: str, for_all: bool = False, maybe_length: bool = False) -> None:
        super().__init__(message)
        self.for_all = for_all
        self.maybe_length = maybe_length


class GivenUpError(InfrastructureError):
    """An endpoint has not answered after the last attempt.

    Attributes:
        maybe_length: as in `RefusedError`.
    """

    def __init__(self, message: str, maybe_length: bool = False) -> None:
        super().__init__(message)
        self.maybe_length = maybe_length


class UndecidedError(InfrastructureError):
    """A chat was refused, and it is unknown whether for its length. The message begins with `UNDECIDED`."""


class SetUpError(InfrastructureError):
    """A mistake of the set-up, which every further try would meet."""

    for_all = True


class NoRoomError(SetUpError):
    """Not even the beginning of a chat fits into the context."""


class PromptCutError(SetUpError):
    """The server silently read only part of the prompt."""


class TooManyToolsError(SetUpError):
    """More tools are in play than the endpoint accepts."""


def failure(status: int, headers: Mapping[str, str], body: bytes) -> Exception:
    """Return what a response without an answer means; `headers` is a case-insensitive mapping."""
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
    """Return what an error means that came with status 200: another try, unless the chat is too long.

    Args:
        said: the error.
        code: the status that it should have had, where it says so.
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
    """Return the seconds that the header `Retry-After` asks to wait; None if there is none to read.

    They are never negative, and never more than `LONGEST_TOLD_S`.
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
    """Return the beginning of a body as one line."""
    text = " ".join(body[: 4 * _SHOWN].decode(errors="replace").split())
    return (text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…") or "(nothing said)"


@cache
def _hints(name: str) -> re.Pattern[str]:
    """Return a pattern of the words with which servers and vendors give a reason, read from one expression per line.

    No list is complete: a match of `context_errors` saves a request, and `other_errors` avoids asking whether the
    length was the reason when another reason is named.
    """
    lines = resources.files("teller_gym.agents.endpoint").joinpath(f"{name}.txt").read_text("utf-8").split("\n")
    return re.compile("|".join(line for line in lines if line), re.IGNORECASE)
