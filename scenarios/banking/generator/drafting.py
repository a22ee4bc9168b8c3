"""Drafts cases: draws a plan, builds a case from it, and keeps the case if the solver finds the planned ending."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from teller_gym.base.draw import Draw
from teller_gym.base.text import normalise_text
from teller_gym.procedure.injections import TAG, Asks, Injection, load_injections
from teller_gym.procedure.scenario import Draft, Solution
from teller_gym.procedure.task import Split, StandardResult, Task
from teller_gym.scenarios.banking.generator.people import Tables
from teller_gym.tools.bank import Record

HELDOUT_SEEDS = range(7_500_000_000, 9_000_000_000)
"""Seeds of held-out cases for evaluation; the wordings of their injections appear in no other case. A seed that is
drawn again moves by multiples of 2**40."""

Wordings = Literal["train", "heldout"]


class NoCaseError(Exception):
    """Raised when the draws do not give the planned case; other draws may."""


class Place(NamedTuple):
    """A field that can carry an injection, in one record or in several that show the same text."""

    records: Sequence[Record]
    field: str


class CasePlan(Protocol):
    """The part of a scenario's plan that the shared code reads."""

    @property
    def today(self) -> Any:
        """Business date."""


PolicyT = TypeVar("PolicyT")
PlanT = TypeVar("PlanT", bound=CasePlan)


class CaseBuilder(Generic[PolicyT, PlanT]):
    """A case under construction and the bank around it; a scenario's subclass defines both.

    Attributes:
        scenario: name of the scenario.
        table_names: the bank's tables.
        case_table: the table that contains the case.
        chances: probability that a case carries an injection, by kind of text, if it shows such a text.
        seldom: weights of injections in notes, which are read at once: of those that name a decision (and so reveal
            that another one is right), and of the others that ask for no call.
        attempts: cases built from one plan before a new one is drawn, so that rare endings keep their share.
    """

    scenario: ClassVar[str]
    table_names: ClassVar[tuple[str, ...]]
    case_table: ClassVar[str] = "requests"
    chances: ClassVar[dict[str, float]]
    seldom: ClassVar[tuple[float, float]] = (0.08, 0.2)
    attempts: ClassVar[int] = 60

    def __init__(self, draw: Draw, policy: PolicyT, plan: PlanT) -> None:
        self.draw = draw
        self.policy = policy
        self.plan = plan
        self.tables: Tables = {name: {} for name in self.table_names}
        self.case_id = ""

    def add_case(self) -> None:
        """Set the case's id and add its records.

        Raises:
            NoCaseError: the draws do not give the planned case.
        """
        raise NotImplementedError

    def request(self) -> str:
        """Return the request for the agent."""
        raise NotImplementedError

    def owners(self) -> Iterable[str]:
        """Return the ids, besides the case's own, of the customers that the case belongs to."""
        raise NotImplementedError

    def is_as_planned(self, solution: Solution) -> bool:
        """Return True if the solution has the planned ending."""
        raise NotImplementedError

    def places(self, kind: str, solution: Solution) -> Iterator[Place]:
        """Yield the places for injections of a kind that the agent sees when it follows the procedure."""
        raise NotImplementedError

    def is_wrong(self, asks: Asks, solution: Solution) -> bool:
        """Return True if the agent could follow the injection, and every value that it asks for is wrong."""
        raise NotImplementedError

    def add_surroundings(self) -> None:
        """Add the rest of the bank, such as other customers and requests."""
        raise NotImplementedError

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags of the case, without those of injections."""
        raise NotImplementedError

    @property
    def case(self) -> Record:
        """Record of the case."""
        return self.tables[self.case_table][self.case_id]

    def listed(self, people: Iterable[str]) -> list[Record]:
        """Return a list of the watch-list entry with a customer's registered name, empty unless there is just one.

        A search that finds several entries might not show the one with the instruction.
        """
        names = {normalise_text(self.tables["id_registry"][key]["name"]) for key in people}
        found = [entry for entry in self.tables["watch_list"].values() if normalise_text(entry["name"]) in names]
        return found if len(found) == 1 else []

    def build(self, solve: Callable[[Task, PolicyT], Solution], wordings: Wordings) -> Draft | None:
        """Return the draft of the case, or None if it does not end as planned."""
        self.add_case()
        owners = (self.case_id, *self.owners())
        task = Task(
            id="", scenario=self.scenario, seed=0, split=Split.GENERATED, today=self.plan.today,
            request=self.request(), case_id=self.case_id, owners=owners, tables=self.tables,
            standard=StandardResult((), {}), branches={}, tags=(), fingerprint="", policy={},
        )  # fmt: skip
        solution = solve(task, self.policy)
        if not self.is_as_planned(solution):
            return None
        tags = (*self.tags, *self._inject(solution, wordings))
        self.add_surroundings()
        ordered = {name: dict(sorted(rows.items())) for name, rows in self.tables.items()}
        return Draft(
            today=task.today, request=task.request, case_id=self.case_id, owners=owners, tables=ordered, tags=tags
        )

    def _inject(self, solution: Solution, wordings: Wordings) -> list[str]:
        """Write injections into the case's records, drawing separately for each kind; return their tags."""
        placed = []
        for kind, chance in self.chances.items():
            if not self.draw.chance(chance):
                continue
            places = list(self.places(kind, solution))
            fitting = [
                (injection, self._weight(injection))
                for injection in injections_of(self.scenario)
                if (injection.split, injection.kind) == (wordings, kind) and self.is_wrong(injection.asks, solution)
            ]
            if places and fitting:
                injection = self.draw.weighted(fitting)
                place = self.draw.choice(places)
                for record in place.records:
                    record[place.field] = injection.text
                placed.append(f"{TAG}{injection.id}")
        return placed

    def _weight(self, injection: Injection) -> float:
        if injection.kind != "note" or injection.asks.call is not None:
            return 1.0
        of_decisions, of_others = self.seldom
        return of_decisions if "decision" in injection.asks.set else of_others


@cache
def injections_of(scenario: str) -> tuple[Injection, ...]:
    """Return the injections of a scenario in all their wordings."""
    folder = resources.files(f"teller_gym.scenarios.{scenario}.generator")
    return load_injections(folder.joinpath("injections.yaml").read_bytes())


def drafter(
    builder: type[CaseBuilder[PolicyT, PlanT]],
    draw_plan: Callable[[Draw, PolicyT], PlanT],
    solve: Callable[[Task, PolicyT], Solution],
) -> Callable[[int, PolicyT], Draft]:
    """Return the draft function of a scenario, from a seed and a policy to a draft."""

    def draft(seed: int, policy: PolicyT) -> Draft:
        draw = Draw(seed)
        wordings: Wordings = "heldout" if seed % 2**40 in HELDOUT_SEEDS else "train"
        while True:
            plan = draw_plan(draw, policy)
            for _ in range(builder.attempts):
                try:
                    found = builder(draw, policy, plan).build(solve, wordings)
                except NoCaseError:
                    continue
                if found is not None:
                    return found

    return draft
