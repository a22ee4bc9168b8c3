"""Every offered combination dry-runs: it fits, or is refused with the nearest that does, which is tried as well."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import load
from teller_gym.training.launch.fit import expect_fit, fitting, plan
from teller_gym.training.launch.table import machines, models
from teller_gym.training.plan.model import GIB

USUAL = ("standard", "dapo")
COMBINATIONS = [
    pytest.param(*one, marks=() if one[2:] == USUAL else pytest.mark.slow)
    for one in itertools.product(machines(), models(), ("standard", "curriculum"), choices("loss"))
]
REFUSED = {
    ("l20_1", "qwen3_14b"), ("l20_1", "qwen3_32b"), ("l20_8", "qwen3_32b"), ("a100_80_1", "qwen3_32b"),
    ("a100_80_8", "qwen3_32b"),
}  # fmt: skip
NEAREST = "the nearest that fits: "


def changed(words: list[str], more: list[str]) -> list[str]:
    """Settings with others in their place; another machine brings all of its own."""
    keys = {word.partition("=")[0] for word in more}
    kept = [word for word in words if word.partition("=")[0] not in keys]
    return [word for word in kept if "hardware" not in keys or not word.startswith("hardware.")] + more


@pytest.mark.parametrize(("hardware", "model", "method", "loss"), COMBINATIONS)
def test_every_combination_dry_runs(
    hardware: str, model: str, method: str, loss: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"hardware={hardware}", f"model={model}", f"method={method}", f"loss={loss}", f"run_dir={tmp_path}/run"]
    code = main(["train", *words, "--dry-run"])
    printed = capsys.readouterr()
    assert "whole run" in printed.out and not (tmp_path / "run").exists()
    if code == 0:
        assert printed.err == "" and "DOES NOT FIT" not in printed.out
    else:
        assert code == 2 and printed.err.count("\n") == 1, printed.err
        again = changed(words, printed.err.rpartition(NEAREST)[2].split())
        assert again != words
        assert main(["train", *again, "--dry-run"]) == 0
    if (method, loss) == USUAL:
        assert (code == 2) == ((hardware, model) in REFUSED)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["model=qwen3_0_6b", "hardware=l20_1", "hardware.vllm_memory=0.95"], "hardware.vllm_memory=0.5"),
        (["model=qwen3_8b", "hardware=a100_80_1", "hardware.update_tokens=99000"], "hardware.update_tokens=16384"),
        (
            ["model=qwen3_4b", "hardware=l20_1", "method.sft.batch_tokens=90000"],
            "method.sft.batch_tokens=45000 method.sft.accumulate=4",
        ),
        (["model=qwen3_1_7b", "hardware=l20_1", "loss=grpo"], "model.lora.rank=16 model.dtype=bfloat16"),
        (["model=qwen3_4b", "hardware=l20_8", "hardware.sharding=ddp", "model.lora.rank=0"], "model.lora.rank=16"),
        (["model=qwen3_14b", "hardware=l20_1"], "hardware=l20_8"),
        (["model=qwen3_32b", "hardware=a100_80_1"], "hardware=a100_multi"),
        (["model=qwen3_32b", "hardware=a100_80_8"], "hardware.vllm_memory=0.86"),
        (["model=qwen3_8b", "hardware=l20_8", "hardware.vllm_memory=0.3", "loss=gspo"], "hardware.vllm_memory=0.5"),
        (["model=qwen3_8b", "hardware=a100_80_1", "model.prompt=full"], "model.total_tokens=40960"),
    ],
)
def test_the_nearest_is_the_first_of_the_fewest_changes(words: list[str], expected: str) -> None:
    found = plan(load("train", words)[0])
    assert found.nearest is not None and " ".join(found.nearest).startswith(expected)
    assert not found.fits
    assert fitting(load("train", changed(words, list(found.nearest)))[0])


def test_what_never_fits_names_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["model=qwen3_32b", "hardware=l20_1", "env.distractors=all", "model.prompt=full"]
    words.append("method.sft.batch_tokens=200000")
    assert plan(load("train", words)[0]).nearest is None
    assert main(["plan", *words]) == 2
    assert "nothing that was tried fits; take a smaller model or larger cards" in capsys.readouterr().err


def test_a_window_and_a_prompt_that_is_too_long_are_told() -> None:
    config, _ = load("train", ["model=qwen3_0_6b", "hardware=l20_1", "model.total_tokens=50000"])
    assert any("the window of Qwen/Qwen3-0.6B 40,960" in problem for problem in plan(config).problems)
    config, _ = load("train", ["model=qwen3_0_6b", "hardware=l20_1", "env.distractors=all"])
    assert any("a mean episode has 26,000 tokens" in problem for problem in plan(config).problems)


def test_training_is_refused_before_anything_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["model=qwen3_14b", "hardware=l20_1", f"run_dir={tmp_path}/run"]
    assert main(["train", *words]) == 2
    told = capsys.readouterr().err
    assert f"{NEAREST}hardware=l20_8; hardware.check_fit=false tries it" in told
    assert not (tmp_path / "run").exists()
    assert main(["train", *words, "hardware.check_fit=false"]) == 2
    assert "torch sees no GPU" in capsys.readouterr().err


def test_a_model_of_unknown_size_is_let_pass(capsys: pytest.CaptureFixture[str]) -> None:
    config, _ = load("train", ["hardware=l20_1", "model=qwen3_8b", "model.name=Some/Model"])
    expect_fit(config)
    assert "was not checked: model Some/Model: its sizes are not known here" in capsys.readouterr().err
    with pytest.raises(OptionError, match="its sizes are not known here"):
        plan(config)


def test_on_a_cpu_nothing_is_refused() -> None:
    expect_fit(load("demo", ["hardware.card_gib=0.001"])[0])


def test_the_fullest_moment_and_the_sums_are_those_of_the_phases() -> None:
    found = plan(load("train", ["model=qwen3_8b", "hardware=l20_1"])[0])
    names = [phase.name for phase in found.phases]
    assert names == [
        "data", "untrained evaluation", "sft", "sft evaluation", "grpo rollouts", "grpo updates", "grpo validation",
        "grpo evaluation",
    ]  # fmt: skip
    assert found.needed == max(phase.needed for phase in found.phases) <= 44.5 * GIB
    data = found.to_dict()
    assert data["figures"] == "planned" and data["tokens"] == sum(phase["tokens"] for phase in data["phases"])
    # Three whole models of 16.4 GB in 16 bits, a best one, two trainers' with adapters, and one being written.
    assert 4 * 16.4e9 < data["disk"] < 6 * 16.4e9


def test_phases_that_are_skipped_are_not_planned() -> None:
    words = ["model=qwen3_8b", "hardware=l20_1", "method.sft.trajectories=0", "method.validation.grpo_steps=0"]
    names = [phase.name for phase in plan(load("train", [*words, "evaluation.untrained=false"])[0]).phases]
    assert names == ["data", "grpo rollouts", "grpo updates", "grpo evaluation"]
