"""Progress: a line that is rewritten on a terminal, few lines in a log file."""

from __future__ import annotations

import errno
import io

import pytest

from teller_gym.evaluation import progress
from teller_gym.evaluation.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def play(meter: Progress, clock: Clock, seconds: float, *scores: float | None) -> None:
    for score in scores:
        clock.now += seconds
        meter.count(score)
    meter.close()


def test_a_log_gets_few_lines(clock: Clock) -> None:
    stream = io.StringIO()
    play(Progress(6, stream=stream), clock, 10, 1.0, 0.5, None, 1.0, 1.0, 0.0)
    assert stream.getvalue().splitlines() == [
        "2/6 episodes, mean score 0.750, 0:20 spent, about 0:40 left",
        "4/6 episodes, mean score 0.833 (0.625 with the invalid as failures), 1 invalid, 0:40 spent, about 0:20 left",
        "6/6 episodes, mean score 0.700 (0.583 with the invalid as failures), 1 invalid, 1:00 spent",
    ]


def test_a_terminal_gets_one_line(clock: Clock) -> None:
    stream = Terminal()
    play(Progress(2, stream=stream), clock, 4000, None, 1.0)
    shown = stream.getvalue().split("\r")
    assert shown[1] == "1/2 episodes, 1 invalid, 1:06:40 spent, about 1:06:40 left\x1b[K"
    assert (
        shown[-1]
        == "2/2 episodes, mean score 1.000 (0.500 with the invalid as failures), 1 invalid, 2:13:20 spent\x1b[K\n"
    )


def test_what_was_there_before_counts_but_took_no_time(clock: Clock) -> None:
    stream = io.StringIO()
    play(Progress(4, before=[0.0, 0.0], stream=stream), clock, 20, 1.0)
    assert stream.getvalue().splitlines()[0] == "3/4 episodes, mean score 0.333, 0:20 spent, about 0:20 left"


def test_it_can_be_silent(clock: Clock) -> None:
    stream = io.StringIO()
    meter = Progress(1, shown=False, stream=stream)
    meter.say("hello")
    play(meter, clock, 20, 1.0)
    assert stream.getvalue() == ""


def test_a_log_on_a_full_disk_ends_no_run() -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    meter = Progress(2, stream=Full())
    meter.say("begun")
    meter.count(1.0)
    meter.close()
