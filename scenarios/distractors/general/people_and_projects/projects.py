"""Projects: critical path, sprints and roles."""

from __future__ import annotations

from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from math import floor
from typing import Annotated

from msgspec import Meta

from teller_gym.base.errors import invalid
from teller_gym.tools.bank import Bank
from teller_gym.tools.tool import Category, Result, tool

_PLAIN = "[A-Za-z0-9][A-Za-z0-9 _-]{0,19}"
TaskName = Annotated[str, Meta(pattern=f"^{_PLAIN}$", max_length=20)]
TaskNames = Annotated[list[TaskName], Meta(min_length=1, max_length=20)]
TaskDays = Annotated[list[Annotated[int, Meta(ge=0, le=1000)]], Meta(min_length=1, max_length=20)]
Links = Annotated[list[Annotated[str, Meta(pattern=f"^{_PLAIN}>{_PLAIN}$", max_length=41)]], Meta(max_length=50)]
PersonDays = Annotated[float, Meta(ge=0, le=30)]
Percent = Annotated[float, Meta(ge=0, le=100)]
People = Annotated[list[TaskName], Meta(min_length=1, max_length=10)]
RaciRows = Annotated[list[Annotated[str, Meta(pattern="^[RACI-]+$", max_length=10)]], Meta(min_length=1, max_length=20)]


def _distinct(field: str, names: list[str]) -> list[str]:
    stripped = [name.strip() for name in names]
    if len({*stripped}) < len(stripped):
        raise invalid(field, "expected every name once, got one twice; rename it")
    return stripped


class CriticalPath(Result):
    """Days in all, one longest chain, days each task may slip (in the tasks' order), days left (negative: late)."""

    total_days: int
    critical_path: list[str]
    slack_days: list[int]
    days_left: int | None


@tool(category=Category.GENERAL_DISTRACTOR)
def find_critical_path(
    bank: Bank,
    task_names: TaskNames,
    task_days: TaskDays,
    dependencies: Links,
    deadline_days: Annotated[int, Meta(ge=0, le=20_000)] | None = None,
) -> CriticalPath:
    """Find the critical path of a project and how many days each task may slip.

    Args:
        task_names: Names of the tasks.
        task_days: Duration of each task in days, in the same order.
        dependencies: Pairs such as Design>Build: the second task starts when the first is done.
        deadline_days: Days until the project must be done, if that is fixed.
    """
    names = _distinct("task_names", task_names)
    if len(task_days) != len(names):
        raise invalid("task_days", f"expected {len(names)} durations, one a task, got {len(task_days)}")
    days = dict(zip(names, task_days, strict=True))
    before: dict[str, list[str]] = {name: [] for name in names}
    for first, second in ([end.strip() for end in link.split(">")] for link in dependencies):
        if first not in days or second not in days:
            raise invalid("dependencies", f"expected two of the tasks, got {first!r} and {second!r}")
        before[second].append(first)
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError:
        raise invalid("dependencies", "expected no circle, got tasks that wait for each other; drop one pair") from None
    ends: dict[str, int] = {}
    for name in order:
        ends[name] = days[name] + max((ends[other] for other in before[name]), default=0)
    total = max(ends.values())
    latest = dict.fromkeys(names, total)
    for name in reversed(order):
        for other in before[name]:
            latest[other] = min(latest[other], latest[name] - days[name])
    awaited = {other for others in before.values() for other in others}
    path = [next(name for name in names if ends[name] == total and name not in awaited)]
    while previous := [n for n in names if n in before[path[0]] and ends[n] == ends[path[0]] - days[path[0]]]:
        path.insert(0, previous[0])
    return CriticalPath(
        total_days=total,
        critical_path=path,
        slack_days=[latest[name] - ends[name] for name in names],
        days_left=None if deadline_days is None else deadline_days - total,
    )


class SprintCapacity(Result):
    """Person-days and focused hours with one decimal; points rounded down; points a person-day with two decimals."""

    person_days: float
    focused_hours: float
    points_a_person_day: float
    suggested_points: int


