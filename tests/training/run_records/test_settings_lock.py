"""A run folder is bound to the settings of its finished phases, and to no others."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.training.config.run import load
from teller_gym.training.phases import data_phase
from teller_gym.training.recipe import Recipe
from teller_gym.training.run_records.settings_lock import claim, different, take_over

PROOFS = {
    "data": "data/expert.jsonl", "untrained": "untrained/checkpoint", "sft": "sft/checkpoint",
    "rejection": "rejection/checkpoint", "corrections": "corrections/checkpoint", "grpo": "grpo/checkpoint",
}  # fmt: skip

SETTINGS = {
    "seed": "data", "env.sop": "data", "difficulty": "data", "method.sft.trajectories": "data",
    "method.sft.working": "data",
    "model.shape.hidden": "untrained", "model.name": "untrained", "method.sft.learning_rate": "sft",
    "method.validation.n": "sft", "method.rejection.tasks": "rejection",
    "method.corrections.most": "corrections", "method.grpo.steps": "grpo",
}  # fmt: skip
"""The phase whose end binds each setting."""


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    return load("demo", [])[1]


def changed(plain: dict[str, Any], *settings: str) -> dict[str, Any]:
    other = copy.deepcopy(plain)
    for setting in settings:
        *path, last = setting.split(".")
        inner = other
        for key in path:
            inner = inner[key]
        inner[last] = "other"
    return other


def finish(folder: Path, phase: str) -> None:
    for name in list(PROOFS)[: list(PROOFS).index(phase) + 1]:
        (folder / PROOFS[name]).mkdir(parents=True, exist_ok=True)


def stored(folder: Path) -> Any:
    return json.loads((folder / "config.json").read_text())


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_binds_from_the_end_of_its_phase(tmp_path: Path, plain: dict[str, Any], setting: str) -> None:
    other = changed(plain, setting)
    claim(tmp_path, plain)
    for phase in ("", *PROOFS):
        if phase:
            finish(tmp_path, phase)
        if phase and list(PROOFS).index(phase) >= list(PROOFS).index(SETTINGS[setting]):
            with pytest.raises(OptionError, match=rf"other settings in {setting}.* {phase} came; choose another"):
                claim(tmp_path, other)
            assert stored(tmp_path) == plain
        else:
            claim(tmp_path, other)
            assert stored(tmp_path) == other
            claim(tmp_path, plain)
        claim(tmp_path, plain)


def test_every_setting_that_the_data_are_made_with_binds_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, plain: dict[str, Any]
) -> None:
    """The recipe's request to the expert shows which settings those are."""
    config = load("demo", [f"run_dir={tmp_path}"])[0]
    sft = config.method.sft

    def asked(setting: str, value: Any) -> Any:
        found: list[Any] = []
        monkeypatch.setattr(data_phase, "collect", lambda path, wanted, count, **_: found.append((wanted, count)))
        method = config.method.model_copy(update={"sft": sft.model_copy(update={setting: value})})
        run = Recipe(config.model_copy(update={"method": method}), plain).seen_by(None)
        data_phase.DataPhase().run(run)
        return found

    other = {int: 4321, float: 0.123, bool: not sft.working}
    values = {name: (getattr(sft, name), other.get(type(getattr(sft, name)))) for name in type(sft).model_fields}
    making = {name for name, (one, two) in values.items() if two is not None and asked(name, one) != asked(name, two)}
    assert making >= {"trajectories", "working", "shortcuts", "drill_trajectories", "rare_trajectories"}
    for name in type(sft).model_fields:
        assert bool(different("data", plain, changed(plain, f"method.sft.{name}"))) == (name in making), name


@pytest.mark.parametrize("setting", ["run_dir", "hardware.threads", "logger.project", "evaluation.episodes"])
def test_what_changes_nothing_that_was_made_is_free(tmp_path: Path, plain: dict[str, Any], setting: str) -> None:
    claim(tmp_path, plain)
    finish(tmp_path, "grpo")
    claim(tmp_path, changed(plain, setting))
    assert stored(tmp_path) == changed(plain, setting)


