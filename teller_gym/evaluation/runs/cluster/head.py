"""The head of a cluster's run: starts workers, sends them episodes, takes back what the dead ones had."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import teller_gym
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.evaluation.runs.cluster.ledger import LOSSES, Ledger
from teller_gym.evaluation.runs.cluster.worker import Ended, Order, Worker
from teller_gym.evaluation.runs.schedulers import Sink
from teller_gym.evaluation.records.episode import Times, key
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.play import Planned, broken_record

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""The head looks at least so often whether it waits in vain."""
CLOSE_S = 10.0
"""So long workers may take to end by themselves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staff:
    """The workers of a run.

    Attributes:
        orders: one for each.
        cpus, gpus: resources of each.
        max_restarts, wait_s: see `ClusterConfig`.
    """

    orders: Sequence[Order]
    cpus: float
    gpus: float
    max_restarts: int
    wait_s: float


class Stage(Enum):
    """The last request sent to a worker."""

    PLACED = auto()
    """Say where it is, once the cluster has a place for it."""
    OPENED = auto()
    """Make its agent."""
    PLAYING = auto()


@dataclass(slots=True)
class Slot:
    """The place of one worker; a dead one is replaced by another.

    Attributes:
        call: the pending one, which the head waits for.
        failures: deaths in a row without an episode ended.
    """

    number: int
    order: Order
    actor: Any = None
    call: Any = None
    stage: Stage = Stage.PLACED
    host: str = "?"
    failures: int = 0


class Head:
    """Plays a plan on workers; made for one plan.

    Every worker has at most one call under way, which brings new episodes and takes home those that have ended. A
    worker whose call fails is ended for good, so that nothing of it comes back later, and what it had goes out again.
    """

    def __init__(self, plan: Sequence[Planned], staff: Staff, sink: Sink, gate: Gate) -> None:
        self._ledger = Ledger(plan)
        self._staff = staff
        self._sink = sink
        self._gate = gate
        self._agent = ""
        self._slots = [Slot(number, order) for number, order in enumerate(staff.orders)]
        self._had_worker = time.monotonic()
        self._last_failure = ""

    def run(self) -> None:
        """Play everything that the gate lets start; see `ClusterCrew.play` for what is raised."""
        import ray

        try:
            for slot in self._slots:
                self._start(slot)
            while not self._over():
                calls = {slot.call: slot for slot in self._slots if slot.call is not None}
                ready, _ = ray.wait(list(calls), num_returns=1, timeout=LOOK_S)
                for call in ready:
                    self._hear(calls[call])
                self._expect_workers()
        finally:
            self._end_all()

    def _over(self) -> bool:
        shut = self._gate.reached is not None
        return self._ledger.finished or (shut and not any(self._ledger.out(slot.number) for slot in self._slots))

    def _start(self, slot: Slot) -> None:
        import ray

        actor = ray.remote(Worker).options(
            num_cpus=self._staff.cpus,
            num_gpus=self._staff.gpus,
            max_restarts=0,
            max_concurrency=2,  # so that a worker can be closed while it waits for an episode to end
            scheduling_strategy="SPREAD",
        )
        slot.actor = actor.remote()
        slot.stage, slot.call = Stage.PLACED, slot.actor.where.remote()

    def _hear(self, slot: Slot) -> None:
        """Take what a worker answered, and ask it for the next thing."""
        import ray

        try:
            answer = ray.get(slot.call)
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, OptionError):
                raise OptionError(f"{error.cause} (on {slot.host})") from None
            self._lose(slot, f"{type(error.cause).__name__}: {error.cause}")
            return
        except ray.exceptions.RayError as error:
            self._lose(slot, _brief(error))
            return
        if slot.stage is Stage.PLACED:
            slot.host, version = answer
            if version != teller_gym.__version__:
                raise OptionError(
                    f"teller_gym: expected {teller_gym.__version__} on every machine of the cluster, got {version} "
                    f"on {slot.host}; install the same everywhere"
                )
            slot.stage, slot.call = Stage.OPENED, slot.actor.open.remote(slot.order)
            return
        if slot.stage is Stage.OPENED:
            slot.stage, self._agent = Stage.PLAYING, answer
        else:
            self._note(slot, answer)
        slot.call = slot.actor.exchange.remote(self._next(slot))

    def _note(self, slot: Slot, ended: Sequence[Ended]) -> None:
        for episode, times in ended:
            slot.failures = 0
            self._gate.leave()
            if self._ledger.done(slot.number, key(episode)):
                self._sink(episode, times)

    def _next(self, slot: Slot) -> list[Planned]:
        """Return the episodes to send to a worker: one more than it plays at a time waits there, so that no seat stays
        empty.
        """
        return self._ledger.take(slot.number, slot.order.concurrency + 1, self._gate.enter)

    def _lose(self, slot: Slot, reason: str) -> None:
        """Give a worker up and start another in its place."""
        import ray

        ray.kill(slot.actor)
        slot.call, self._last_failure = None, f"on {slot.host}: {reason}"
        held = self._ledger.out(slot.number)
        given_up = self._ledger.lost(slot.number)
        log.warning("worker %d is lost %s; %d episodes of it go to others", slot.number, self._last_failure, held)
        for _ in range(held):
            self._gate.leave()
        # Workers brought down by the episode now given up may begin anew.
        slot.failures = 0 if given_up else slot.failures + 1
        if slot.failures <= self._staff.max_restarts:
            self._start(slot)
        for planned in given_up:
            failure = f"{LOSSES} workers were lost with this episode, the last one {self._last_failure}"
            stage = slot.order.parts[planned.part].stage
            self._sink(broken_record(planned, self._agent, stage, failure), Times(0.0))

    def _expect_workers(self) -> None:
        """Raise an InfrastructureError if there are no workers and there is no hope of any."""
        import ray

        kept = "; what was played is kept, and the same call continues"
        if all(slot.call is None for slot in self._slots) and not self._over():
            raise InfrastructureError(
                f"every worker was lost more than {self._staff.max_restarts} times in a row without an episode ended, "
                f"the last one {self._last_failure}{kept}"
            )
        if any(slot.call is not None and slot.stage is not Stage.PLACED for slot in self._slots):
            self._had_worker = time.monotonic()
        elif time.monotonic() - self._had_worker > self._staff.wait_s:
            there = ", ".join(f"{ray.cluster_resources().get(name, 0):g} of {name}" for name in ("CPU", "GPU"))
            raise InfrastructureError(
                f"waited {self._staff.wait_s:g} s for a worker with {self._staff.cpus:g} CPU and {self._staff.gpus:g} "
                f"GPU; the cluster has {there} in all; {self._ledger.left} episodes are left{kept}"
            )

    def _end_all(self) -> None:
        import ray

        actors = [slot.actor for slot in self._slots if slot.call is not None]
        ready = [slot for slot in self._slots if slot.call is not None and slot.stage is Stage.PLAYING]
        if ready:
            closing = [slot.actor.close.remote() for slot in ready]
            ray.wait(closing, num_returns=len(closing), timeout=CLOSE_S)
        for actor in actors:
            ray.kill(actor)


def _brief(error: Exception) -> str:
    """Return the cause of a death as Ray reports it, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {' '.join(lines)}"[:500]
