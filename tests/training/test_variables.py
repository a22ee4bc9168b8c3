"""Settings read from environment variables are used but never shown, in files or messages."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.configuration.variables import naming_variables
from teller_gym.training.config.run import load
from teller_gym.training.run_records.settings_lock import checks_of, claim
from tests.training.small import run

SECRET, SHORT = "hunter2-secret-model-0123", "pin42"
WRITTEN = "${oc.env:SECRET_OF_TEST}"
LEAST = [
    "model.shape.tokenizer_texts=12",
    "method.grpo.steps=0", "method.sft.trajectories=2", "method.sft.drill_trajectories=0", "evaluation.references=[]",
    "evaluation.n=1", "evaluation.untrained=false",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_TEST", SECRET)
    monkeypatch.setenv("SHORT_OF_TEST", SHORT)


def expect_hidden(*told: str) -> None:
    for one in told:
        assert SECRET not in one and SHORT not in one


@pytest.mark.training
def test_no_file_of_a_run_holds_it(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Include adapters and W&B, whose libraries save a model's name and their own settings."""
    pytest.importorskip("wandb")
    monkeypatch.setenv("SECRET_OF_TEST", str(shutil.copytree(finished / "untrained" / "checkpoint", tmp_path / SECRET)))
    phases = ["method.grpo.steps=1", "method.grpo.save_steps=1", "method.sft.save_steps=1", "logger=wandb_offline"]
    words = [*LEAST, f"model.name={WRITTEN}", "model.lora.rank=2", *phases]
    folder = tmp_path / "run"
    assert run(folder, *words) == 0
    files = [file for file in folder.rglob("*") if file.is_file()]
    names = {file.name for file in files}
    assert {"adapter_config.json", "training_args.bin", "transcripts.jsonl", "result.json", "run.json"} <= names
    assert any(name.endswith(".wandb") for name in names)
    assert [str(file) for file in files if SECRET.encode() in file.read_bytes()] == []
    kept = json.loads((folder / "config.json").read_text())
    assert kept["model"]["name"] == WRITTEN and len(kept["checks"]["model.name"]) == 4
    monkeypatch.setenv("SECRET_OF_TEST", "another/model")
    assert run(folder, *words) == 2
    out, err = capfd.readouterr()
    assert "model.name (its variable held something else)" in err
    expect_hidden(out, err)


@pytest.mark.parametrize("name", ["model.name", "env.sop"])
def test_a_changed_value_is_another_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def begin(value: str, *more: str) -> dict[str, Any]:
        monkeypatch.setenv("SECRET_OF_TEST", value)
        config, plain = load("demo", [f"{name}={WRITTEN}", *more])
        claim(tmp_path, plain, checks_of(config.model_dump(mode="json"), plain))
        kept: dict[str, Any] = json.loads((tmp_path / "config.json").read_text())
        return kept

    assert [*begin("explicit")["checks"]] == [name]
    (tmp_path / "sft" / "checkpoint").mkdir(parents=True)
    begin("explicit")
    begin("explicit", "logger.project=${oc.env:SHORT_OF_TEST}", "logger=none")  # which may change
    with pytest.raises(OptionError, match=rf"other settings in {name} \(its variable held something else\)"):
        begin("abstract")


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_show_names_it(more: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    words = [f"model.name={WRITTEN}", "run_dir=runs/${oc.env:SHORT_OF_TEST}"]
    assert main(["train", "--config-name", "demo", *words, "--show", *more]) == 0
    out, err = capfd.readouterr()
    expect_hidden(out, err)
    assert WRITTEN in out and "runs/${oc.env:SHORT_OF_TEST}" in out


@pytest.mark.parametrize("setting", [
    "seed", "env", "env.sop", "env.nothing", "model.name", "model.prompt", "model.shape.hidden", "model.lora.rank",
    "method.sft.optimizer", "method.sft.curriculum", "method.grpo.steps", "hardware.device", "logger.wandb",
    "logger.project", "evaluation.split", "evaluation.references", "difficulty", "nothing",
])  # fmt: skip
def test_no_complaint_shows_it(setting: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    logger = [] if setting == "logger.project" else ["logger=none"]
    for name in ("SECRET_OF_TEST", "SHORT_OF_TEST"):
        words = [f"run_dir={tmp_path / 'run'}", *logger, f"{setting}=${{oc.env:{name}}}"]
        assert main(["train", "--config-name", "demo", *words]) == 2
        out, err = capfd.readouterr()
        expect_hidden(out, err)
        assert "teller-gym:" in err


def test_a_traceback_names_it_too() -> None:
    """A traceback also prints the cause of an error, whose file name is not among its arguments."""
    with pytest.raises(RuntimeError) as caught, naming_variables({"SECRET_OF_TEST": SECRET}):
        try:
            Path(f"/nowhere/{SECRET}").read_text()
        except OSError as error:
            raise RuntimeError(f"cannot load {SECRET}") from error
    expect_hidden(str(caught.value), str(caught.value.__cause__))
    assert str(caught.value.__cause__).endswith(f"'/nowhere/{WRITTEN}'")
    with pytest.raises(OSError, match=r"^full$"), naming_variables({"SECRET_OF_TEST": SECRET}):
        raise OSError("full")
