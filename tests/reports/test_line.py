"""Runs as rows for a leaderboard."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from teller_gym.cli import main
from teller_gym.evaluation.records.episode import Status
from tests.evaluation.samples import write_run
from tests.reports.made import ODD, agent, executions, graphs


def lines(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["report", *words, "--line"]) == 0
    return capsys.readouterr().out.splitlines()


def test_a_row_has_id_split_version_and_checksum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", [*executions(), *graphs()], agent=agent(ODD), teller_gym="1.2.3")
    two, one = map(json.loads, lines(capsys, str(run)))
    assert (two["id"], two["agent"], two["split"], two["stage"]) == ("Teller-Loans-v0", ODD, "heldout", 2)
    assert (two["tasks"], two["episodes"], two["invalid"], two["teller_gym"]) == (6, 6, 0, "1.2.3")
    assert two["frozen_sha256"] == "0" * 64
    assert two["metrics"]["success"]["value"] == 0.5
    assert two["metrics"]["success"]["low"] == pytest.approx(0.1876, abs=1e-3)
    assert "invalid_as_failures" not in two
    assert (one["id"], one["stage"], list(one["metrics"])) == ("Teller-LoansGraph-v0", 1, ["score", "exact"])
    assert not (run / "report").exists()


def test_a_row_has_both_readings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    episodes = executions(good=3, count=4)
    episodes[3]["status"] = Status.INVALID
    run = write_run(tmp_path / "run", episodes)
    (row,) = map(json.loads, lines(capsys, str(run)))
    assert (row["metrics"]["success"]["value"], row["invalid_as_failures"]["success"]["value"]) == (1.0, 0.75)


def test_several_scenarios_have_one_checksum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [write_run(tmp_path / name, [*executions(), *executions("errands")]) for name in ("a", "b")]
    first, second = map(json.loads, lines(capsys, *map(str, runs)))
    assert first["id"] == "Teller-Loans-v0+Teller-Errands-v0"
    assert len(first["frozen_sha256"]) == 64 and first["frozen_sha256"] == second["frozen_sha256"] != "0" * 64
