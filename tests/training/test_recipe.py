"""The whole recipe on Loans in miniature: what it leaves, what it skips, what it refuses."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from teller_gym.cli import main
from teller_gym.tasks.store import load_tasks
from teller_gym.training.config.run import load
from teller_gym.training.phases.sft_phase import SftPhase
from teller_gym.training.recipe import Recipe
from teller_gym.training.run_folder.metrics_log import MetricsLog
from tests.training.small import copied, run

pytestmark = pytest.mark.training


def test_a_run_leaves_everything(finished: Path) -> None:
    for name in ("config.json", "versions.json", "metrics.jsonl", "result.json", "table.txt", "data/expert.jsonl"):
        assert (finished / name).stat().st_size > 0
    assert (finished / "curve.png").read_bytes()[:4] == b"\x89PNG"
    for phase in ("untrained", "sft", "grpo"):
        checkpoint = finished / phase / "checkpoint"
        assert {"config.json", "model.safetensors", "tokenizer.json", "chat_template.jinja"} <= {
            file.name for file in checkpoint.iterdir()
        }
        assert json.loads((checkpoint / "config.json").read_text())["teller_gym_prompt"] == "minimal"
        assert (finished / phase / "evaluation" / "episodes.jsonl").exists()
    result = json.loads((finished / "result.json").read_text())
    assert set(result["reports"]) == {"expert", "untrained", "sft", "grpo"}
    assert result["reports"]["expert"]["stages"]["2"]["metrics"]["score"]["value"] == 1
    assert result["tasks"] == 2 and result["split"] == "heldout"
    assert result["checkpoint"].endswith("grpo/checkpoint")
    phases = [row["phase"] for row in MetricsLog(finished / "metrics.jsonl").rows()]
    assert phases.count("grpo") == 3 and "sft" in phases


def test_a_finished_run_is_not_repeated_nor_replaced(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished.rglob("*.safetensors")}
    assert run(finished) == 0
    assert before == {path: path.stat().st_mtime_ns for path in finished.rglob("*.safetensors")}
    told = capsys.readouterr()
    assert told.err.count("done before, skipped") == 8
    [last] = [line for line in told.out.rstrip().splitlines()[-3:] if line.startswith("NOTHING")]
    assert last.startswith(
        "NOTHING WAS LEARNED: over 2 tasks of split heldout with difficulty 0 to 0.45, each 4 times,"
    )
    assert "0.000 after sft, 0.000 after grpo" in last
    assert "tool precision" not in told.out
    assert (finished / "table.txt").read_text().startswith("NOTHING WAS LEARNED")
    assert run(finished, "seed=1") == 2
    assert "other settings in seed" in capsys.readouterr().err


def test_a_run_goes_on_where_it_was_cut_off(finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The data, whose head still exists, are made again."""
    folder = copied(finished, tmp_path / "two", "grpo", "result.json", "data/expert.jsonl")
    assert run(folder) == 0
    told = capsys.readouterr().err
    assert "data: done in" in told and "sft: done before" in told and "grpo: done in" in told
    metrics = [
        json.loads((one / "result.json").read_text())["reports"]["grpo"]["stages"]["2"]["metrics"]
        for one in (finished, folder)
    ]
    assert metrics[0] == metrics[1]
    data = [(one / "data" / "expert.jsonl").read_bytes() for one in (finished, folder)]
    assert data[0] == data[1]


def test_sft_is_evaluated_before_grpo_begins(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = copied(finished, tmp_path / "four", "grpo", "sft/evaluation")

    def fail(*_: object) -> None:
        raise RuntimeError("no memory left")

    monkeypatch.setattr("teller_gym.training.phases.grpo.train_grpo", fail)
    with pytest.raises(RuntimeError, match="no memory left"):
        run(folder)
    assert (folder / "sft" / "evaluation" / "report.json").exists()


def test_other_tasks_of_evaluation_are_no_other_run(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(finished, tmp_path / "five")
    assert run(folder, "evaluation.n=3") == 2
    told = capsys.readouterr().err
    assert "references/expert has 2 tasks of split heldout, each 4 times; remove it to evaluate on 3 tasks" in told
    for path in (folder / "references", *folder.glob("*/evaluation")):
        shutil.rmtree(path)
    assert run(folder, "evaluation.n=3") == 0
    assert "3 tasks of split heldout" in capsys.readouterr().out
    # An evaluation with another temperature and other trials is refused, too.
    assert run(folder, "evaluation.n=3", "evaluation.temperature=0.7", "evaluation.trials=2") == 2
    told = capsys.readouterr().err
    assert "remove it to evaluate on 3 tasks of split heldout, each 2 times" in told


def test_data_on_disk_are_compared_with_the_evaluation_splits_again(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = copied(finished, tmp_path / "six", "sft")
    path = folder / "data" / "expert.jsonl"
    first, *others = path.read_text().splitlines()
    secret = json.loads(first) | {"fingerprint": load_tasks("loans", "heldout")[0].fingerprint}
    path.write_text("\n".join([json.dumps(secret), *others]) + "\n")
    head = path.with_suffix(".head.json")
    changed = json.loads(head.read_text()) | {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    head.write_text(json.dumps(changed))
    assert run(folder) == 1
    told = capsys.readouterr().err.splitlines()[-1]
    assert told.startswith(f"teller-gym: {path}, line 1: task ") and "it must not be trained on; " in told
    assert "with another seed. Remove that file and run the same command: the data are made again" in told


def test_each_phase_ends_its_run_of_the_logger(tmp_path: Path) -> None:
    wandb = pytest.importorskip("wandb")
    config, plain = load("demo", [f"run_dir={tmp_path}"])
    Recipe(config, plain)._phase(SftPhase(), lambda: wandb.init(mode="disabled"))
    assert wandb.run is None


@pytest.mark.parametrize(("template", "told"), [("{{ messages }}", "TRL knows"), (None, "no chat template")])
def test_a_model_that_cannot_be_trained_is_told_before_the_data_are_made(
    finished: Path, tmp_path: Path, template: str | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tokenizer = AutoTokenizer.from_pretrained(finished / "untrained" / "checkpoint")
    tokenizer.chat_template = template
    tokenizer.save_pretrained(tmp_path / "model")
    assert run(tmp_path / "run", f"model.name={tmp_path / 'model'}") == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "run" / "data").exists()


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("method.grpo.stepps=7", "stepps"),
        ("env.id=Teller-Nowhere-v0", "Teller-Nowhere"),
        ("env.colour=red", "colour"),
        ("env.sop=long", "abstract"),
        ("evaluation.n=51", "tasks with difficulty 0 to 0.45; got 51"),
        ("hardware.device=cuda", "torch sees no GPU"),
        ("run_dir=/dev/null/runs", "can be made"),
    ],
)
def test_what_the_machine_cannot_do_is_told_at_once(
    tmp_path: Path, setting: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "cuda" in setting and torch.cuda.is_available():
        pytest.skip("this machine has a GPU")
    assert main(["train", "--config-name", "demo", f"run_dir={tmp_path / 'new'}", setting, "logger=none"]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "new" / "data").exists()
