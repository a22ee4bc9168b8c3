"""Progress is one updated line on a terminal and a few lines in a log."""

import errno
import io
from typing import Any

import pytest

from teller_gym.agents.base import Prices
from teller_gym.evaluation.runs import progress
from teller_gym.evaluation.runs.limits import Gate, Limits
from teller_gym.evaluation.runs.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Full(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


class Clock:
    now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    return clock


def meter(stream: Any, total: int, before: tuple[float, ...] = (), **options: Any) -> Progress:
    return Progress({2: total}, {2: before}, options.pop("gate", Gate()), stream=stream, **options)


def play(meter: Progress, clock: Clock, seconds: float, *scores: float | None, stages: tuple[int, ...] = ()) -> None:
    for place, score in enumerate(scores):
        clock.now += seconds
        meter.count(score, stages[place] if stages else 2)
    meter.close()


def test_a_log_gets_few_lines(clock: Clock) -> None:
    stream = io.StringIO()
    play(meter(stream, 6), clock, 10, 1.0, 0.5, None, 1.0, 1.0, 0.0)
    assert stream.getvalue().splitlines() == [
        "2/6 episodes, mean score 0.750, 0:20 spent, about 0:40 left",
        "4/6 episodes, mean score 0.833 (0.625 with the invalid as failures), 1 invalid, 0:40 spent, about 0:20 left",
        "6/6 episodes, mean score 0.700 (0.583 with the invalid as failures), 1 invalid, 1:00 spent",
    ]


def test_a_terminal_gets_one_line(clock: Clock) -> None:
    stream = Terminal()
    play(meter(stream, 2), clock, 4000, None, 1.0)
    shown, second = stream.getvalue().split("\r"), "mean score 1.000 (0.500 with the invalid as failures)"
    assert shown[1] == "1/2 episodes, 1 invalid, 1:06:40 spent, about 1:06:40 left\x1b[K"
    assert shown[-1] == f"2/2 episodes, {second}, 1 invalid, 2:13:20 spent\x1b[K\n"


def test_what_was_there_before_counts_but_took_no_time(clock: Clock) -> None:
    stream = io.StringIO()
    play(meter(stream, 4, (0.0, 0.0)), clock, 20, 1.0)
    assert stream.getvalue().splitlines()[0] == "3/4 episodes, mean score 0.333, 0:20 spent, about 0:20 left"


def test_stages_are_apart(clock: Clock) -> None:
    stream = io.StringIO()
    play(Progress({1: 2, 2: 4}, {1: [0.0]}, Gate(), stream=stream), clock, 20, 0.5, 1.0, None, stages=(1, 2, 2))
    assert stream.getvalue().splitlines() == [
        "2/6 episodes, stage 1: 2/2, mean score 0.250, 0:20 spent, about 1:20 left",
        "3/6 episodes, stage 1: 2/2, mean score 0.250, stage 2: 1/4, mean score 1.000, 0:40 spent, about 1:00 left",
        "4/6 episodes, stage 1: 2/2, mean score 0.250, stage 2: 2/4, mean score 1.000 (0.500 with the invalid as "
        "failures), 1 invalid, 1:00 spent, about 0:40 left",
    ]


def test_cut_answers_prompts_and_money_are_counted_as_they_come(clock: Clock) -> None:
    stream, gate = io.StringIO(), Gate(prices=Prices(2.0, 10.0, cached=0.5))
    found = meter(stream, 3, gate=gate)
    for cut, prompts in ((0, 0), (1, 0), (3, 2)):
        clock.now += 20
        found.count(1.0, 2, cut_answers=cut, cut_prompts=prompts)
    told = stream.getvalue().splitlines()
    assert "cut" not in told[0]
    assert "1 answer cut by its token limit, 0:40 spent" in told[1]
    assert "4 answers cut by their token limit, 2 prompts cut by the server, 1:00 spent" in told[2]
    gate.use({"prompt": 1_000_000, "completion": 100_000, "cached": 800_000})
    found.close()
    found.count(1.0, 2)
    clock.now += 20
    found.count(1.0, 2)
    assert stream.getvalue().endswith(", 1.80 USD so far\n")


def test_limits_of_money_know_what_was_cached() -> None:
    """A million prompt tokens, most of them cached, cost 0.60 USD if cached tokens have a price of their own."""
    used = {"prompt": 1_000_000, "completion": 0, "cached": 800_000}
    for prices, reached in ((Prices(1.0, 1.0), True), (Prices(1.0, 1.0, cached=0.5), False)):
        gate = Gate(Limits(usd=0.7), prices)
        gate.use(used)
        assert gate.enter() is not reached
    tokens = Gate(Limits(tokens=1_500_000))
    tokens.use(used)
    assert tokens.enter(), "cached tokens are part of the prompt's and count once"


@pytest.mark.parametrize(("stream", "shown"), [(io.StringIO(), False), (Full(), True)], ids=["silent", "full disk"])
def test_it_can_be_silent_and_a_full_disk_ends_no_run(clock: Clock, stream: io.StringIO, shown: bool) -> None:
    found = meter(stream, 1, shown=shown)
    found.say("hello")
    play(found, clock, 20, 1.0)
    assert stream.getvalue() == ""
