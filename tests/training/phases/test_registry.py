"""A training method is one class in `PHASES`: the recipe, lock, outcome, W&B and plan take it from there."""

import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import Config, load
from teller_gym.training.launch.fit import plan
from teller_gym.training.models.load import load_model
from teller_gym.training.phases import registry
from teller_gym.training.phases.phase import Run, TrainedPhase
from teller_gym.training.phases.rounds_phase import RoundsPhase
from teller_gym.training.plan.model import PlannedPhase
from teller_gym.training.plan.planner import Planner
from teller_gym.training.run_records.settings_lock import claim, different
from teller_gym.training.run_records.wandb_runs import runs_of
from teller_gym.training.tasks.seeds import ROUND_BLOCKS
from tests.training.small import run


class ShiftPhase(TrainedPhase):
    """Adds a constant to the model's final norm; its number of steps is the evaluation's concurrency."""

    name = "shift"
    made_with = ("evaluation.concurrency",)

    def steps(self, config: Config) -> int:
        return config.evaluation.concurrency

    def train(self, run: Run) -> tuple[Any, Any]:
        assert run.before is not None
        model, tokenizer = load_model(run.before, run.config)
        model.model.norm.weight.data += 1.0
        return model, tokenizer

    def plan(self, planner: Planner) -> list[PlannedPhase]:
        return [planner.evaluation(self.name)]


@pytest.fixture(autouse=True)
def with_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PHASES", (*registry.PHASES, ShiftPhase()))


@pytest.mark.training
def test_a_new_phase_trains_and_is_evaluated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, less = tmp_path / "run", ("method.grpo.steps=0", "method.sft.trajectories=0", "evaluation.untrained=false")
    assert run(folder, *less) == 0
    result = json.loads((folder / "result.json").read_text())
    assert result["checkpoint"] == str(folder / "shift" / "checkpoint")
    assert list(result["reports"]) == ["expert", "shift"]
    config = load("demo", [])[0]
    before, after = (
        load_model(folder / name / "checkpoint", config)[0].model.norm.weight for name in ("untrained", "shift")
    )
    assert (after - before).mean().item() == pytest.approx(1.0, abs=1e-5)
    capsys.readouterr()
    assert run(folder, *less) == 0
    assert f"shift: done before, skipped ({folder / 'shift' / 'checkpoint'})" in capsys.readouterr().err
    assert run(folder, *less, "evaluation.concurrency=7") == 2
    assert "other settings in evaluation.concurrency" in capsys.readouterr().err


def test_a_new_phase_is_planned_locked_and_logged(tmp_path: Path) -> None:
    config, plain = load("demo", [f"run_dir={tmp_path}"])
    assert plan(config).phases[-1].name == "shift evaluation"
    assert "shift" in runs_of(tmp_path, 0)["runs"]
    other = load("demo", [f"run_dir={tmp_path}", "evaluation.concurrency=3"])[1]
    assert different("shift", plain, other) == ["evaluation.concurrency"] and different("grpo", plain, other) == []
    claim(tmp_path, plain)
    ShiftPhase().proof(tmp_path).mkdir(parents=True)
    with pytest.raises(OptionError, match=r"other settings in evaluation\.concurrency, of which shift came"):
        claim(tmp_path, other)


def test_methods_of_rounds_have_tasks_of_their_own() -> None:
    methods = [phase.method() for phase in registry.PHASES if isinstance(phase, RoundsPhase)]
    assert [method.name for method in methods] == ["rejection", "corrections"]
    found = list(chain.from_iterable(method.seed_blocks for method in methods))
    assert len(set(found)) == len(found) and set(found) <= set(ROUND_BLOCKS)
