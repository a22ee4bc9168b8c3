"""Tests of people_and_projects/projects: expected values worked out by hand, or anew in another way."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ToolError
from tests.scenarios.distractors.desk import call

PROJECT: dict[str, Any] = {"task_names": ["Design", "Text", "Build", "Test"], "task_days": [3, 2, 4, 1]}
LINKS = ["Design>Text", "Design>Build", "Text>Test", "Build>Test"]


def test_critical_path_by_hand() -> None:
    assert call("find_critical_path", **PROJECT, dependencies=LINKS, deadline_days=10) == {
        "total_days": 8,
        "critical_path": ["Design", "Build", "Test"],
        "slack_days": [0, 2, 0, 0],
        "days_left": 2,
    }
    loose = call("find_critical_path", **PROJECT, dependencies=[])
    assert (loose["total_days"], loose["critical_path"], loose["slack_days"]) == (4, ["Build"], [1, 2, 0, 3])
    milestone = call("find_critical_path", task_names=["A", "B"], task_days=[5, 0], dependencies=["A>B"])
    assert milestone["critical_path"] == ["A", "B"]
    for wrong in ([*LINKS, "Test>Design"], ["Test>Test"], ["Test>Print"]):
        with pytest.raises(ToolError, match="dependencies"):
            call("find_critical_path", **PROJECT, dependencies=wrong)
    for changes in ({"task_days": [1]}, {"task_names": ["A", "B", "C", "A\n"]}):
        with pytest.raises(ToolError):
            call("find_critical_path", **PROJECT | changes, dependencies=[])


@given(st.lists(st.integers(0, 50), min_size=1, max_size=12), st.data())
@settings(deadline=None, max_examples=50)
def test_a_task_may_slip_by_its_slack_and_not_a_day_more(days: list[int], data: st.DataObject) -> None:
    names = [f"T{i}" for i in range(len(days))]
    pairs = [f"T{i}>T{j}" for j in range(len(days)) for i in range(j)]
    links = data.draw(st.lists(st.sampled_from(pairs), max_size=30)) if pairs else []
    slips = data.draw(st.integers(0, len(days) - 1))

    def plan(task_days: list[int]) -> dict[str, Any]:
        return call("find_critical_path", task_names=names, task_days=task_days, dependencies=links)

    made = plan(days)
    longest = list(days)
    for j in range(len(days)):
        longest[j] += max((longest[i] for i in range(j) if f"T{i}>T{j}" in links), default=0)
    assert made["total_days"] == max(longest)
    assert sum(days[names.index(name)] for name in made["critical_path"]) == made["total_days"]
    later = [day + made["slack_days"][slips] * (i == slips) for i, day in enumerate(days)]
    assert plan(later)["total_days"] == made["total_days"]
    later[slips] += 1
    assert plan(later)["total_days"] == made["total_days"] + 1


SPRINT: dict[str, Any] = {"days_of_each": [10, 8.5, 10], "past_points": [30, 24], "past_person_days": [30, 30]}


def test_sprint_by_hand() -> None:
    # (80 - 6) + (68 - 6) + (80 - 6) hours, 80 % and 90 % of them; 0.9 points a day on 90 % of 28.5 days.
    assert call("plan_sprint_capacity", **SPRINT, meeting_hours_each=6, support_percent=10) == {
        "person_days": 28.5,
        "focused_hours": 151.2,
        "points_a_person_day": 0.9,
        "suggested_points": 23,
    }
    assert call("plan_sprint_capacity", **SPRINT, focus_percent=50, hours_a_day=7)["focused_hours"] == 99.8
    with pytest.raises(ToolError, match="expected 2 numbers"):
        call("plan_sprint_capacity", **SPRINT | {"past_person_days": [30]})


@given(st.lists(st.floats(0, 30), min_size=1, max_size=10), st.floats(0, 99))
@settings(deadline=None, max_examples=50)
def test_more_support_leaves_no_more_points(days: list[float], support: float) -> None:
    more = call("plan_sprint_capacity", **SPRINT | {"days_of_each": days}, support_percent=support + 1)
    less = call("plan_sprint_capacity", **SPRINT | {"days_of_each": days}, support_percent=support)
    assert more["suggested_points"] <= less["suggested_points"] <= 0.9 * sum(days) + 1e-6


def test_raci_by_hand() -> None:
    matrix: dict[str, Any] = {"tasks": ["Plan", "Build", "Ship"], "people": ["Ana", "Ben", "Cy", "Di"]}
    assert call("check_raci_matrix", **matrix, rows=["ARI-", "RRA-", "ACC-"], most_responsible=1) == {
        "is_sound": False,
        "without_one_accountable": [],
        "without_responsible": ["Ship"],
        "too_many_responsible": ["Build"],
        "idle_people": ["Di"],
        "busiest_person": "Ana",
    }
    assert call("check_raci_matrix", **matrix, rows=["ARI-", "RRA-", "ACC-"], accountable_also_works=True)["is_sound"]
    nobody = call("check_raci_matrix", **matrix, rows=["AA--", "----", "CCCC"])
    assert nobody["without_one_accountable"] == ["Plan", "Build", "Ship"]
    assert call("check_raci_matrix", **matrix, rows=["----"] * 3)["busiest_person"] is None
    for rows in (["ARI-"], ["ARI-", "AR-", "ARI-"]):
        with pytest.raises(ToolError, match="3 rows of 4 letters"):
            call("check_raci_matrix", **matrix, rows=rows)