def test_a_phase_that_was_only_begun_gives_way_and_nothing_is_deleted(
    tmp_path: Path, plain: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    claim(tmp_path, plain)
    finish(tmp_path, "untrained")
    checkpoint = tmp_path / "sft" / "trainer" / "checkpoint-100"
    checkpoint.mkdir(parents=True)
    claim(tmp_path, changed(plain, "method.grpo.steps"))
    assert checkpoint.exists(), "it was not made with those"
    claim(tmp_path, changed(plain, "method.grpo.steps", "method.sft.learning_rate"))
    assert not checkpoint.exists()
    assert (tmp_path / "sft" / "trainer.earlier" / "checkpoint-100").exists()
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 3 and "other settings in method.sft.learning_rate" in told[1]
    assert told[2].startswith("sft: begins anew; the trainer's checkpoints are kept in ")


@pytest.mark.parametrize("setting", ["env.faults", "loss"])
def test_a_setting_that_only_one_side_has_is_another(tmp_path: Path, plain: dict[str, Any], setting: str) -> None:
    """Try an option of the environment that was not set, and a block that an earlier version did not have."""
    before, after = copy.deepcopy(plain), changed(plain, setting)
    before.pop(setting, None)
    claim(tmp_path, before)
    finish(tmp_path, "grpo")
    with pytest.raises(OptionError, match=rf"other settings in {setting}"):
        claim(tmp_path, after)


def test_references_go_with_the_tasks_they_played(tmp_path: Path, plain: dict[str, Any]) -> None:
    claim(tmp_path, plain)
    (tmp_path / "references" / "expert").mkdir(parents=True)
    claim(tmp_path, changed(plain, "model.name"))
    assert (tmp_path / "references" / "expert").exists()
    claim(tmp_path, changed(plain, "seed"))
    assert not (tmp_path / "references").exists()


@pytest.mark.parametrize("content", [b"", b'{"run_dir": "ru', bytes(900), b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_config(tmp_path: Path, plain: dict[str, Any], content: bytes) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    (tmp_path / "config.json.part").write_bytes(content)
    claim(tmp_path, plain)
    assert stored(tmp_path) == plain
    finish(tmp_path, "sft")
    path.write_bytes(content)
    with pytest.raises(OptionError, match=r"data, untrained and sft in its folder.* remove that file and run it again"):
        claim(tmp_path, plain)
    path.unlink()
    claim(tmp_path, plain)
    assert stored(tmp_path) == plain


def test_the_config_of_something_else_is_left_alone(tmp_path: Path, plain: dict[str, Any]) -> None:
    """Try the configuration of a model's folder."""
    (tmp_path / "config.json").write_text('{"architectures": ["Qwen3ForCausalLM"]}')
    with pytest.raises(OptionError, match="no training run's; choose another run_dir"):
        claim(tmp_path, plain)
    assert "architectures" in stored(tmp_path)


def test_a_run_takes_over_what_another_has_finished_and_goes_on_with_settings_of_its_own(
    tmp_path: Path, plain: dict[str, Any]
) -> None:
    source, folder = tmp_path / "source", tmp_path / "new"
    source.mkdir()
    claim(source, plain)
    finish(source, "grpo")
    (source / "sft" / "trainer").mkdir()
    (source / "sft" / "checkpoint" / "model.safetensors").write_bytes(b"weights")
    rows = [{"phase": name, "step": 0, "phase_seconds": 2.0} for name in ("data", "untrained", "sft", "grpo")]
    (source / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    take_over(source, folder, "sft")
    assert {path.name for path in folder.iterdir()} == {"config.json", "metrics.jsonl", "data", "untrained", "sft"}
    assert (folder / "sft" / "checkpoint" / "model.safetensors").read_bytes() == b"weights"
    assert not (folder / "sft" / "trainer").exists()
    kept = [json.loads(line)["phase"] for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert kept == ["data", "untrained", "sft"]
    claim(folder, changed(plain, "method.grpo.steps"))
    with pytest.raises(OptionError, match=r"method\.sft\.learning_rate"):
        claim(folder, changed(plain, "method.sft.learning_rate"))
    # Existing files are left alone, and unfinished ones cannot be taken.
    (folder / "config.json").write_text("mine")
    take_over(source, folder, "sft")
    assert (folder / "config.json").read_text() == "mine"
    with pytest.raises(OptionError, match="has not finished corrections"):
        (source / "corrections" / "checkpoint").rmdir()
        take_over(source, tmp_path / "third", "corrections")
