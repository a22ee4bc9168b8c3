"""Working days in a browser: their steps are shown, and where a graph would be is said why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.days.store import split_days
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.procedure.task import Split
from teller_gym.viewer import write_view
from tests.viewer.browsing import Pages

pytestmark = pytest.mark.browser


def test_a_day_is_shown(browser: Any, tmp_path: Path) -> None:
    shortest = min(split_days(Split.VALIDATION), key=lambda entry: entry.cases)
    run = tmp_path / "first_come"
    options: Any = {"task_ids": [shortest.id], "run_dir": run, "progress": False}
    teller_gym.evaluate("first_come", "Teller-Day-v0", "validation", **options)
    ((episode, *others),) = (load_run(run)[1],)
    assert not others and episode["scenario"] == "day"
    pages = Pages(browser, write_view([run], tmp_path / "view").as_uri())
    pages.complaints()
    pages.open()
    assert pages.texts("td.c-task a") == [shortest.id]
    pages.open(view="episode", e=f"first_come/{shortest.id}/0")
    pages.until(lambda: pages.all(".step"))
    assert len(pages.all(".step")) == len(episode["trace"]) > 10
    pages.open(view="episode", e=f"first_come/{shortest.id}/0", tab="graph")
    pages.until(lambda: pages.js("return document.body.innerText.includes('no graph of its own')"))
    assert pages.complaints() == []
