"""Two runs side by side in a browser."""

from __future__ import annotations

import json

import pytest

from teller_gym.evaluation.records.episode import Episode
from tests.viewer.browsing import Pages, valid

pytestmark = pytest.mark.browser

ESCAPE = "\ue00c"


def test_two_runs_are_compared_and_their_first_divergence_is_found(
    filed: Pages, records: dict[str, list[Episode]]
) -> None:
    expert = {one["task_id"]: one for one in records["expert"]}
    filed.open()
    filed.click("#to-compare")
    filed.heading("Two runs")
    filed.choose("#run-a", "expert")
    filed.until(lambda: filed.state().get("a") == "expert")
    filed.until(lambda: len(filed.all("td.c-task")) == len(expert))
    filed.choose("#run-b", "careless")
    filed.choose("#show", "second is worse")
    worse = [
        one
        for one in valid(records["careless"])
        if one["trial"] == 0 and one["score"] < expert[one["task_id"]]["score"]
    ]
    filed.until(lambda: len(filed.all("td.c-task")) == len(worse))
    filed.choose("#order", "largest loss first")
    worst = min(worse, key=lambda one: one["score"] - expert[one["task_id"]]["score"])
    filed.until(lambda: filed.texts("td.c-task")[0] == worst["task_id"])
    filed.click("td.c-task a")
    filed.heading(worst["task_id"])
    own = [turn["action"] for turn in expert[worst["task_id"]]["trace"]]
    equal = 0
    for turn, action in zip(worst["trace"], own, strict=False):
        if not turn["action"].startswith("{") or turn["error"] or json.loads(turn["action"]) != json.loads(action):
            break
        equal += 1
    rows = filed.js("return [...document.querySelectorAll('.pair-row')].map((row) => row.className.trim().split(' '))")
    assert [row[1] for row in rows[:equal]] == ["same"] * equal
    assert [place for place, row in enumerate(rows) if "first" in row] == [equal]
    assert filed.texts("article[id^='left'] .n") == [str(n) for n in range(1, len(own) + 1)]
    assert filed.texts("article[id^='right'] .n") == [str(n) for n in range(1, worst["steps"] + 1)]
    filed.click("#to-divergence")
    assert filed.js("return document.activeElement.id") == "divergence"
    if len(worse) > 1:
        filed.press("j")
        filed.until(lambda: filed.texts(".position") == [f"2 of {len(worse)}"])
    filed.press(ESCAPE)
    filed.heading("Two runs")


def test_two_trials_of_a_task_can_be_compared(filed: Pages, records: dict[str, list[Episode]]) -> None:
    task = records["careless"][0]["task_id"]
    filed.open(view="episode", e=f"careless/{task}/0")
    options = filed.texts(".bar select option")
    filed.choose(".bar select", next(text for text in options if text.startswith("careless · trial 1")))
    filed.until(lambda: filed.all(".pair-row"))
    assert filed.state()["with"] == f"careless/{task}/1"
