"""Reports of runs as tables and as JSON, and comparisons of several runs."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import OptionError
from teller_gym.evaluation import Report, compare, load_report
from teller_gym.evaluation.measures.labels import column
from teller_gym.evaluation.measures.report import make_report
from teller_gym.evaluation.measures.stage_report import band
from teller_gym.evaluation.records.episode import Episode, Status, Times
from teller_gym.tables.model import Metric, cell_text
from tests.evaluation.samples import config, episode, episodes, graph_episode, graph_episodes, runs, write_run

TOOLS = ["look", "submit"]


def halves(count: int = 12, **values: Any) -> list[Episode]:
    """Return episodes of which every other one is a success."""
    return [
        episode(
            task_id=f"t-{i:02}", success=i % 2 == 0, score=float(i % 2 == 0), outcome="denied" if i % 3 else "approved",
            branches={"route": f"r{i % 2}"}, required_tools=TOOLS, invoked_tools=TOOLS, difficulty=i / 11, steps=2,
            **values,
        )
        for i in range(count)
    ]  # fmt: skip


def graphs(**values: Any) -> list[Episode]:
    return [graph_episode(task_id=f"g-{i}", terms={"edge_f1": i / 3}, **values) for i in range(4)]


def report(run: list[Episode], name: str = "half", **values: Any) -> Report:
    times = {(one["task_id"], one["trial"]): Times(2.0) for one in run}
    return make_report(config(run, agent={"name": name, "kind": "reference"}, **values), run, times)


def test_the_table_says_what_was_measured() -> None:
    table = report(halves()).table()
    assert table.splitlines()[0] == "Teller-S-v0 · heldout · half · 12 tasks"
    rows = {line[:20].strip(): line[20:].split() for line in table.splitlines() if line}
    assert rows["accuracy"][0] == "0.500"
    assert rows["tool F1"] == ["1.000", "[1.000,", "1.000]"]
    assert rows["blank"] == ["100", "%", "[76,", "100]", "%"]
    assert rows["wall time an episode"] == ["2", "s"]
    assert "\ndenied " in table


def test_both_stages_stand_in_one_report() -> None:
    both = report([*graphs(), *halves(4)])
    assert list(both.stages) == [1, 2]
    assert (both.main.stage, both.counted, both.metrics["accuracy"].value) == (2, 4, 0.5)
    assert both.stages[1].metrics["edge_f1"].value == 0.5
    assert both.errors
    assert not both.stages[1].errors
    table = both.table()
    assert table.splitlines()[0] == "Teller-SGraph-v0 + Teller-S-v0 · heldout · half · 8 tasks (stage 2: 4, stage 1: 4)"
    assert table.index("stage 2, execution") < table.index("stage 1, graph") < table.index("edge F1")
    alone = report(graphs())
    assert (alone.main.stage, alone.metrics["edge_f1"].value) == (1, 0.5)
    assert "edge F1" in alone.table()


def test_many_environments_are_counted() -> None:
    run = [one | {"scenario": name, "task_id": name + one["task_id"]} for name in ("r", "s", "t") for one in halves(2)]
    assert report(run).headline().startswith("3 environments · heldout · half · 6 tasks")


def test_invalid_and_missing_episodes_are_told_and_in_no_mean() -> None:
    run = halves(6)
    settings_of_run = config(run)
    run[1]["status"] = Status.INVALID
    found = make_report(settings_of_run, run[:5], {})
    assert (found.planned, found.counted, found.invalid) == (6, 4, 1)
    assert found.metrics["accuracy"].value == 0.75
    assert found.headline().endswith("6 tasks, 1 invalid and left out, 1 not played yet")
    assert found.wall_s is None


def test_both_readings_stand_in_the_first_lines() -> None:
    run = halves(6)
    plan = config(run)
    run[1]["status"] = run[3]["status"] = Status.INVALID
    found = make_report(plan, run, {})
    assert (found.metrics["success"].value, found.main.as_failures["success"].value) == (0.75, 0.5)
    assert found.main.as_failures.keys() == {"score", "accuracy", "success", "clean_success"}
    first = [line.split() for line in found.table().splitlines()[1:6] if line]
    assert first[0][:4] == ["2", "of", "6", "invalid"]
    assert first[2][:4] == ["invalid", "left", "out", "0.750"]
    assert first[3][:4] == ["invalid", "as", "failures", "0.500"]
    assert "with the 2 invalid counted as failures: score 0.500" in found.summary()
    data = json.loads(json.dumps(found.to_dict()))
    assert data["stages"]["2"]["as_failures"]["success"]["value"] == 0.5
    rows = compare([found]).splitlines()[2:4]
    assert [row.split("  ")[0] for row in rows] == ["a", "a, invalid as failures"]
    assert "  4 (+2 invalid)  " in rows[0] and "  6  " in rows[1]
    whole = report(halves(6))
    assert "as_failures" not in whole.to_dict()["stages"]["2"]
    assert "invalid" not in whole.table() + whole.summary()


def test_a_scenario_that_broke_down_whole_is_in_the_second_reading_of_the_mean_over_scenarios() -> None:
    run = [*halves(4), *[one | {"scenario": "r", "task_id": f"r{i}"} for i, one in enumerate(halves(2))]]
    plan = config(run)
    for one in run[4:]:
        one["status"] = Status.INVALID
    found = make_report(plan, run, {}).main
    assert found.macro == {} and found.as_failures["success"].value == pytest.approx(2 / 6)
    assert found.macro_as_failures["success"].value == 0.25


def test_stages_are_counted_apart() -> None:
    run = [*graphs(), *halves(6)]
    plan = config(run)
    run[0]["status"] = run[5]["status"] = Status.INVALID
    times = {(one["task_id"], one["trial"]): Times(1.0 if one["stage"] == 1 else 3.0) for one in run}
    found = make_report(plan, run[:-1], times)
    assert found.headline().endswith(
        "10 tasks (stage 2: 6, stage 1: 4), 2 invalid (stage 2: 1, stage 1: 1) and left out, "
        "1 not played yet (stage 2: 1, stage 1: 0)"
    )
    assert found.wall_s == 3.0
    assert found.summary().splitlines()[1].startswith("stage 1, graph: score")
    assert "stage 2, execution: with the 1 invalid counted as failures" in found.summary()


def test_a_measure_that_does_not_apply_is_a_dash() -> None:
    office = halves(4, reward_terms={"checkpoints": 1.0, "parameters": 0.0})
    for one in office:
        one["branches"] = {"autonomy": "high"}
    rows = {line[:20].strip(): line[20:].split() for line in report(office).table().splitlines()}
    assert rows["parameter score"] == ["–"]
    assert report(office).metrics["parameters"] == Metric(None)
    assert report(halves(4, reward_terms={"parameters": 0.0})).metrics["parameters"].value == 0.0


def test_groups() -> None:
    run = [*halves(4), *halves(2)]
    for one in run[4:]:
        one |= {"scenario": "other", "task_id": f"o{one['task_id']}", "split": "validation", "success": False}
    found = report(run).main
    assert list(found.groups) == ["scenario", "split", "outcome", "difficulty", "branch:other.route", "branch:s.route"]
    assert {name: group.episodes for name, group in found.groups["split"].items()} == {"heldout": 4, "validation": 2}
    assert {name: group.metrics["success"].value for name, group in found.groups["scenario"].items()} == {
        "other": 0.0, "s": 0.5
    }  # fmt: skip
    assert found.metrics["success"].value == pytest.approx(1 / 3)
    assert found.macro["success"].value == 0.25
    assert "mean over scenarios" in report(run).table()
    single = report(halves()).main
    assert single.macro == {}
    assert set(single.groups["branch:route"]) == {"r0", "r1"}
    assert {name: group.episodes for name, group in single.groups["difficulty"].items()} == {
        "0.00–0.25": 3, "0.25–0.50": 3, "0.50–0.75": 3, "0.75–1.00": 3
    }  # fmt: skip


@pytest.mark.parametrize(
    ("level", "name"), [(0, "0.00–0.25"), (0.25, "0.25–0.50"), (0.999, "0.75–1.00"), (1, "0.75–1.00"), (None, None)]
)
def test_bands(level: float | None, name: str | None) -> None:
    assert band(level) == name


@given(runs(episodes()), runs(graph_episodes()), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=8)
def test_the_order_of_the_episodes_does_not_matter(two: list[Episode], one: list[Episode], random: Any) -> None:
    run = [*two, *one, episode(task_id="t-0"), graph_episode(task_id="g-0")]
    plan, times = config(run), {(some["task_id"], some["trial"]): Times(1.5) for some in run}
    shuffled = list(run)
    random.shuffle(shuffled)
    assert make_report(plan, shuffled, times) == make_report(plan, run, times)


def test_a_report_is_saved_as_json(tmp_path: Path) -> None:
    run = [*graphs(), *halves(4), *[one | {"trial": 1} for one in halves(4)]]
    written = report(run)
    assert set(written.pass_hat) == {1, 2}
    data = json.loads(written.save(tmp_path).read_text())
    assert data == written.to_dict()
    assert data["stages"]["2"]["pass_hat"]["2"].keys() == {"value", "low", "high"}
    assert data["stages"]["2"]["metrics"]["success"] == {"value": 0.5, "low": 0.150039, "high": 0.849961}
    assert "office" not in data["stages"]["2"]


def test_a_run_folder_is_measured(tmp_path: Path) -> None:
    run = [*graphs(), *halves(4)]
    found = load_report(write_run(tmp_path / "run", run))
    assert found == make_report(config(run), run, {(one["task_id"], 0): Times(1.0) for one in run})


def test_runs_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    good, mute = halves(), halves(error_counts={"type": 2})
    for one, other in zip(good, mute, strict=True):
        one |= {"success": True, "score": 1.0}
        other |= {"success": False, "score": 0.0}
    reports = [report(good, "good"), report(halves(), "half"), report(mute, "mute")]
    assert max(map(len, compare(reports).splitlines())) <= 80
    monkeypatch.setenv("COLUMNS", "400")
    scores, errors = compare(reports).split("\n\n")
    assert "0.500 [" in scores.splitlines()[3]
    # Kinds of error that do not occur get no column, except those of the paper.
    assert errors.split("\n")[0].split() == ["errors", "n", "blank", "validation", "type"]
    assert errors.splitlines()[-1].split()[:2] == ["mute", "12"] and errors.endswith("100 % [76, 100] %")
    assert "unknown tool" in compare([report(halves(error_counts={"unknown_tool": 1}))])


def test_both_stages_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    both = [*graphs(), *halves(4)]
    tables = compare([report(both, "one"), report(both, "two")]).split("\n\n")
    assert [table.partition("  ")[0] for table in tables] == ["stage 2, execution", "errors", "stage 1, graph"]


def test_runs_over_different_tasks_do_not_compare() -> None:
    with pytest.raises(OptionError, match="task_ids differs"):
        compare([report(halves(3)), report(halves(4))])
    other = report(halves(3))
    other.config["parts"][0]["frozen_sha256"] = "of other data"
    with pytest.raises(OptionError, match="frozen_sha256 differs"):
        compare([report(halves(3)), other])
    with pytest.raises(OptionError, match="env differs"):
        compare([report(halves(3)), report(graphs())])
    with pytest.raises(OptionError, match="at least one"):
        compare([])


def test_cells() -> None:
    def shown(name: str, *values: float | None) -> str:
        return cell_text(column(name), Metric(*values))

    assert shown("score", 0.4321, 0.38, 0.4849) == "0.432 [0.380, 0.485]"
    assert shown("error_type", 0.125, 0.05, 0.2) == "12 % [5, 20] %"
    assert shown("steps", 12.34, 1, 20) == "12.3 [1.0, 20.0]"
    assert shown("cost_usd", 0.01234) == "0.0123"
    assert shown("score", None) == cell_text(column("score"), None) == "–"
