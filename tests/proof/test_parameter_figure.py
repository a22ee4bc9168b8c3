"""The figure of parameter counts: it counts every tool once, and draws the same file for the same counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof.parameter_figure import draw, main, parameter_counts
from teller_gym.tools.tool import Category
from teller_gym.variation.pool import distractors


def test_every_tool_is_counted_once() -> None:
    counts = parameter_counts()
    assert sum(map(len, counts.values())) >= len(distractors()) + len(load_scenario("loans").tools)
    assert len(counts[Category.FINANCIAL_DISTRACTOR]) == 45
    assert len(counts[Category.GENERAL_DISTRACTOR]) == 198
    longest = max(distractors(), key=lambda tool: len(tool.parameters))
    assert counts[longest.category][-1] == len(longest.parameters)


def test_the_command_draws_and_prints_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path / "new" / "figure.png")])
    printed = json.loads(capsys.readouterr().out)
    assert sum(printed["financial_distractor"].values()) == 45
    assert (tmp_path / "new" / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_equal_counts_give_equal_files_and_others_do_not(tmp_path: Path) -> None:
    counts = dict(zip(parameter_counts(), ([1, 7], [2], [], [3, 3, 9]), strict=True))
    one, again = (draw(counts, tmp_path / name).read_bytes() for name in ("one.png", "again.png"))
    other = draw(counts | {Category.CORE: [1, 8]}, tmp_path / "other.png").read_bytes()
    assert one == again != other
