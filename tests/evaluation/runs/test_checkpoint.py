"""Evaluation of a checkpoint folder with a tiny model of random weights, as saved by transformers."""

from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.base.errors import OptionError
from teller_gym.evaluation import Report, evaluate
from teller_gym.evaluation.records.run_folder import read_lines

pytestmark = pytest.mark.training

OPTIONS: dict[str, Any] = {
    "n": 3,
    "env_kwargs": {"max_steps": 2},
    "agent_kwargs": {"prompt": "minimal", "max_new_tokens": 6},
    "progress": False,
}


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    from teller_gym.training.models.tiny import train_tokenizer

    return train_tokenizer([teller_gym.load_scenario("loans").sop()], 2000)


def save(folder: Path, tokenizer: Any, seed: int) -> str:
    from teller_gym.training.config.model import TinyShape
    from teller_gym.training.models.tiny import build_model

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


def actions(run_dir: Path) -> dict[str, list[str]]:
    lines = read_lines(run_dir / "episodes.jsonl")
    return {line["task_id"]: [turn["action"] for turn in line["trace"]] for line in lines}


def test_a_sampled_episode_depends_on_its_seed_alone(tmp_path: Path, tokenizer: Any) -> None:
    """It does not depend on other episodes, so that an interrupted run gives the same result."""
    folder = save(tmp_path / "model", tokenizer, seed=0)
    sampled: dict[str, Any] = {"agent_kwargs": OPTIONS["agent_kwargs"] | {"temperature": 1.0}}
    for name, options in {"one": {}, "three": {"concurrency": 3}, "other": {"seed": 99}}.items():
        play(folder, run_dir=tmp_path / name, **sampled, **options)
    whole = actions(tmp_path / "one")
    assert whole == actions(tmp_path / "three") != actions(tmp_path / "other")
    assert len({text for texts in whole.values() for text in texts}) == 3
    episodes = tmp_path / "three" / "episodes.jsonl"
    episodes.write_bytes(episodes.read_bytes().splitlines(keepends=True)[0])
    play(folder, run_dir=tmp_path / "three", **sampled)
    assert actions(tmp_path / "three") == whole


def test_each_turn_of_an_episode_is_drawn_anew(tmp_path: Path, tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from teller_gym.agents.language import LanguageAgent
    from teller_gym.agents.sampling import CachedSampler, Turn

    drawn: list[int] = []

    def sample(self: Any, slots: list[int], contexts: Any, max_new: int, seeds: list[int]) -> list[Turn]:
        drawn.extend(seeds)
        return [Turn([5], [0.0], True) for _ in slots]

    monkeypatch.setattr(CachedSampler, "sample", sample)
    agent = LanguageAgent.from_folder(save(tmp_path / "model", tokenizer, seed=0), device="cpu", prompt="minimal")
    for turns in (0, 1, 1, 2):
        agent.seed_batch([7])
        chat = [{"role": "user", "content": "Go."}, *[{"role": "assistant", "content": "x"}] * turns]
        agent.act_batch([chat], [[]])
    assert drawn[1] == drawn[2] and len(set(drawn)) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": "hot"}, "temperature: expected a number of 0 or more, got 'hot'"),
        ({"temperature": -1}, "temperature: expected a number of 0 or more, got -1"),
        ({"temperature": float("nan")}, "temperature: expected a number of 0 or more, got nan"),
        ({"temperature": True}, "temperature: expected a number"),
        ({"max_new_tokens": 0}, "max_new_tokens: expected a whole number of 1 or more, got 0"),
        ({"max_tokens": 0}, "max_tokens: expected a whole number of 1 or more, got 0"),
        ({"max_tokens": "9"}, "max_tokens: expected a whole number of 1 or more, got '9'"),
        ({"seed": -1}, "seed: expected a whole number of 0 or more, got -1"),
        ({"device": "gpu"}, "device: expected one that torch finds here, such as cpu, got 'gpu'"),
        ({"device": 5.0}, "device: expected one that torch finds here"),
    ],
)
def test_values_of_the_agents_options_are_checked_before_loading(options: dict[str, Any], message: str) -> None:
    from teller_gym.agents.language import LanguageAgent

    with pytest.raises(OptionError, match=message):
        LanguageAgent.from_folder("there/is/none", **options)


def test_a_run_is_taken_up_on_another_device_and_beside_other_files(tmp_path: Path, tokenizer: Any) -> None:
    folder = save(tmp_path / "model", tokenizer, seed=0)
    play(folder, run_dir=tmp_path / "run", agent_kwargs=OPTIONS["agent_kwargs"] | {"device": "cpu"})
    for name in ("trainer_state.json", "training_args.bin", "README.md", "episodes.jsonl"):
        (tmp_path / "model" / name).write_text("{}")
    assert play(folder, run_dir=tmp_path / "run").played == 0
    (tmp_path / "model" / "chat_template.jinja").write_text("{{ messages }}")
    with pytest.raises(OptionError, match=r"agent\.fingerprint is"):
        play(folder, run_dir=tmp_path / "run")


def test_a_checkpoints_own_folder_is_no_run_folder(tmp_path: Path, tokenizer: Any) -> None:
    folder = save(tmp_path / "model", tokenizer, seed=0)
    with pytest.raises(OptionError, match="checkpoint's own folder"):
        play(folder, run_dir=tmp_path / "elsewhere" / ".." / "model")


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
