"""A run folder logs into one group of W&B, and each phase into one run, also after a cut."""

import json
import shutil
from pathlib import Path

import pytest

from teller_gym.training.config.run import load
from teller_gym.training.run_folder.metrics_log import finish_wandb
from teller_gym.training.run_records.settings_lock import claim
from teller_gym.training.run_records.wandb_runs import RUNS_FILE, begin_run, runs_of

wandb = pytest.importorskip("wandb")


def test_names_are_made_up_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
    found = runs_of(one, 3)
    assert found == runs_of(one, 3) == json.loads((one / RUNS_FILE).read_text())
    assert found["group"].startswith("one-seed3-") and set(found["runs"]) == {"sft", "rejection", "corrections", "grpo"}
    names = [*found["runs"].values(), *runs_of(other, 3)["runs"].values()]
    assert len(set(names)) == 8
    (one / RUNS_FILE).write_text('{"group": "one"')
    assert runs_of(one, 3)["group"] != found["group"]
    assert "is damaged; kept as wandb.json.damaged" in capsys.readouterr().err


def test_a_phase_that_begins_anew_with_other_settings_is_another_run(tmp_path: Path) -> None:
    plain = load("demo", [])[1]
    claim(tmp_path, plain)
    before = runs_of(tmp_path, 0)
    (tmp_path / "grpo" / "trainer").mkdir(parents=True)
    claim(tmp_path, load("demo", ["method.grpo.steps=9"])[1])
    after = runs_of(tmp_path, 0)
    assert after["group"] == before["group"] and after["runs"]["sft"] == before["runs"]["sft"]
    assert after["runs"]["grpo"] != before["runs"]["grpo"]


def test_a_phase_that_goes_on_logs_into_its_run(tmp_path: Path) -> None:
    """Offline: each call leaves a folder of its own with the same id, which `wandb sync` uploads as one run."""
    config = load("demo", ["logger.wandb=offline", "logger.project=ours"])[0]
    seen = []
    for phase in ("data", "sft", "sft", "grpo"):
        begin_run(tmp_path, config.logger, config.seed, phase)
        if phase == "data":
            assert wandb.run is None
            continue
        seen.append((wandb.run.name, wandb.run.id, wandb.run.group, wandb.run.project, Path(wandb.run.dir).parent))
        wandb.log({"loss": 1.0})
        finish_wandb()
        # Folders are named by the second, so the next call might get the same one.
        shutil.move(seen[-1][-1], tmp_path / f"call-{len(seen)}")
    runs = runs_of(tmp_path, config.seed)
    assert [one[:4] for one in seen] == [
        (phase, runs["runs"][phase], runs["group"], "ours") for phase in ("sft", "sft", "grpo")
    ]
    for number, one in enumerate(seen, start=1):
        assert one[-1].parent == tmp_path / "wandb"
        assert (tmp_path / f"call-{number}" / f"run-{one[1]}.wandb").stat().st_size > 0


def test_a_run_that_was_left_open_is_ended_first(tmp_path: Path) -> None:
    """The run of an earlier phase that failed in this process is not logged into."""
    config = load("demo", ["logger.wandb=offline", "logger.project=ours"])[0]
    left, own = tmp_path / "left", tmp_path / "own"
    for folder in (left, own):
        folder.mkdir()
        begin_run(folder, config.logger, config.seed, "sft")
    assert wandb.run.id == runs_of(own, config.seed)["runs"]["sft"]
    assert Path(wandb.run.dir).parents[2] == own
    finish_wandb()
    assert wandb.run is None


def test_other_processes_and_a_logger_that_is_off_begin_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_run(tmp_path, load("demo", ["logger=none"])[0].logger, 0, "sft")
    monkeypatch.setenv("RANK", "1")
    begin_run(tmp_path, load("demo", ["logger=wandb_offline"])[0].logger, 0, "sft")
    assert wandb.run is None and not list(tmp_path.iterdir())
