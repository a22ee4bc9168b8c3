"""The player in a worker of a cluster: an agent of its own and envs of its own. It knows nothing of Ray."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import teller_gym
from teller_gym.base.errors import MissingExtraError, OptionError
from teller_gym.evaluation.runs.cluster.desks import Desk, desk_for
from teller_gym.evaluation.records.episode import Episode, Times
from teller_gym.evaluation.runs.parts import Part
from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.runs.players import AgentLike, Seat, name_of, resolve

Ended = tuple[Episode, Times]
"""An episode and its times."""

EXCHANGE_S = 5.0
"""A worker answers the head at least so often, with nothing if nothing has ended."""


class Secrets(dict[str, str]):
    """Environment variables by name; any log or traceback shows them without their values."""

    def __repr__(self) -> str:
        return f"Secrets({', '.join(self)})"


@dataclass(frozen=True, slots=True)
class Order:
    """Everything that a worker needs to play.

    Attributes:
        parts: of the run.
        agent, options: as `players.resolve` takes them.
        concurrency: live episodes of the worker.
        secrets: environment variables that the agent reads.
    """

    parts: tuple[Part, ...]
    agent: AgentLike
    options: Mapping[str, Any]
    concurrency: int
    secrets: Secrets


class Worker:
    """An agent and its seats in a process of their own; the head calls it, at most two calls at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._ended: list[Ended] = []
        self._failure: BaseException | None = None
        self._seats: Sequence[Seat] = ()
        self._desk: Desk | None = None

    def where(self) -> tuple[str, str]:
        """Return the machine's name and the version of this package on it."""
        return socket.gethostname(), teller_gym.__version__

    def open(self, order: Order) -> str:
        """Make the agent; return its name.

        Raises:
            OptionError: no worker will be able to make it.
        """
        os.environ.update(order.secrets)
        try:
            player = resolve(order.agent, order.options)
            self._seats = [Seat(order.parts, player) for _ in range(order.concurrency)]
            agent = self._seats[0].at(0).agent
            _walk_through(self._seats[0], order.parts)
        except MissingExtraError as error:
            raise OptionError(str(error)) from None
        self._desk = desk_for(agent, self._seats, self._take, self._fail)
        return name_of(agent)

    def exchange(self, planned: Sequence[Planned]) -> list[Ended]:
        """Take further episodes to play; wait until some have ended, for EXCHANGE_S at most, and return those.

        Raises:
            Exception: what ended the worker's playing.
        """
        if self._desk is None:
            raise RuntimeError("exchange before open")
        for one in planned:
            self._desk.put(one)
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._failure, EXCHANGE_S)
            if self._failure is not None:
                raise self._failure
            ended, self._ended = self._ended, []
        return ended

    def close(self) -> None:
        """Give back what the agent and the envs hold."""
        if self._desk is not None:
            self._desk.close()
        for seat in self._seats:
            seat.close()

    def _take(self, episode: Episode, times: Times) -> None:
        with self._changed:
            self._ended.append((episode, times))
            self._changed.notify_all()

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            self._failure = error
            self._changed.notify_all()


def _walk_through(seat: Seat, parts: Sequence[Part]) -> None:
    """Play an empty episode of each part, before there are threads.

    Much is made when it is first used, decoders of msgspec among it; several threads that make the same one at once
    may crash the process.
    """
    for number, part in enumerate(parts):
        env = seat.at(number).env
        with contextlib.suppress(Exception):  # an env that is broken will show it where that is recorded
            env.reset(seed=0, options={"task_id": part.tasks[0].id})
            env.step("")
