"""Waiting for a line on standard input, for its end, or for a time."""

from __future__ import annotations

import sys
import threading


def wait_for_line(seconds: float | None) -> bool:
    """Wait until a line comes on standard input or it ends; return False if the time was up before.

    Args:
        seconds: how long at most; None for as long as it takes.
    """
    came = threading.Event()

    def read() -> None:
        sys.stdin.readline()
        came.set()

    threading.Thread(target=read, name="standard input", daemon=True).start()
    # In pieces, so that a signal's exception comes through.
    left = float("inf") if seconds is None else seconds
    while left > 0:
        piece = min(left, 0.2)
        if came.wait(piece):
            return True
        left -= piece
    return False
