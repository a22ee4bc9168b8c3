"""A run in which nothing was learned says so, and prints no table."""

from types import SimpleNamespace
from typing import Any

import pytest

from teller_gym.cli import main
from teller_gym.training.run_records.outcome import learned, verdict


def reports(**scores: float | None) -> Any:
    """Return reports that have only a score."""
    return {name: SimpleNamespace(metrics={"score": SimpleNamespace(value=value)}) for name, value in scores.items()}


RULES = {"expert": 1.0, "random": 0.05, "skip_to_decision": 0.2, "untrained": 0.0}


@pytest.mark.parametrize(
    ("sft", "grpo", "expected"),
    [(0.0, 0.0, False), (0.2, 0.1, False), (0.21, 0.0, True), (0.1, 0.3, True), (None, None, False)],
)
def test_learned_is_more_than_who_has_learned_nothing(sft: float | None, grpo: float | None, expected: bool) -> None:
    found = reports(**RULES, sft=sft, grpo=grpo)
    assert learned(found) is expected
    said = verdict(found, "9 tasks", [])
    assert bool(said) is not expected
    if said:
        assert said[0].startswith("NOTHING WAS LEARNED: over 9 tasks, the score is")
        assert "skip_to_decision" in said[0] and "0.200" in said[0]


def test_updates_without_signal_are_told() -> None:
    found = reports(**RULES, sft=0.4, grpo=0.4)
    dead, alive = {"frac_reward_zero_std": 1.0}, {"frac_reward_zero_std": 0.5}
    [sentence] = verdict(found, "9 tasks", [dead, dead, {"phase_seconds": 3}])
    assert sentence.startswith("GRPO HAD NO SIGNAL")
    assert verdict(found, "9 tasks", [dead, alive]) == [] == verdict(found, "9 tasks", [])


def test_without_training_there_is_nothing_to_learn() -> None:
    assert learned(reports(**RULES)) and verdict(reports(**RULES), "9 tasks", []) == []


@pytest.mark.parametrize("known", [True, False])
def test_the_last_lines_of_a_run(
    known: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("trl", reason="the extra `train` is not installed")
    said = [] if known else ["NOTHING WAS LEARNED: the score is 0.000 after sft."]
    words = {"of": "19 tasks of split heldout", "table": "agent score", "curve": "c.png", "checkpoint": "x"}
    result = {**words, "learned": known, "verdict": said}
    monkeypatch.setattr("teller_gym.training.recipe.Recipe.__init__", lambda self, config, plain: None)
    monkeypatch.setattr("teller_gym.training.recipe.Recipe.run", lambda self: result)
    assert main(["train", "--config-name", "demo", "run_dir=unused"]) == 0
    told = capsys.readouterr().out
    assert ("agent score" in told) is known
    assert ("19 tasks of split heldout, 95 % intervals" in told) is known
    assert told.rstrip().splitlines()[-1] == (said[0] if said else "checkpoint: x")
