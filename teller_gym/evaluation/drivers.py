"""Playing many episodes: one after another, on several threads, or together through an agent that takes batches."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from teller_gym.agents.base import BatchAgent, ReportsUsage, SeedsConversations

from .episodes import Episode
from .play import BrokenError, Planned, Play, Seat, ours

Sink = Callable[[Episode, float], None]
"""Takes an episode that ended and its wall time in seconds; called from one thread only."""

Message = dict[str, Any]


def play_all(plan: Sequence[Planned], seats: Sequence[Seat], sink: Sink) -> None:
    """Play every episode of the plan, as many at a time as there are seats."""
    if isinstance(seats[0].agent, BatchAgent):
        _Together(plan, seats, seats[0].agent, sink).run()
    elif len(seats) == 1:
        for planned in plan:
            sink(*play_one(planned, seats[0]))
    else:
        _on_threads(plan, seats, sink)


def play_one(planned: Planned, seat: Seat) -> tuple[Episode, float]:
    """Play one episode with an agent that acts; return its record and its wall time in seconds."""
    agent: Any = seat.agent
    play = Play(planned, seat, time.monotonic)
    try:
        play.start()
        while not play.over:
            with ours("the agent"):
                action = agent.act(play.obs, play.info())
                usage = agent.usage[0] if isinstance(agent, ReportsUsage) else None
            play.apply(action, usage)
        return play.record(), play.wall_s()
    except BrokenError as error:
        return play.broken(error), play.wall_s()


def _on_threads(plan: Sequence[Planned], seats: Sequence[Seat], sink: Sink) -> None:
    waiting, free = list(reversed(plan)), list(seats)
    running: dict[Future[tuple[Episode, float]], Seat] = {}
    with ThreadPoolExecutor(len(seats)) as pool:
        while waiting or running:
            while waiting and free:
                seat = free.pop()
                running[pool.submit(play_one, waiting.pop(), seat)] = seat
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                free.append(running.pop(future))
                sink(*future.result())


class _Together:
    """Many live episodes and one agent; an episode that ends gives its seat to the next at once."""

    def __init__(self, plan: Sequence[Planned], seats: Sequence[Seat], agent: BatchAgent, sink: Sink) -> None:
        self._agent = agent
        self._sink = sink
        self._waiting = list(reversed(plan))
        self._free = list(reversed(seats))
        self._live: list[Play] = []

    def run(self) -> None:
        while self._waiting or self._live:
            while self._waiting and self._free:
                self._start(Play(self._waiting.pop(), self._free.pop(), time.monotonic))
            for play, action, usage in self._answers():
                self._advance(play, action, usage)

    def _start(self, play: Play) -> None:
        self._live.append(play)
        try:
            play.start()
        except BrokenError as error:
            self._leave(play, play.broken(error))

    def _advance(self, play: Play, action: str, usage: Any) -> None:
        try:
            play.apply(action, usage)
            record = play.record() if play.over else None
        except BrokenError as error:
            record = play.broken(error)
        if record is not None:
            self._leave(play, record)

    def _leave(self, play: Play, record: Episode) -> None:
        self._live.remove(play)
        self._free.append(play.seat)
        self._sink(record, play.wall_s())

    def _answers(self) -> list[tuple[Play, str, Any]]:
        """An action for each live episode. If the batch fails each is asked alone, so that only a culprit is lost."""
        ready: list[tuple[Play, list[Message]]] = []
        for play in list(self._live):
            try:
                ready.append((play, play.messages()))
            except BrokenError as error:
                self._leave(play, play.broken(error))
        try:
            return self._ask(ready)
        except BrokenError as error:
            if len(ready) == 1:
                self._leave(ready[0][0], ready[0][0].broken(error))
                return []
        answers = []
        for play, messages in ready:
            try:
                answers += self._ask([(play, messages)])
            except BrokenError as error:
                self._leave(play, play.broken(error))
        return answers

    def _ask(self, ready: Sequence[tuple[Play, list[Message]]]) -> list[tuple[Play, str, Any]]:
        if not ready:
            return []
        agent = self._agent
        with ours("the agent"):
            if isinstance(agent, SeedsConversations):
                agent.seed_batch([play.planned.seed for play, _ in ready])
            actions = agent.act_batch([messages for _, messages in ready], [play.tools for play, _ in ready])
            usage = agent.usage if isinstance(agent, ReportsUsage) else [None] * len(ready)
            return [(play, action, used) for (play, _), action, used in zip(ready, actions, usage, strict=True)]
