"""Training on several scenarios, some left out: the tasks that are drawn, and the evaluation of the others."""

import json
from collections import Counter
from pathlib import Path

import pytest

import tests.tiny
from teller_gym.training.demonstrations.expert import Wanted, collect, read
from teller_gym.training.tasks.difficulty_band import Band
from teller_gym.training.tasks.mixture import Mixture
from tests.proof import stub
from tests.training.small import run

NEW, OTHER = stub.NAME, "delays"
assert tests.tiny.__name__
WEIGHTS = {"loans": 1, NEW: 1, OTHER: 2}
OPTIONS = {"weights": WEIGHTS, "without": NEW}


def test_the_mixture_of_an_env_and_its_draws() -> None:
    assert Mixture.of("Teller-Loans-v0", {}) == Mixture({"loans": 1.0})
    mixture = Mixture.of("Teller-Bank-v0", OPTIONS)
    assert mixture == Mixture({"loans": 1.0, OTHER: 2.0}, (NEW,))
    assert mixture.evaluated == (OTHER, "loans", NEW)
    drawn = [mixture.scenario(seed) for seed in range(600)]
    assert abs(Counter(drawn)["loans"] - 200) < 40 and set(drawn) == {"loans", OTHER}
    assert drawn == [mixture.scenario(seed) for seed in range(600)]
    assert {Mixture({"loans": 1.0}).generated(Band(), seed) for seed in (3, 4)} == {"loans-g-3", "loans-g-4"}
    assert mixture.generated(Band(), 5) in ("loans-g-5", f"{OTHER}-g-5")


def test_expert_data_are_only_of_the_seen_scenarios(tmp_path: Path) -> None:
    path = tmp_path / "expert.jsonl"
    collect(path, Wanted("Teller-Bank-v0", OPTIONS, shortcuts=0.3, after=4), 24)
    found = Counter(trajectory.scenario for trajectory in read(path))
    assert set(found) == {"loans", OTHER} and found.total() == 24


@pytest.mark.training
def test_a_run_that_leaves_a_scenario_out(tmp_path: Path) -> None:
    weights = ", ".join(f"{name}: {weight}" for name, weight in WEIGHTS.items())
    words = ["env=bank", f"env.weights={{{weights}}}", f"env.without={NEW}", "difficulty=null"]
    assert run(tmp_path / "run", *words, "method.grpo.steps=1", "evaluation.trials=1") == 0
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["tasks"] == 6  # two of each scenario, the unseen one included
    for name in ("expert", "untrained", "sft", "grpo"):
        transfer = result["reports"][name]["stages"]["2"]["transfer"]
        assert transfer["left_out"] == [NEW]
        assert transfer["figures"].keys() == {"seen", "unseen", "difference"}
    played = [json.loads(line) for line in (tmp_path / "run" / "grpo" / "transcripts.jsonl").read_text().splitlines()]
    assert {row["task_id"].partition("-g-")[0] for row in played} <= {"loans", OTHER}
    assert f"unseen ({NEW})" in (tmp_path / "run" / "table.txt").read_text()
