"""Names of agents that no file can hold are reported before anything is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.evaluation import evaluate


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


class Named:
    """Says one word."""

    def __init__(self, name: str) -> None:
        self.name = name

    def reset(self) -> None: ...

    def act(self, obs: Any, info: Any) -> str:
        return "Done."


@pytest.mark.parametrize("name", ["qw\ud800en", "\udcff", "x" * 201])
def test_a_name_that_cannot_be_written_is_told(name: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with pytest.raises(OptionError, match="the agent's name: expected") as told:
        evaluate(Named(name), "Teller-Loans-v0", n=1, run_dir=run, progress=False)
    assert len(str(told.value).encode()) < 1_500
    assert not run.exists()


def test_a_player_by_hand_likewise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    assert main(["play", "loans", "--record", str(run), "--name", "\udcff"]) != 0
    assert "the agent's name" in capsys.readouterr().err
    assert not run.exists()


def test_any_other_name_is_written(tmp_path: Path) -> None:
    report = evaluate(Named("Ünï 模型 😀" + "x" * 100), "Teller-Loans-v0", n=1, run_dir=tmp_path, progress=False)
    assert report.counted == 1