@tool(category=Category.GENERAL_DISTRACTOR)
def plan_sprint_capacity(
    bank: Bank,
    days_of_each: Annotated[list[PersonDays], Meta(min_length=1, max_length=20)],
    past_points: Annotated[list[Annotated[float, Meta(ge=0, le=500)]], Meta(min_length=1, max_length=10)],
    past_person_days: Annotated[list[Annotated[float, Meta(ge=0.5, le=600)]], Meta(min_length=1, max_length=10)],
    hours_a_day: Annotated[float, Meta(ge=1, le=12)] = 8,
    meeting_hours_each: Annotated[float, Meta(ge=0, le=100)] = 0,
    focus_percent: Percent = 80,
    support_percent: Percent = 0,
) -> SprintCapacity:
    """Plan how much a team can take on in its next sprint, from presence and from what it finished before.

    Args:
        days_of_each: Days for which each member is there.
        past_points: Points finished in past sprints.
        past_person_days: Person-days of those sprints, in the same order.
        hours_a_day: Working hours a day.
        meeting_hours_each: Hours of meetings for each member who is there at all.
        focus_percent: Share of the hours left that is undisturbed.
        support_percent: Share of the sprint kept free for support; it lowers hours and points.
    """
    if len(past_points) != len(past_person_days):
        raise invalid("past_person_days", f"expected {len(past_points)} numbers, got {len(past_person_days)}")
    hours = [max(0.0, days * hours_a_day - meeting_hours_each) for days in days_of_each]
    days, free = _exact(days_of_each), 1 - _exact([support_percent]) / 100
    rate = _exact(past_points) / _exact(past_person_days)
    return SprintCapacity(
        person_days=round(float(days), 1),
        focused_hours=round(sum(hours) * focus_percent / 100 * float(free), 1),
        points_a_person_day=round(float(rate), 2),
        suggested_points=floor(rate * days * free),
    )


def _exact(numbers: list[float]) -> Fraction:
    """The sum of numbers as they are written."""
    return sum((Fraction(repr(number)) for number in numbers), Fraction(0))


class RaciCheck(Result):
    """Tasks with something wrong, people with no letter at all, and who has most work (R and A; null if nobody)."""

    is_sound: bool
    without_one_accountable: list[str]
    without_responsible: list[str]
    too_many_responsible: list[str]
    idle_people: list[str]
    busiest_person: str | None


@tool(category=Category.GENERAL_DISTRACTOR)
def check_raci_matrix(
    bank: Bank,
    tasks: TaskNames,
    people: People,
    rows: RaciRows,
    most_responsible: Annotated[int, Meta(ge=1, le=10)] = 3,
    accountable_also_works: bool = False,
) -> RaciCheck:
    """Check a RACI matrix: each task needs exactly one accountable person and somebody responsible, but not too many.

    Args:
        tasks: Names of the tasks.
        people: Names of the people.
        rows: For each task a letter a person, in order: R, A, C, I or a hyphen, such as AR-I.
        most_responsible: Most people responsible for one task.
        accountable_also_works: Whether the accountable person counts as responsible too.
    """
    names, team, letters = _distinct("tasks", tasks), _distinct("people", people), [row.strip() for row in rows]
    if len(letters) != len(names) or any(len(row) != len(team) for row in letters):
        raise invalid("rows", f"expected {len(names)} rows of {len(team)} letters, one a task and person")
    working = "RA" if accountable_also_works else "R"
    workers = [sum(letter in working for letter in row) for row in letters]
    load = [sum(row[i] in "RA" for row in letters) for i in range(len(team))]
    no_owner = [name for name, row in zip(names, letters, strict=True) if row.count("A") != 1]
    nobody = [name for name, count in zip(names, workers, strict=True) if not count]
    crowd = [name for name, count in zip(names, workers, strict=True) if count > most_responsible]
    return RaciCheck(
        is_sound=not (no_owner or nobody or crowd),
        without_one_accountable=no_owner,
        without_responsible=nobody,
        too_many_responsible=crowd,
        idle_people=[person for i, person in enumerate(team) if all(row[i] == "-" for row in letters)],
        busiest_person=team[load.index(max(load))] if max(load) else None,
    )
