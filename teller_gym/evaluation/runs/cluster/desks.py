"""Desks at which the episodes of a worker are played as they come: nobody waits for a batch of them to end.

A run on one machine knows its plan beforehand (`drivers.play_all`); a worker of a cluster is given one more episode
whenever one has ended. Each kind of agent has its own desk.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from teller_gym.agents.base import BatchAgent, DialogueAgent
from teller_gym.evaluation.runs.schedulers import Sink, Together, play_dialogue, play_one
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.runs.players import AnyAgent, Seat

Fail = Callable[[BaseException], None]
"""Told what ended a desk before its time."""

CLOSE_S = 5.0
"""So long an agent may take to give back its connections."""


class Desk(Protocol):
    """Plays the episodes it is given, as many at a time as it has seats; the sink may be called from any thread."""

    def put(self, planned: Planned) -> None:
        """Give it one more episode; it waits if no seat is free."""

    def close(self) -> None:
        """End; episodes under way are given up."""


def desk_for(agent: AnyAgent, seats: Sequence[Seat], sink: Sink, fail: Fail) -> Desk:
    """Return the desk for an agent's kind; `agent` is the one in the first seat."""
    if isinstance(agent, DialogueAgent):
        return _Dialogues(agent, seats, sink, fail)
    if isinstance(agent, BatchAgent):
        return _Batches(agent, seats, sink, fail)
    return _Threads(seats, sink, fail)


class _Threads:
    """A thread for each seat."""

    def __init__(self, seats: Sequence[Seat], sink: Sink, fail: Fail) -> None:
        self._inbox: queue.SimpleQueue[Planned | None] = queue.SimpleQueue()
        self._sink = sink
        self._fail = fail
        self._count = len(seats)
        for seat in seats:
            threading.Thread(target=self._work, args=(seat,), daemon=True).start()

    def put(self, planned: Planned) -> None:
        self._inbox.put(planned)

    def close(self) -> None:
        for _ in range(self._count):
            self._inbox.put(None)

    def _work(self, seat: Seat) -> None:
        try:
            while (planned := self._inbox.get()) is not None:
                self._sink(*play_one(planned, seat))
        except BaseException as error:
            self._fail(error)


class _Dialogues:
    """An event loop with a task for each seat."""

    def __init__(self, agent: DialogueAgent, seats: Sequence[Seat], sink: Sink, fail: Fail) -> None:
        self._agent = agent
        self._seats = seats
        self._sink = sink
        self._fail = fail
        self._loop = asyncio.new_event_loop()
        self._inbox: asyncio.Queue[Planned] = asyncio.Queue()
        self._main = self._loop.create_task(self._run())
        self._thread = threading.Thread(target=self._in_thread, daemon=True)
        self._thread.start()

    def put(self, planned: Planned) -> None:
        self._loop.call_soon_threadsafe(self._inbox.put_nowait, planned)

    def close(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            self._loop.call_soon_threadsafe(self._main.cancel)
        self._thread.join(CLOSE_S)

    def _in_thread(self) -> None:
        try:
            self._loop.run_until_complete(self._main)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            self._fail(error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error)
        finally:
            self._loop.close()

    async def _run(self) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for seat in self._seats:
                    group.create_task(self._work(seat))
        finally:
            await self._agent.aclose()

    async def _work(self, seat: Seat) -> None:
        while True:
            planned = await self._inbox.get()
            self._sink(*await play_dialogue(planned, seat, self._agent))


class _Batches(Together):
    """One thread; before every round of answers, free seats are filled with what has come meanwhile."""

    def __init__(self, agent: BatchAgent, seats: Sequence[Seat], sink: Sink, fail: Fail) -> None:
        super().__init__([], seats, agent, sink, Gate())
        self._inbox: queue.SimpleQueue[Planned | None] = queue.SimpleQueue()
        self._fail = fail
        threading.Thread(target=self._work, daemon=True).start()

    def put(self, planned: Planned) -> None:
        self._inbox.put(planned)

    def close(self) -> None:
        self._inbox.put(None)

    def _work(self) -> None:
        try:
            while self._fill():
                for play, action, usage in self._answers():
                    self._advance(play, action, usage)
        except BaseException as error:
            self._fail(error)

    def _fill(self) -> bool:
        """Start what has come while there are seats, waiting if nothing is being played; return whether to go on."""
        while self._free:
            try:
                planned = self._inbox.get(block=not self._live)
            except queue.Empty:
                break
            if planned is None:
                return False
            self._start(planned, self._free.pop())
        return True
