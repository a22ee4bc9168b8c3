"""Order of required calls, given by the edges of the graph and the gates of the SOP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.procedure.graph import Graph
from teller_gym.procedure.sop import Course, Place
from teller_gym.tools.call import Call


class Order:
    """The order of required calls.

    By an edge, a call depends on earlier calls of the upstream tool, except those about another customer. By a gate,
    every call placed after it depends on all calls placed before it, regardless of the customer. A gate applies only if
    its step has at least one call in the case.

    Attributes:
        before: for each call, its direct dependencies; bit ``i`` represents the call of index ``i``.
        beneath: for each call, its direct and indirect dependencies.
    """

    def __init__(self, calls: Sequence[Call], graph: Graph, course: Course, subject: str) -> None:
        self._course = course
        self._subject = subject
        homes = [course.homes.get(call.name) for call in calls]
        self._homes = [home for home in homes if home is not None]
        worked = {home.step for home in self._homes}
        self._gates = [gate for gate in course.gates if gate.step in worked]
        before = [self._upstream(k, calls, graph) | self._before_gate(home, homes) for k, home in enumerate(homes)]
        beneath: list[int] = []
        for bits in before:
            for k, other in enumerate(beneath):
                if bits >> k & 1:
                    bits |= other
            beneath.append(bits)
        self.before = tuple(before)
        self.beneath = tuple(beneath)

    def _upstream(self, number: int, calls: Sequence[Call], graph: Graph) -> int:
        call = calls[number]
        upstream = set(graph.upstream(call.name))
        return sum(
            1 << i
            for i, other in enumerate(calls[:number])
            if other.name in upstream and self._same_subject(call.arguments, other.arguments)
        )

    def _before_gate(self, home: Place | None, homes: Sequence[Place | None]) -> int:
        gates = [] if home is None else [gate.position for gate in self._gates if gate.position < home.position]
        if not gates:
            return 0
        return sum(1 << i for i, other in enumerate(homes) if other is not None and other.position <= gates[-1])

    def gate_between(self, earlier: str, later: str) -> str | None:
        """Return the clause of the first gate between the places of two tools; None if there is none."""
        one, other = self._course.homes.get(earlier), self._course.homes.get(later)
        if one is None or other is None:
            return None
        between = (gate.clause for gate in self._gates if one.position <= gate.position < other.position)
        return next(between, None)

    def passed_over(self, name: str) -> tuple[str, str] | None:
        """Return the clauses between which the case skipped a tool's clause; None if there are no such clauses."""
        home = self._course.homes.get(name)
        if home is None:
            return None
        earlier = [other for other in self._homes if other.position < home.position]
        later = [other for other in self._homes if other.position > home.position]
        return (max(earlier).clause, min(later).clause) if earlier and later else None

    def _same_subject(self, mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> bool:
        """Return False for calls about different customers, which do not depend on each other."""
        subject = self._subject
        return subject not in mine or subject not in theirs or mine[subject] == theirs[subject]
