"""Number of requests under way at the scripted server, over time."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Window:
    """The counts between two marks."""

    begin: float | None
    """Time of its first request, or of its beginning if one was under way; in seconds of the performance counter."""
    cpu: float
    peak: int
    area: float = 0.0
    """Requests in flight, integrated over the seconds since `begin`."""
    tail: tuple[float, float] = (0.0, 0.0)
    """Time of the last request that opened a chat, and the area up to then."""
    requests: int = 0
    late: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    behaviours: Counter[str] = field(default_factory=Counter)


class Traffic:
    """Counts since the last mark."""

    def __init__(self) -> None:
        self._level = 0
        self._last = time.perf_counter()
        self._window = Window(None, time.process_time(), 0)

    def enter(self, *, opens: bool) -> None:
        """A request came; `opens`: it is the first of a chat."""
        now, window = self._advance(), self._window
        if window.begin is None:
            window.begin = now
        self._level += 1
        window.requests += 1
        window.peak = max(window.peak, self._level)
        if opens:
            window.tail = (now, window.area)

    def leave(self, status: int, behaviour: str, late: float) -> None:
        """It was answered, or broken off (status 0); `late`: seconds beyond the delay that the script asks for."""
        self._advance()
        self._level -= 1
        self._window.statuses[status] += 1
        self._window.behaviours[behaviour] += 1
        if status == 200:
            self._window.late += late

    def stats(self) -> dict[str, Any]:
        """The counts.

        `average_in_flight` is weighted by time, from the first request to now; `average_before_tail` from the first
        request to the last one that opened a chat, after which there are ever fewer episodes to play.
        """
        now, window = self._advance(), self._window
        begin = now if window.begin is None else window.begin
        tail, area = window.tail
        good = window.statuses[200]
        return {
            "requests": window.requests,
            "in_flight": self._level,
            "peak_in_flight": window.peak,
            "average_in_flight": window.area / (now - begin) if now > begin else 0.0,
            "average_before_tail": area / (tail - begin) if tail > begin else 0.0,
            "seconds": now - begin,
            "seconds_before_tail": max(tail - begin, 0.0),
            "late_ms": 1000 * window.late / good if good else 0.0,
            "cpu_s": time.process_time() - window.cpu,
            "statuses": {str(status): count for status, count in sorted(window.statuses.items())},
            "behaviours": dict(sorted(window.behaviours.items())),
        }

    def mark(self) -> dict[str, Any]:
        """Return the counts and begin anew."""
        stats = self.stats()
        self._window = Window(self._last if self._level else None, time.process_time(), self._level)
        return stats

    def _advance(self) -> float:
        now = time.perf_counter()
        self._window.area += self._level * (now - self._last)
        self._last = now
        return now
