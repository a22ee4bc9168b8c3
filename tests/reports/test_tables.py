"""Values in the tables, compared with the records and with the paper."""

import statistics
from itertools import pairwise
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.failure_tables import MOST_CAUSES, MOST_LATER
from teller_gym.evaluation.measures.run_names import run_names
from teller_gym.evaluation.records.episode import Episode
from teller_gym.reports import Study, read_study
from teller_gym.reports.contents import sections
from teller_gym.reports.failure_tables import causes, points
from teller_gym.reports.figures import structure
from teller_gym.reports.figures.beside_paper import draw_complexity
from teller_gym.reports.figures.runs import group_label
from teller_gym.reports.paper import paper
from teller_gym.reports.paper_tables import (
    GraphSize,
    graph_size,
    paper_tables,
    pearson,
    table2,
    table3,
    table4,
    table5,
    table6,
)
from teller_gym.reports.run_tables import branches, changes, counts, differences, effort, groups, passes
from teller_gym.tables.model import Metric, Table, Value, plain
from teller_gym.viewer import write_view
from tests.evaluation.samples import fault, write_run
from tests.reports.made import ODD, agent, executions, graphs, two_runs
from tests.viewer.reading import read_data


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    return read_study(two_runs(tmp_path_factory.mktemp("runs")))


def row(table: Table, name: str, place: int = 0) -> dict[str, Value]:
    """Return the cells, without intervals and by title, of the first row with this name in column `place`."""
    titles = [column.title for column in table.columns]
    found = next(one for one in table.rows if one.cells[place] == name)
    return {title: plain(cell) for title, cell in zip(titles, found.cells, strict=True)}


def test_the_paper_is_as_printed() -> None:
    found = paper()
    assert len(found.models) == 14
    assert found.averages["GPT-4o"]["node_overlap"] == 0.6122
    assert found.scenarios["Qwen3-Max"]["savings"]["tool_f1"] == 0.7714
    assert found.errors["Qwen3-8B"] == {"blank": 0.578, "validation": 0.064, "type": 0.0}
    assert {tier: len(found.of_tier(tier)) for tier in found.tiers} == {
        "proprietary": 5, "large_open": 2, "small_open": 7
    }  # fmt: skip


def test_the_papers_own_figures_agree_with_each_other() -> None:
    found = paper()
    for metric, r in found.correlations.items():
        rows = found.averages.values()
        assert pearson([one[metric] for one in rows], [one["accuracy"] for one in rows]) == pytest.approx(r, abs=0.0006)
    for size in found.complexity.values():
        assert size.edges / (size.nodes * (size.nodes - 1)) == pytest.approx(size.density, abs=0.00006)


def test_averages_weigh_scenarios_the_same(study: Study) -> None:
    ours = row(table2(study), "first")
    # Loans: tasks 0, 1 and 2 of 6 succeed, task 0 in one of two trials; errands: task 0 in one of two trials.
    assert ours["accuracy"] == pytest.approx((2.5 / 6 + 0.5 / 6) / 2)
    assert ours["edge F1"] == 0.5
    assert ours["scenarios"] == "loans, errands"
    assert row(table2(study), ODD)["edge F1"] is None
    theirs = row(table2(study), "† Claude-Sonnet-4.5")
    assert (theirs["path overlap"], theirs["accuracy"]) == (0.6866, 0.344)
    assert [one.paper for one in table2(study).rows] == [False] * 2 + [True] * 14


def test_scenarios_stand_side_by_side(study: Study) -> None:
    ours = row(table3(study), "first")
    assert ours["loans: accuracy"] == pytest.approx(2.5 / 6)
    assert ours["errands: accuracy"] == pytest.approx(0.5 / 6)
    assert ours["savings: accuracy"] is None
    assert row(table3(study), "† GPT-5")["savings: tool recall"] == 0.5183


def test_complexity_is_that_of_the_graphs(study: Study) -> None:
    loans = row(table4(study), "loans")
    assert (loans["nodes"], loans["edges"], loans["output fields"]) == (20, 34, 6)
    assert loans["density"] == pytest.approx(paper().complexity["loans"].density, abs=0.00006)
    assert loans["first: accuracy"] == pytest.approx(2.5 / 6)
    assert loans["first: path overlap"] == 0.5
    assert row(table4(study), "errands")["nodes"] is None
    assert graph_size("errands") is None


