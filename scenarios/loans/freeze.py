"""Choosing the frozen instances: ``python -m teller_gym.cli freeze loans`` writes them anew.

Each split has seeds of its own, whose cases are drawn in order. From them so many of every ending are taken that calls
for judgements are spread: each judgement that a case can call for stands in several instances of every split, and each
instance calls for one at least that nobody makes by heart. The same code gives the same bytes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

import msgspec

from teller_gym.base.draw import Draw
from teller_gym.procedure.scenario import Draft, Scenario, Solution, load_scenario
from teller_gym.procedure.task import Split, StandardResult, Task
from teller_gym.scenarios.loans.generator.judgements import NEVER_BY_HEART, judgements
from teller_gym.tasks.store import freeze

FIRST_SEED = 7_000_000_000
"""Above every seed that ``generated`` draws (they have 32 bits)."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """How the instances of a split are chosen."""

    first_seed: int
    pool: int
    """Seeds that are looked at."""
    each: int
    """Instances that each judgement stands in, if the pool has them."""
    endings: dict[str, int]


CHOICES: dict[Split, Choice] = {
    Split.HELDOUT: Choice(
        first_seed=7_500_000_000, pool=3_000, each=5,
        endings={
            "approve": 8, "counter_dti": 3, "counter_pti": 1, "counter_collateral": 3, "counter_both": 3,
            "deny_amount": 2, "deny_term": 1, "deny_identity": 3, "deny_alert": 3, "deny_score": 4,
            "deny_employment": 3, "deny_vehicle": 2, "deny_collateral": 1, "deny_dti": 1, "deny_pti": 1,
            "incomplete_missing": 1, "incomplete_expired": 2, "incomplete_appraisal": 1, "incomplete_insurance": 3,
            "refer_sanctions": 1, "refer_pep": 2, "refer_enforcement": 1,
        },
    ),
    Split.VALIDATION: Choice(
        first_seed=7_400_000_000, pool=2_000, each=2,
        endings={
            "approve": 3, "counter_dti": 1, "counter_collateral": 1, "counter_both": 1, "deny_amount": 1,
            "deny_identity": 1, "deny_alert": 1, "deny_score": 1, "deny_employment": 1, "deny_vehicle": 1,
            "deny_pti": 1, "incomplete_expired": 1, "incomplete_insurance": 1, "refer_pep": 1,
        },
    ),
    Split.TRAIN: Choice(
        first_seed=FIRST_SEED, pool=2_500, each=8,
        endings={
            "approve": 29, "counter_dti": 11, "counter_pti": 5, "counter_collateral": 9, "counter_both": 9,
            "deny_amount": 3, "deny_term": 2, "deny_identity": 7, "deny_alert": 8, "deny_score": 11,
            "deny_employment": 9, "deny_vehicle": 5, "deny_collateral": 4, "deny_dti": 4, "deny_pti": 2,
            "incomplete_missing": 2, "incomplete_expired": 2, "incomplete_appraisal": 5, "incomplete_insurance": 9,
            "refer_sanctions": 3, "refer_pep": 5, "refer_enforcement": 4,
        },
    ),
}  # fmt: skip
"""214 in all: 50 held out, 16 for validation, 148 to train on."""

MOST_ALIKE = 4
"""So many instances at most may be answered by one recipe: the same fields, and a due date that lies the same number of
days after one of the dates of the case. Five would be over 2 %."""


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A case that may be chosen."""

    task: Task
    ending: str
    judgements: frozenset[str]
    recipes: tuple[tuple[object, ...], ...]


def candidates(scenario: Scenario, split: Split) -> list[Candidate]:
    """Return the cases of a split's seeds that call for a judgement which nobody makes by heart."""
    choice = CHOICES[split]
    found = []
    for seed in range(choice.first_seed, choice.first_seed + choice.pool):
        task = _bare(scenario, scenario.draft(seed), seed, split)
        solution = scenario.solve(task)
        called_for = judgements(task, scenario.policy, solution)
        if called_for & NEVER_BY_HEART and not scenario.is_withheld(solution.branches):
            recipes = tuple(_recipes(task, solution))
            found.append(Candidate(task=task, ending=_ending(task), judgements=called_for, recipes=recipes))
    return found


