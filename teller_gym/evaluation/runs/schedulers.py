"""Playing many episodes sequentially, on threads, in batches, or in an event loop for dialogue agents."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from teller_gym.agents.base import BatchAgent, DialogueAgent, ReportsUsage, SeedsConversations, TakesTools
from teller_gym.base.errors import OptionError
from teller_gym.evaluation.records.episode import Episode, Times
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.play import BrokenError, Planned, Play, ours
from teller_gym.evaluation.runs.players import Seat, name_of

Sink = Callable[[Episode, Times], None]
"""Function that receives a finished episode and its times; called by one thread at a time."""

Message = dict[str, Any]

TRIES = 2
"""Maximum attempts at an episode whose agent is temporarily unavailable; then it is recorded as invalid."""


def play_all(plan: Sequence[Planned], seats: Sequence[Seat], sink: Sink, gate: Gate) -> None:
    """Play every episode of a non-empty plan, with one concurrent episode per seat.

    Args:
        gate: checked before each episode; once a limit is reached, no further episode starts.

    Raises:
        OptionError: there are several seats but the agent plays one episode at a time.
    """
    agent, *others = (seat.at(plan[0].part).agent for seat in seats[:2])
    if isinstance(agent, DialogueAgent):
        _in_loop(_dialogues(plan, seats, agent, sink, gate))
    elif isinstance(agent, BatchAgent):
        _Together(plan, seats, agent, sink, gate).run()
    elif len(seats) == 1:
        for planned in plan:
            if gate.enter():
                episode, times = _play_one(planned, seats[0])
                gate.leave()
                sink(episode, times)
    elif agent is others[0]:
        raise OptionError(
            f"concurrency={len(seats)}: agent {name_of(agent)} plays one episode at a time; "
            f"give a factory that makes one for each env, or concurrency=1"
        )
    else:
        _on_threads(plan, seats, sink, gate)


def _play_one(planned: Planned, seat: Seat) -> tuple[Episode, Times]:
    """Play one episode with an agent that has `act`, and return its record and times."""
    for left in reversed(range(TRIES)):
        place = seat.at(planned.part)
        agent: Any = place.agent
        play = Play(planned, place, time.monotonic)
        try:
            play.start()
            while not play.over:
                with ours("the agent"):
                    action = agent.act(play.obs, play.info())
                    usage = agent.usage[0] if isinstance(agent, ReportsUsage) else None
                play.apply(action, usage)
            return play.record(), play.times()
        except BrokenError as error:
            broken = play.broken(error), play.times()
            if not (left and error.passing):
                break
    return broken


def _on_threads(plan: Sequence[Planned], seats: Sequence[Seat], sink: Sink, gate: Gate) -> None:
    # Envs are created in this thread, since building decoders of one type concurrently can crash msgspec.
    for seat in seats:
        for part in {planned.part for planned in plan}:
            seat.at(part)
    waiting, free = list(reversed(plan)), list(seats)
    running: dict[Future[tuple[Episode, Times]], Seat] = {}
    with ThreadPoolExecutor(len(seats)) as pool:
        while running or (waiting and gate.reached is None):
            while waiting and free and gate.enter():
                seat = free.pop()
                running[pool.submit(_play_one, waiting.pop(), seat)] = seat
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                free.append(running.pop(future))
                gate.leave()
                sink(*future.result())


# -- an agent behind an endpoint --------------------------------------------------------------------------------------


def _in_loop(work: Any) -> None:
    """Run a coroutine in a new event loop, in another thread if this one already runs a loop, as in notebooks."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


async def _dialogues(
    plan: Sequence[Planned], seats: Sequence[Seat], agent: DialogueAgent, sink: Sink, gate: Gate
) -> None:
    waiting = deque(plan)

    async def work(seat: Seat, writer: ThreadPoolExecutor) -> None:
        while waiting and gate.enter():
            planned = waiting.popleft()
            try:
                ended = await _play_dialogue(planned, seat, agent)
            finally:
                gate.leave()
            # Writing blocks on the disk, so it runs in a thread while the other chats continue.
            await asyncio.get_running_loop().run_in_executor(writer, sink, *ended)

    with ThreadPoolExecutor(1) as writer:
        try:
            async with asyncio.TaskGroup() as group:
                for seat in seats:
                    group.create_task(work(seat, writer))
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            await agent.aclose()


async def _play_dialogue(planned: Planned, seat: Seat, agent: DialogueAgent) -> tuple[Episode, Times]:
    """Play one episode with a dialogue agent, and return its record and times."""
    for left in reversed(range(TRIES)):
        play = Play(planned, seat.at(planned.part), time.monotonic)
        try:
            await _converse(play, agent)
            return play.record(), play.times()
        except BrokenError as error:
            broken = play.broken(error), play.times()
            if not (left and error.passing):
                break
    return broken


async def _converse(play: Play, agent: DialogueAgent) -> None:
    play.start()
    messages = play.messages()
    with ours("the agent"):
        dialogue = agent.open(messages, play.tools, play.planned.seed)
    results: list[str] = []
    offered = play.tools
    while not play.over:
        with ours("the agent"):
            reply = await dialogue.answer(results)
        results = []
        usage, note = reply.usage, reply.note
        for action in reply.actions:
            over = play.apply(action, usage, note)
            usage, note = None, {}
            results.append(play.obs["tool_result"])
            if over:
                break
        if not play.over and play.tools is not offered and isinstance(dialogue, TakesTools):
            offered = play.tools
            dialogue.offer(offered)


# -- a batch agent ----------------------------------------------------------------------------------------------------


class _Together:
    """Plays concurrent episodes with one batch agent.

    The seat of a finished episode is reused immediately.
    """

    def __init__(
        self, plan: Sequence[Planned], seats: Sequence[Seat], agent: BatchAgent, sink: Sink, gate: Gate
    ) -> None:
        self._agent = agent
        self._sink = sink
        self._gate = gate
        self._waiting = list(reversed(plan))
        self._free = list(reversed(seats))
        self._live: dict[Play, Seat] = {}

    def run(self) -> None:
        while self._live or (self._waiting and self._gate.reached is None):
            while self._waiting and self._free and self._gate.enter():
                self._start(self._waiting.pop(), self._free.pop())
            for play, action, usage in self._answers():
                self._advance(play, action, usage)

    def _start(self, planned: Planned, seat: Seat) -> None:
        play = Play(planned, seat.at(planned.part), time.monotonic)
        self._live[play] = seat
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
        self._free.append(self._live.pop(play))
        self._gate.leave()
        self._sink(record, play.times())

    def _answers(self) -> list[tuple[Play, str, Any]]:
        """Return an action for each live episode.

        If the batch fails, each action is requested individually.
        """
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
