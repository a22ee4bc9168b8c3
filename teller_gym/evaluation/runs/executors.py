"""Executors of a run's episodes: this process, or the workers of a cluster."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from teller_gym.agents.base import DialogueAgent
from teller_gym.base.errors import OptionError
from teller_gym.evaluation.runs.schedulers import Sink, play_all
from teller_gym.evaluation.runs.limits import Gate
from teller_gym.evaluation.runs.play import Planned
from teller_gym.evaluation.runs.players import Seat, name_of


class Crew(ABC):
    """Plays episodes."""

    @abstractmethod
    def play(self, plan: Sequence[Planned], sink: Sink, gate: Gate) -> None:
        """Play every episode of a plan while the gate lets them start; each goes to the sink once."""


class Here(Crew):
    """This process, with one live episode per seat."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = seats

    def play(self, plan: Sequence[Planned], sink: Sink, gate: Gate) -> None:
        """See :class:`Crew`.

        Raises:
            OptionError: several seats and an agent that plays one episode at a time.
        """
        if len(self._seats) > 1 and plan:
            agents = [seat.at(plan[0].part).agent for seat in self._seats[:2]]
            many = hasattr(agents[0], "act_batch") or isinstance(agents[0], DialogueAgent)
            if agents[0] is agents[1] and not many:
                raise OptionError(
                    f"concurrency={len(self._seats)}: agent {name_of(agents[0])} plays one episode at a time; "
                    f"give a factory that makes one for each env, or concurrency=1"
                )
        play_all(plan, self._seats[: len(plan)], sink, gate)