def test_error_shares(study: Study) -> None:
    ours = row(table5(study), "first")
    assert ours["episodes"] == 24
    assert ours["blank"] == 0
    assert ours["type"] == ours["order"] == pytest.approx((3 + 5) / 12)
    assert row(table5(study), "† Qwen3-Max")["order"] is None


def test_gaps(study: Study) -> None:
    ours = row(table6(study), ODD)
    # In the valid episodes, tasks 0 and 1 use all tools, tasks 3 and 4 a third of them.
    assert ours["tool precision"] == 1
    assert ours["tool recall"] == pytest.approx((2 + 2 / 3) / 4)
    assert ours["precision − recall"] == pytest.approx(1 / 3)
    theirs = row(table6(study), "† large open")
    assert theirs["precision − recall"] == pytest.approx(0.22)


def test_what_is_missing_is_counted(study: Study) -> None:
    assert list(row(counts(study), ODD).values())[1:] == [2, 6, 4, 1, 1]
    assert [one.left for one in study.runs] == [0, 1]


def test_groups_of_tasks(study: Study) -> None:
    found = row(groups(study, "outcome"), "deny")
    assert found["episodes"] == "12 / 2"
    long_way = row(branches(study), "long way", place=1)
    assert long_way["decision point"] in ("errands.route", "loans.route")
    assert row(branches(study), "route")["decision point"] == "route"


def test_trials_and_effort(study: Study) -> None:
    found = row(passes(study), "first")
    assert found["pass^1"] == pytest.approx(3 / 12)
    assert found["pass^2"] == pytest.approx(2 / 12)
    spent = row(effort(study), "first")
    assert spent["cost, USD"] == pytest.approx(0.003)
    assert spent["cost of all, USD"] == pytest.approx(24 * 0.003)
    assert spent["wall time an episode, s"] == 1
    assert row(effort(study), ODD)["cost, USD"] is None


def test_against_the_baseline(study: Study) -> None:
    assert study.baseline is study.runs[0]
    found = row(changes(study), ODD)
    assert (found["common tasks"], found["baseline alone"], found["McNemar's p"]) == (4, 8, None)
    accuracy = next(one for one in differences(study).rows if one.cells[2] == "accuracy")
    assert isinstance(accuracy.cells[-1], Metric)
    # Task 0: 1 against ½; task 1: both succeed; tasks 3 and 4: neither; task 2 was not played, task 5 is invalid.
    assert plain(accuracy.cells[-1]) == pytest.approx(0.5 / 4)


def test_names_tell_runs_apart_and_are_those_of_the_viewer(tmp_path: Path) -> None:
    places = {"x/a": "same", "b": "same", "y/a": "same", "c": "other\nname"}
    folders = [write_run(tmp_path / place, executions(), agent=agent(name)) for place, name in places.items()]
    expected = ["same (x/a)", "same (b)", "same (y/a)", "other name"]
    assert [run.name for run in read_study(folders).runs] == expected
    write_view(folders, tmp_path / "view")
    assert [run["name"] for run in read_data(tmp_path / "view")["index"]["runs"]] == expected


def test_figures_say_how_many_episodes_a_group_has(study: Study) -> None:
    assert group_label(study, "outcome", "deny", "Deny") == "Deny  (n = 2–12)"
    assert group_label(Study(study.runs[:1], None, [], study.paper), "outcome", "deny", "Deny") == "Deny  (n = 12)"


def test_marks_of_runs_over_one_scenario_do_not_cover_each_other(tmp_path: Path) -> None:
    folders = [write_run(tmp_path / name, executions(), agent=agent("same")) for name in "abc"]
    (axis,) = draw_complexity(read_study(folders)).axes
    marks = [line for line in axis.lines if line.get_label().startswith("same")]
    places = [line.get_transform().transform(line.get_xydata())[0] for line in marks]
    width = marks[0].get_markersize() / 72 * axis.figure.dpi
    assert len(places) == 3
    assert all(two[0] - one[0] >= width - 1e-6 for one, two in pairwise(places))


