"""End conditions of a task: a line on standard input, a file, a request, or the time limit."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from teller_gym.cli.office.starting import CONTROL
from teller_gym.office.store import Store
from teller_gym.office.web import Request, Response, Service, json_response

_LOOK_S: Final = 0.2
"""Seconds between checks for the file; short waits also let signal handlers raise exceptions."""


class Control:
    """Service for programs in which ``POST /done`` ends the work and ``GET /prompt`` returns the prompt.

    Attributes:
        done: set when a client reports that the work is done.
        prompt: text for the agent, set once the office is served.
    """

    name = CONTROL

    def __init__(self) -> None:
        self.done = threading.Event()
        self.prompt = ""

    def handle(self, store: Store, request: Request) -> Response:
        """Handle a request to end the work or to read the prompt."""
        if request.path == "/done":
            if request.method != "POST":
                return json_response(405, {"error": "expected POST /done"}, ("Allow", "POST"))
            self.done.set()
            return json_response(200, {"done": True})
        if request.path == "/prompt" and request.method in ("GET", "HEAD"):
            body = b"" if request.method == "HEAD" else self.prompt.encode()
            return Response(200, (("Content-Type", "text/plain; charset=utf-8"),), body)
        return json_response(404, {"error": "expected POST /done or GET /prompt"})


class ControlOffice:
    """Office without content that serves the control port."""

    def __init__(self, control: Control, like: Store) -> None:
        self.store = Store({}, like.now, like.seed)
        self.services: Mapping[str, Service] = {CONTROL: control}

    def credentials(self) -> Any:
        """Return no credentials, since any client may end the work."""
        return {}


def wait_for_end(seconds: float | None, done_file: Path | None, done: threading.Event | None) -> str:
    """Wait until the work is done, and return the reason.

    The reason is ``line``, ``end of input``, ``file``, ``request`` or ``time``. Without file and event, the end of
    standard input, or a missing standard input, ends the work too.

    Args:
        seconds: time limit; None for no limit.
        done_file: file whose existence ends the work.
        done: event that ends the work.
    """
    heard: list[str] = []
    came = threading.Event()

    def read() -> None:
        try:
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except (OSError, ValueError):  # it is closed
            line = ""
        heard.append("line" if line else "end of input")
        if line or (done_file is None and done is None):
            came.set()

    if not _is_in_background():
        threading.Thread(target=read, name="standard input", daemon=True).start()
    end = float("inf") if seconds is None else time.monotonic() + seconds
    while True:
        if came.is_set():
            return heard[0]
        if done is not None and done.is_set():
            return "request"
        if done_file is not None and done_file.exists():
            return "file"
        left = end - time.monotonic()
        if left <= 0:
            return "time"
        (came if done is None else done).wait(min(left, _LOOK_S))


def _is_in_background() -> bool:
    """Return True if this is a background job, which would be stopped if it read from the terminal."""
    with contextlib.suppress(AttributeError, OSError, ValueError):  # no terminal, no standard input, Windows
        return os.tcgetpgrp(sys.stdin.fileno()) != os.getpgrp()
    return False
