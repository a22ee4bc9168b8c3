"""`teller-gym regrade`: exit codes, JSON for programs, one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from teller_gym.cli import main
from teller_gym.evaluation import evaluate


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("runs") / "expert"
    evaluate("expert", "Teller-Loans-v0", "validation", n=2, run_dir=folder, progress=False)
    return str(folder)


def test_a_run_that_did_not_change(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["regrade", run]) == 0
    out, err = capsys.readouterr()
    assert "2 episodes played again: 2 as before, 0 changed" in out
    assert err == ""


def test_a_run_that_changed(run: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    new = tmp_path / "new"
    assert main(["regrade", run, "env.max_steps=2", "--out", str(new)]) == 1
    out, err = capsys.readouterr()
    assert "ends at step 2 now" in out
    assert f"are in {new}" in err
    assert main(["regrade", str(new)]) == 0
    assert main(["regrade", run, "env.max_steps=2", "--json"]) == 1
    found = json.loads(capsys.readouterr().out.partition("\n{")[2].join(("{", "")))
    assert found["changed"] is True
    assert [episode["changed"] for episode in found["episodes"]] == [True, True]
    assert found["metrics"]["stage2"]["accuracy"] == {"then": 1.0, "now": 0.0}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["{run}/none"], "is no run folder"),
        (["{run}", "env.rewrd=sparse"], "env.rewrd: expected one of sop, distractors, reward, "),
        (["{run}", "env.rewrd=sparse"], "did you mean 'reward'?"),
        (["{run}", "env.sop=explict"], "cannot be made with sop='explict': sop: expected one of abstract, explicit"),
        (["{run}", "graph.distractors=0"], "nothing of stage 1 was played"),
        (["{run}", "foo"], "such as env.reward=sparse, got 'foo'"),
        (["{run}", "env.split=train"], "a run's tasks are what they are"),
        (["{run}", "--out", "{run}"], "holds a run already"),
        (["{run}", "sop=explicit"], "is no setting"),
    ],
)
def test_mistakes_are_told_in_a_line(
    run: str, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["regrade", *(argument.format(run=run) for argument in arguments)]) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert (out, err.count("\n")) == ("", 1)
