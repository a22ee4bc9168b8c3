"""The figure of kinds of work: it counts every frozen instance once, and draws the same file for the same counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from teller_gym.proof.subtask_figure import draw, main, subtask_counts
from teller_gym.registration import OWN

SIZES = {"loans": 214, "accounts": 214, "credit_cards": 221, "savings": 200, "investments": 184}


def test_every_instance_is_counted_once() -> None:
    counts = subtask_counts()
    assert list(counts) == [entry.name for entry in OWN]
    assert {name: sum(kinds.values()) for name, kinds in counts.items()} == SIZES
    assert all(3 <= len(kinds) <= 6 and min(kinds.values()) >= 20 for kinds in counts.values())


def test_the_command_draws_and_prints_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path / "new" / "figure.png")])
    assert json.loads(capsys.readouterr().out) == subtask_counts()
    assert (tmp_path / "new" / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_equal_counts_give_equal_files_and_others_do_not(tmp_path: Path) -> None:
    counts = {"one": {"long_name": 30, "other": 12}, "two": {"single": 7}}
    one, again = (draw(counts, tmp_path / name).read_bytes() for name in ("one.png", "again.png"))
    other = draw(counts | {"two": {"single": 8}}, tmp_path / "other.png").read_bytes()
    assert one == again != other
