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
