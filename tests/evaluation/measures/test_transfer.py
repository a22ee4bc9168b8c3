"""Transfer to a scenario that was left out of training, compared with the other scenarios."""

import json
from pathlib import Path
from typing import Any

import pytest

import tests.tiny
from teller_gym.cli import main
from teller_gym.evaluation import evaluate, load_report
from teller_gym.evaluation.measures.stage_report import measure_stage
from teller_gym.evaluation.measures.transfer import DIFFERENCE, SEEN, UNSEEN, Transfer, measure_transfer
from teller_gym.evaluation.records.episode import Episode
from teller_gym.reports import figures
from tests.evaluation.samples import episode

NEW = "delays"
assert tests.tiny.__name__


def episodes(**scores: list[float]) -> list[Episode]:
    """Return one episode for each score, given by scenario."""
    return [
        episode(task_id=f"{scenario}-{number}", scenario=scenario, score=score, success=score == 1)
        for scenario, found in scores.items()
        for number, score in enumerate(found)
    ]


def measured(found: list[Episode], *unseen: str, **options: Any) -> Transfer:
    transfer = measure_transfer(found, unseen, names=("score", "success"), **options)
    assert transfer is not None
    return transfer


def test_the_seen_scenarios_weigh_the_same() -> None:
    found = measured(episodes(a=[1, 1, 1, 1], b=[0.5, 0], c=[0.25, 0]), "c").figures
    assert found[SEEN]["score"].value == pytest.approx((1 + 0.25) / 2)
    assert found[UNSEEN]["score"].value == pytest.approx(0.125)
    assert found[DIFFERENCE]["score"].value == pytest.approx(0.125 - 0.625)
    assert found[DIFFERENCE]["success"].value == pytest.approx(-0.5)


def test_the_interval_of_the_difference_holds_it_and_hangs_on_both_sides() -> None:
    steady = episodes(a=[1.0] * 20, c=[0.0, 1.0] * 10)
    found = measured(steady, "c").figures
    assert found[SEEN]["score"].low == found[SEEN]["score"].high == 1
    difference, new = found[DIFFERENCE]["score"], found[UNSEEN]["score"]
    assert difference.low is not None and new.low is not None and difference.high is not None
    assert difference.low == pytest.approx(new.low - 1) and -1 < difference.low < -0.5 < difference.high < 0
    both = measured(episodes(a=[0.0, 1.0] * 10, c=[0.0, 1.0] * 10), "c").figures[DIFFERENCE]["score"]
    assert both.low is not None and both.high is not None
    # The two sides are resampled independently, so the interval is wider than with one varying side.
    assert both.high - both.low > 1.2 * (difference.high - difference.low)
    assert measured(steady, "c").figures == found
    assert measured(list(reversed(steady)), "c").figures == found


def test_without_draws_or_with_one_task_there_is_no_interval() -> None:
    for found in (
        measured(episodes(a=[1.0, 0], c=[0]), "c"),
        measured(episodes(a=[1.0, 0], c=[0, 1]), "c", resamples=0),
    ):
        assert found.figures[DIFFERENCE]["score"].value is not None
        assert found.figures[DIFFERENCE]["score"].low is None


@pytest.mark.parametrize("unseen", [(), ("z",), ("a", "c")])
def test_there_is_nothing_to_compare(unseen: tuple[str, ...]) -> None:
    assert measure_transfer(episodes(a=[1.0], c=[1.0]), unseen, names=("score",)) is None


def test_a_report_keeps_it() -> None:
    found = measure_stage(2, 4, episodes(a=[1.0, 0], c=[0, 1.0]), unseen=["c"])
    assert found.transfer is not None and found.transfer.left_out == ("c",)
    transfer = json.loads(json.dumps(found.to_dict()))["transfer"]
    assert transfer["left_out"] == ["c"] and transfer["figures"].keys() == {SEEN, UNSEEN, DIFFERENCE}
    assert "transfer" not in measure_stage(2, 2, episodes(a=[1.0, 0])).to_dict()


def test_an_evaluation_plays_the_scenario_that_is_left_out(tmp_path: Path) -> None:
    options = {"weights": {"loans": 1, NEW: 1}, "without": NEW}
    report = evaluate("expert", "Teller-Bank-v0", n=3, env_kwargs=options, run_dir=tmp_path / "run", progress=False)
    assert [(part["scenario"], part.get("unseen", False)) for part in report.config["parts"]] == [
        ("loans", False),
        (NEW, True),
    ]
    assert report.main.transfer is not None
    figures = report.main.transfer.figures
    assert [figures[kind]["score"].value for kind in (SEEN, UNSEEN, DIFFERENCE)] == [1, 1, 0]
    again = load_report(tmp_path / "run")
    assert again.main.transfer is not None
    assert again.main.transfer.left_out == (NEW,)


def test_the_command_prints_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FIGURES", {})  # drawing takes seconds
    words = ["env=bank", "env.weights={loans: 1, delays: 1}", f"env.without={NEW}", "agent=always_deny", "n=4"]
    assert main(["eval", *words, f"run_dir={tmp_path / 'run'}", "--quiet"]) == 0
    table = capsys.readouterr().out
    assert f"unseen ({NEW})" in table and "difference" in table
    assert main(["report", str(tmp_path / "run"), "--out", str(tmp_path / "report")]) == 0
