"""The table in the page on planning is what the command prints; measured figures are never mixed with planned ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from teller_gym.training.launch.table import BEGIN, END, markdown, measured, rows

REPO = Path(__file__).resolve().parents[3]


@pytest.mark.slow
def test_the_page_has_what_the_command_prints() -> None:
    text = (REPO / "docs" / "train" / "plan.md").read_text("utf-8")
    assert text.partition(BEGIN)[2].partition(END)[0].strip() == markdown().strip()


def test_a_measured_recipe_says_so() -> None:
    run = {"gib": "20 / 33 / 21", "hours": 12.0, "source": "docs/train/plan.md"}
    head, row = rows({"l20_1/qwen3_0_6b": run}, ["qwen3_0_6b"], ["l20_1", "l20_8"])
    assert head[4:] == ["`l20_1`", "`l20_8`"]
    assert row[4] == "20 / 33 / 21 GiB, 12 h, [measured](plan.md)"
    assert row[5].endswith(", planned")


def test_sources_of_measured_figures_exist() -> None:
    assert all((REPO / run["source"]).exists() for run in measured().values())
