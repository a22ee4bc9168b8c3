"""Drafts cases: draws a plan, builds a case by it, and keeps the case if the solver finds the planned ending."""

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
"""Seeds of cases for measurement. The wordings of their injections appear in no other case. A seed that is drawn again
moves by multiples of 2**40."""

Wordings = Literal["train", "heldout"]


class NoCaseError(Exception):
    """The draws do not make the planned case; others may."""


class Place(NamedTuple):
    """A field that may hold an injection, in one record or in several that show the same."""

    records: Sequence[Record]
    field: str


class CasePlan(Protocol):
    """The part of a plan that the shared code reads."""

    @property
    def today(self) -> Any:
        """The business date."""


PolicyT = TypeVar("PolicyT")
PlanT = TypeVar("PlanT", bound=CasePlan)


class CaseBuilder(Generic[PolicyT, PlanT]):
    """A case under construction and the bank around it. A scenario's subclass says what they consist of.

    Attributes:
        scenario: name of the scenario.
        table_names: the bank's tables.
        case_table: the one that holds the case.
        chances: probability that a case holds an injection, by kind of record, where it shows such a record.
        seldom: weights of injections in notes, which are read at once: of those that name a decision (and so say
            that another one is right), and of the others that ask for no call.
        attempts: cases built by one plan before it is drawn anew, so that rare endings keep their share.
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
            NoCaseError: the draws do not make the planned case.
        """
        raise NotImplementedError

    def request(self) -> str:
        """Return the request that the agent is given."""
        raise NotImplementedError

    def owners(self) -> Iterable[str]:
        """Return the ids that belong to the case besides its own."""
        raise NotImplementedError

    def is_as_planned(self, solution: Solution) -> bool:
        """Return True if the case ends as planned."""
        raise NotImplementedError

    def places(self, kind: str, solution: Solution) -> Iterator[Place]:
        """Yield the fields of a kind of record that the case's procedure comes to show."""
        raise NotImplementedError

    def is_wrong(self, asks: Asks, solution: Solution) -> bool:
        """Return True if no value that an injection asks for is right, and following it is possible."""
        raise NotImplementedError

    def add_surroundings(self) -> None:
        """Add the rest of the bank: other customers, other requests."""
        raise NotImplementedError

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of the case, but for those of injections."""
        raise NotImplementedError

    @property
    def case(self) -> Record:
        """The record of the case."""
        return self.tables[self.case_table][self.case_id]

    def listed(self, people: Iterable[str]) -> list[Record]:
        """Return the watch-list entries that bear the registered name of one of some customers, if there is just one.

        An instruction stands in an entry only where a search finds no second one.
        """
        names = {normalise_text(self.tables["id_registry"][key]["name"]) for key in people}
        found = [entry for entry in self.tables["watch_list"].values() if normalise_text(entry["name"]) in names]
        return found if len(found) == 1 else []

    def build(self, solve: Callable[[Task, PolicyT], Solution], wordings: Wordings) -> Draft | None:
        """Return the draft of the case; None if the plan did not come true."""
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
        """Write injections into the case's records, each kind by its own chance; return the tags that name them."""
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
    """Return all wordings of a scenario's injections."""
    folder = resources.files(f"teller_gym.scenarios.{scenario}.generator")
    return load_injections(folder.joinpath("injections.yaml").read_bytes())


def drafter(
    builder: type[CaseBuilder[PolicyT, PlanT]],
    draw_plan: Callable[[Draw, PolicyT], PlanT],
    solve: Callable[[Task, PolicyT], Solution],
) -> Callable[[int, PolicyT], Draft]:
    """Return the generator of a scenario: a function from a seed and a policy to a draft."""

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