def _bare(scenario: Scenario, draft: Draft, seed: int, split: Split) -> Task:
    """Return the task of a draft without what the expert would add."""
    return Task(
        id="", scenario=scenario.name, seed=seed, split=split, today=draft.today, request=draft.request,
        case_id=draft.case_id, owners=draft.owners, tables=draft.tables, standard=StandardResult((), {}), branches={},
        tags=draft.tags, fingerprint=scenario.case_fingerprint(draft), policy={},
    )  # fmt: skip


def _ending(task: Task) -> str:
    return next(tag.partition(":")[2] for tag in task.tags if tag.startswith("ending:"))


def _recipes(task: Task, solution: Solution) -> list[tuple[object, ...]]:
    """Return the answers of an agent that knows only the dates of the case, and that would be right here."""
    case = task.tables["applications"][task.case_id]
    fields = tuple(value for name, value in solution.outputs.items() if name != "action_due_date")
    due = date.fromisoformat(solution.outputs["action_due_date"])
    days = {"today": task.today.isoformat(), "received": case["received_date"], "completed": case["completed_date"]}
    return [(*fields, name, (due - date.fromisoformat(day)).days) for name, day in days.items() if day is not None]


class _Chosen:
    """What has been chosen so far, over all splits."""

    def __init__(self) -> None:
        self.fingerprints: set[str] = set()
        self.recipes: Counter[tuple[object, ...]] = Counter()

    def takes(self, candidate: Candidate) -> bool:
        """Whether a case is no other's copy, and its answer is not yet too frequent."""
        return candidate.task.fingerprint not in self.fingerprints and all(
            self.recipes[recipe] < MOST_ALIKE for recipe in candidate.recipes
        )

    def add(self, candidate: Candidate) -> None:
        """Note a chosen case."""
        self.fingerprints.add(candidate.task.fingerprint)
        self.recipes.update(candidate.recipes)


def choose(pool: Sequence[Candidate], choice: Choice, chosen: _Chosen) -> list[Candidate]:
    """Return the cases of a split: so many of each ending, those first whose judgements are called for most seldom.

    Raises:
        ValueError: the pool has too few cases of an ending.
    """
    frequent = Counter(name for candidate in pool for name in candidate.judgements)
    by_ending: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in pool:
        by_ending[candidate.ending].append(candidate)
    left, found = dict(choice.endings), []
    have: Counter[str] = Counter()
    while any(left.values()):
        # The ending of which the largest share is still to be chosen comes next, so that all are chosen side by side.
        ending = max(left, key=lambda name: (left[name] / choice.endings[name], choice.endings[name], name))
        open_to = [candidate for candidate in by_ending[ending] if chosen.takes(candidate)]
        if not open_to:
            raise ValueError(f"{ending}: expected {left[ending]} more cases; look at more seeds")
        best = max(
            open_to, key=lambda candidate: (_worth(candidate, have, frequent, choice.each), -candidate.task.seed)
        )
        chosen.add(best)
        have.update(best.judgements)
        found.append(best)
        left[ending] -= 1
    return found


def _worth(candidate: Candidate, have: Counter[str], frequent: Counter[str], each: int) -> float:
    """Return how much a case adds: for each judgement that still lacks instances, the more the rarer it is."""
    return sum(
        (each - have[name]) / (each * frequent[name]) for name in sorted(candidate.judgements) if have[name] < each
    )


def with_ids(scenario: Scenario, chosen: Iterable[Candidate]) -> list[Task]:
    """Return the chosen tasks, complete, in an order that tells nothing, with their ids."""
    draw = Draw(FIRST_SEED)
    tasks = sorted((candidate.task for candidate in chosen), key=lambda _: draw.real(0, 1))
    return [
        scenario.complete(
            Draft(
                today=task.today, request=task.request, case_id=task.case_id, owners=task.owners, tables=task.tables,
                tags=task.tags,
            ),
            task_id=f"loans-{number:04d}", seed=task.seed, split=task.split,
        )
        for number, task in enumerate(tasks, start=1)
    ]  # fmt: skip


def build() -> bytes:
    """Return the bytes of the frozen file."""
    scenario = load_scenario("loans")
    chosen, found = _Chosen(), []
    for split, choice in CHOICES.items():
        found += choose(candidates(scenario, split), choice, chosen)
    return freeze("loans", with_ids(scenario, found))
