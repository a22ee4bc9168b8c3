"""Task selection for runs."""

from __future__ import annotations

import hashlib
import importlib.resources
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from itertools import islice

from teller_gym.base.errors import OptionError
from teller_gym.days.day import NAME as DAY
from teller_gym.days.day import Day, level_of_size
from teller_gym.days.draw import size_of
from teller_gym.days.store import find_day, split_days
from teller_gym.office_tasks.contract import OfficeScenario
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.procedure.task import Split, Task
from teller_gym.stage1.task import SIZES, GraphTask, find_graph_task, graph_task, parse_graph_split
from teller_gym.tasks.store import find_task, load_tasks

Level = Callable[[Task | Day], float | None]
"""Function that returns a task's difficulty from 0 to 1, or None if unknown."""

GENERATED_FROM = 2_000_000_000
"""First task seed in an evaluation with seed 0; training uses smaller seeds."""
GENERATED_EACH = 1_000_000
"""Number of task seeds reserved for each evaluation seed."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A selected task.

    Attributes:
        outcome: class of the task's expected answer; empty in stage 1.
        branches: branch taken at each decision point on the correct path; empty in stage 1.
        difficulty: level from 0 to 1; None if unknown.
    """

    id: str
    scenario: str
    split: str
    outcome: str = ""
    branches: dict[str, str] = field(default_factory=dict)
    difficulty: float | None = None


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Specification of the tasks to select in each environment.

    Attributes:
        n: number of tasks; for a frozen split a fixed subset, spread over outcomes and branches. None selects all.
        task_ids: ids of the tasks to select, from any split.
        seed: determines the tasks of split `generated`.
    """

    n: int | None = None
    task_ids: Sequence[str] | None = None
    seed: int = 0

    def take(
        self,
        split: str,
        of: str,
        *,
        named: Callable[[str], Chosen],
        frozen: Callable[[], Iterable[Chosen]] | None,
        drawn: Callable[[range], Iterable[Chosen]],
    ) -> list[Chosen]:
        """Return the selected tasks in order.

        Args:
            of: name of the scenario, for messages.
            named: returns the task with a given id.
            frozen: returns the tasks of the split; None for an unlimited split.
            drawn: returns the tasks generated from seeds.

        Raises:
            OptionError: n is too large, or an id does not exist.
        """
        n, ids = self.n, self.task_ids
        if ids is not None:
            if n is not None:
                raise OptionError("n and task_ids: expected one of them, got both")
            if not ids or len(set(ids)) != len(ids):
                raise OptionError(f"task_ids: expected one id or more, each once, got {list(ids)}")
            return [named(task_id) for task_id in ids]
        if n is not None and n < 1:
            raise OptionError(f"n: expected at least 1 task, got {n}")
        if split == "generated" or frozen is None:
            if n is None:
                raise OptionError(f"split={split} of {of} is unlimited: say how many tasks with n=…")
            first = GENERATED_FROM + self.seed * GENERATED_EACH
            return list(islice(drawn(range(first, first + GENERATED_EACH)), n))
        found = list(frozen())
        if n is not None and n > len(found):
            raise OptionError(f"n: split {split} of {of} has {len(found)} such tasks, got n={n}")
        return found if n is None else stratified(found, n)


def choose(
    scenario: str, split: str, wanted: Wanted, *, outcome: str, level: Level = lambda task: None
) -> list[Chosen]:
    """Select stage 2 tasks.

    Args:
        outcome: output field whose expected value is the task's outcome class, such as `decision`.
    """
    return wanted.take(
        split,
        scenario,
        named=lambda task_id: as_chosen(find_task(scenario, task_id), outcome, level),
        frozen=lambda: (as_chosen(task, outcome, level) for task in load_tasks(scenario, split)),
        drawn=lambda seeds: (
            as_chosen(task, outcome, level) for task in load_tasks(scenario, split, wanted.n, seeds.start)
        ),
    )


def choose_days(split: str, wanted: Wanted, *, sizes: tuple[int, int], scenarios: tuple[str, ...]) -> list[Chosen]:
    """Select working days.

    Args:
        sizes: minimum and maximum number of cases, unless ids are given.
        scenarios: scenarios of the cases in generated days.
    """

    def of_size(days: Iterable[tuple[str, int]]) -> Iterable[Chosen]:
        for day_id, cases in days:
            if sizes[0] <= cases <= sizes[1]:
                yield Chosen(day_id, DAY, split, difficulty=level_of_size(cases))

    return wanted.take(
        split,
        DAY,
        named=lambda day_id: as_chosen(find_day(day_id, scenarios), ""),
        frozen=lambda: of_size((entry.id, entry.cases) for entry in split_days(Split(split))),
        drawn=lambda seeds: of_size((f"day-g-{seed}", size_of(seed)) for seed in seeds),
    )


def choose_work(office: OfficeScenario, split: str, wanted: Wanted, *, autonomy: str | None = None) -> list[Chosen]:
    """Select office work tasks.

    ``autonomy`` restricts the tasks to one wording, except those selected by id.
    """

    def worded(tasks: Iterable[OfficeTask]) -> Iterable[Chosen]:
        return (as_chosen(task, "") for task in tasks if autonomy in (None, task.autonomy))

    return wanted.take(
        split,
        office.name,
        named=lambda task_id: as_chosen(office.find(task_id), ""),
        frozen=lambda: worded(office.find(task_id) for task_id in office.ids(Split(split))),
        drawn=lambda seeds: worded(map(office.generated, seeds)),
    )


def choose_graphs(scenario: str, split: str, wanted: Wanted) -> list[Chosen]:
    """Select stage 1 tasks."""

    def plain(task: GraphTask) -> Chosen:
        return Chosen(task.id, task.scenario, str(task.split))

    def numbered(numbers: Iterable[int]) -> Iterable[Chosen]:
        return (plain(graph_task(scenario, split, number)) for number in numbers)

    size = 0 if wanted.task_ids is not None else SIZES[parse_graph_split(split)]
    return wanted.take(
        split,
        f"{scenario} in stage 1",
        named=lambda task_id: plain(find_graph_task(scenario, task_id)),
        frozen=None if size > GENERATED_FROM else lambda: numbered(range(size)),
        drawn=numbered,
    )


def stratified(tasks: Sequence[Chosen], n: int) -> list[Chosen]:
    """Return n of the tasks in their order, spread over outcomes.

    Every outcome is included first, and then in proportion to its frequency. Within an outcome, branches are treated
    likewise. A smaller selection is always contained in a larger one.
    """
    outcomes = _split(tasks, lambda task: task.outcome)
    spread = [_interleave(_split(group, lambda task: tuple(sorted(task.branches.items())))) for group in outcomes]
    kept = {task.id for task in _interleave(spread)[:n]}
    return [task for task in tasks if task.id in kept]


def _split(tasks: Iterable[Chosen], signature: Callable[[Chosen], object]) -> list[list[Chosen]]:
    """Group the tasks by signature, largest group first."""
    groups: dict[object, list[Chosen]] = {}
    for task in tasks:
        groups.setdefault(signature(task), []).append(task)
    return sorted(groups.values(), key=lambda group: -len(group))


def _interleave(groups: Iterable[list[Chosen]]) -> list[Chosen]:
    """Interleave groups of tasks.

    Every group comes first with one task, and then in proportion to its size.
    """
    placed = [(place / len(group), task) for group in groups for place, task in enumerate(group)]
    return [task for _, task in sorted(placed, key=lambda pair: pair[0])]


def as_chosen(task: Task | Day | OfficeTask, outcome: str, level: Level = lambda task: None) -> Chosen:
    """Convert a task to a selected task.

    For `outcome` see `choose`; for office work, the outcome is the task's kind.
    """
    if isinstance(task, OfficeTask):
        return Chosen(task.id, task.scenario, str(task.split), task.kind, task.branches)
    return Chosen(
        task.id,
        task.scenario,
        str(task.split),
        str(task.standard.outputs.get(outcome, "")),
        dict(task.branches),
        level(task),
    )


def episode_seed(seed: int, task_id: str, trial: int) -> int:
    """Return an episode's seed, which does not depend on earlier episodes."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{task_id}/{trial}".encode()).digest()[:4], "big")


def frozen_checksum(scenario: str) -> str | None:
    """Return the SHA-256 digest of a scenario's data files (instances, SOP, graph, policy …).

    It is None if the scenario has no folder in the package.
    """
    if scenario == DAY:
        folder = importlib.resources.files("teller_gym.days")
    else:
        folder = importlib.resources.files("teller_gym.scenarios") / scenario
    if not folder.is_dir():
        return None
    digest = hashlib.sha256()
    for name, file in _data_files(folder):
        digest.update(f"{name}\0".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _data_files(folder: Traversable, prefix: str = "") -> list[tuple[str, Traversable]]:
    files: list[tuple[str, Traversable]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir() and entry.name != "__pycache__":
            files += _data_files(entry, f"{prefix}{entry.name}/")
        elif entry.is_file() and not entry.name.endswith((".py", ".pyc")):
            files.append((prefix + entry.name, entry))
    return files
