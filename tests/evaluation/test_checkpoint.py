"""Evaluating a checkpoint folder: a tiny model with random weights, saved as transformers saves any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.errors import OptionError
from teller_gym.evaluation import Report, evaluate
from teller_gym.evaluation.rundir import read_lines

pytestmark = pytest.mark.training

OPTIONS: dict[str, Any] = {
    "n": 3,
    "env_kwargs": {"max_steps": 2},
    "agent_kwargs": {"prompt": "minimal", "max_new_tokens": 6},
    "progress": False,
}


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    from teller_gym.training.tiny import train_tokenizer

    return train_tokenizer([teller_gym.load_scenario("loans").sop()], 2000)


def save(folder: Path, tokenizer: Any, seed: int) -> str:
    from teller_gym.training.tiny import TinyShape, build_model

    model = build_model(TinyShape(hidden=16, layers=1, heads=2, kv_heads=1, head_dim=8, mlp=16), tokenizer, seed)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def play(folder: str, **options: Any) -> Report:
    return evaluate(folder, "Teller-Loans-v0", **(OPTIONS | options))


def test_a_checkpoint_is_played_in_batches_and_its_tokens_counted(tmp_path: Path, tokenizer: Any) -> None:
    folder = save(tmp_path / "model", tokenizer, seed=0)
    report = play(folder, run_dir=tmp_path / "run", concurrency=3)
    assert (report.agent, report.counted, report.invalid) == ("model", 3, 0)
    assert 1 <= (report.metrics["completion_tokens"].value or 0) <= 12
    lines = read_lines(tmp_path / "run" / "episodes.jsonl")
    assert all(line["tokens"]["prompt"] > 0 for line in lines)
    assert report.config["agent"]["options"] == OPTIONS["agent_kwargs"]
    one_by_one = play(folder, run_dir=tmp_path / "alone")
    assert one_by_one.metrics == report.metrics


def test_new_weights_in_the_same_folder_are_another_agent(tmp_path: Path, tokenizer: Any) -> None:
    play(save(tmp_path / "model", tokenizer, seed=0), run_dir=tmp_path / "run")
    with pytest.raises(OptionError, match=r"agent\.fingerprint is"):
        play(save(tmp_path / "model", tokenizer, seed=1), run_dir=tmp_path / "run")


def test_options_of_the_agent_are_checked(tmp_path: Path, tokenizer: Any) -> None:
    folder = save(tmp_path / "model", tokenizer, seed=0)
    with pytest.raises(OptionError, match="did you mean 'temperature'"):
        play(folder, agent_kwargs={"temprature": 1.0})
    with pytest.raises(OptionError, match="prompt must be one of"):
        play(folder, agent_kwargs={"prompt": "shrt"})


def test_what_transformers_cannot_load_is_told(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(OptionError, match="not a checkpoint that transformers can load"):
        play(str(tmp_path))