def test_structure_goes_with_stage_1_over_three_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"a": GraphSize(10, 16, 6), "b": GraphSize(11, 17, 3), "c": GraphSize(20, 34, 6)}
    monkeypatch.setattr(structure, "graph_size", sizes.get)
    episodes = [one for name, value in (("a", 0.9), ("b", 0.8), ("c", 0.1)) for one in graphs(name, value)]
    study = read_study([write_run(tmp_path / "three", episodes)])
    cells = dict(zip(structure.PROPERTIES, structure.correlations(study.runs[0]), strict=True))
    expected = statistics.correlation([16, 17, 34], [0.9, 0.8, 0.1])
    assert cells["edges"][structure.METRICS.index("edge_f1")] == pytest.approx(expected)
    assert expected < -0.99
    assert structure.draw_structure(study) is not None
    two = read_study([write_run(tmp_path / "two", episodes[:8])])
    assert structure.draw_structure(two) is None


def test_runs_over_different_tasks_are_told(study: Study, tmp_path: Path) -> None:
    def notes(of: Study) -> list[str]:
        return [section.key for section in sections(of, ()) if section.note]

    assert notes(study) == ["runs"]
    alike = [write_run(tmp_path / name, executions(good=good)) for name, good in (("a", 1), ("b", 2))]
    assert notes(read_study(alike)) == []
    # A run with both stages has the same tasks in the stage that all runs share.
    both = write_run(tmp_path / "both", [*graphs(), *executions()])
    assert notes(read_study([*alike, both])) == []
    fewer = write_run(tmp_path / "fewer", executions(count=5))
    assert notes(read_study([*alike, fewer])) == ["runs"]


def test_runs_that_nothing_tells_apart_are_numbered() -> None:
    config = {"agent": {"name": "a"}}
    runs = [(Path("/one/x/y"), config), (Path("/two/x/y"), config), (Path("/z"), config)]
    assert run_names(runs) == ["a (x/y) [1]", "a (x/y) [2]", "a (z)"]


def test_a_run_of_stage_1_has_no_table_of_stage_2(tmp_path: Path) -> None:
    study = read_study([write_run(tmp_path / "run", graphs())])
    assert [table.key for table in paper_tables(study)] == ["table2", "table4"]
    assert study.baseline is None


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    one = write_run(tmp_path / "one", executions())
    with pytest.raises(OptionError, match="at least one"):
        read_study([])
    with pytest.raises(OptionError, match="more than once"):
        read_study([one, tmp_path / "." / "one"])
    with pytest.raises(OptionError, match="no run folder"):
        read_study([one], tmp_path)
    other = write_run(tmp_path / "other", executions())
    text = (other / "run.json").read_text().replace("0" * 64, "1" * 64)
    (other / "run.json").write_text(text)
    with pytest.raises(OptionError, match="frozen_sha256 differs"):
        read_study([one, other])
    assert read_study([other]).runs[0].name == "a"


def test_pearson() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1)
    assert pearson([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert pearson([1, 2], [1, 2]) is None
    assert pearson([1, 1, 1], [1, 2, 3]) is None


def test_only_branches_that_fail_above_the_average_are_named(tmp_path: Path) -> None:
    study = read_study([write_run(tmp_path / "run", executions(good=2))])
    (found,) = points(study).rows
    point, branch, share, episodes, cause = found.cells
    assert (point, branch, episodes, cause) == ("route", "short", "3 of 4", "check.exclusions wrong (3)")
    assert plain(share) == 0.75
    assert points(read_study([write_run(tmp_path / "all", executions(good=0))])).rows == []


def test_rows_of_causes_end_and_what_is_left_is_counted(tmp_path: Path) -> None:
    run: list[Episode] = [
        {**one, "faults": [fault("missing_call", f"tool_{i:02}"), fault("missing_call", f"later_{i:02}")]}
        for i, one in enumerate(executions(good=0, count=MOST_CAUSES + 3))
    ]
    table = causes(read_study([write_run(tmp_path / "run", run)]), viewed=True)
    rest, last = row(table, "3 further causes"), row(table, f"{MOST_CAUSES + 3 - MOST_LATER} further consequences")
    assert rest["episodes"] == f"3 of {len(run)}"
    assert rest["cost"] == pytest.approx(3 / len(run))
    assert last["episodes"] is None
    costs = [found.cells[1] for found in table.rows]
    assert sum(cost.value or 0 for cost in costs if isinstance(cost, Metric)) == pytest.approx(1)
