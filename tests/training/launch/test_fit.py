"""Every offered model fits its cards or is refused with a remedy; docs/train/plan.md has the same table."""

import itertools
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import load
from teller_gym.training.launch.fit import HELP, expect_fit, plan
from teller_gym.training.launch.table import BEGIN, END, markdown
from teller_gym.training.plan.model import GIB, Plan

PAGE = Path(__file__).resolve().parents[3] / "docs" / "train" / "plan.md"
REFUSED = {
    ("l20_1", "qwen3_14b"), ("l20_1", "qwen3_32b"), ("l20_8", "qwen3_32b"), ("a100_80_1", "qwen3_32b"),
    ("a100_80_8", "qwen3_32b"),
}  # fmt: skip


def planned(*words: str) -> Plan:
    return plan(load("train", list(words))[0])


@pytest.mark.slow
def test_the_page_has_the_plans_of_all_models_on_all_machines() -> None:
    table = markdown()
    assert PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0].strip() == table.strip()
    head, _, *rows = ([cell.strip("` ") for cell in line.strip("| ").split(" | ")] for line in table.splitlines())
    cells = {(machine, row[0]): cell for row in rows for machine, cell in zip(head[4:], row[4:], strict=True)}
    assert {place for place, cell in cells.items() if cell == "does not fit"} == REFUSED


@pytest.mark.parametrize(("method", "loss"), [*itertools.product(("standard", "curriculum"), choices("loss"))])
def test_every_method_and_loss_fits_a_card(method: str, loss: str) -> None:
    assert planned("hardware=a100_80_1", "model=qwen3_4b", f"method={method}", f"loss={loss}").fits


@pytest.mark.parametrize(
    ("words", "mended"),
    [
        (["model=qwen3_0_6b", "hardware=l20_1", "hardware.vllm_memory=0.95"], ["hardware.vllm_memory=0.5"]),
        (["model=qwen3_8b", "hardware=a100_80_1", "hardware.update_tokens=99000"], ["hardware.update_tokens=16384"]),
        (
            ["model=qwen3_4b", "hardware=l20_1", "method.sft.batch_tokens=90000"],
            ["method.sft.batch_tokens=45000", "method.sft.accumulate=4"],
        ),
        (["model=qwen3_1_7b", "hardware=l20_1", "loss=grpo"], ["model.lora.rank=16", "model.dtype=bfloat16"]),
        (["model=qwen3_8b", "hardware=a100_80_1", "model.prompt=full"], ["model.total_tokens=40960"]),
    ],
)
def test_what_the_refusal_recommends_helps(words: list[str], mended: list[str]) -> None:
    assert not planned(*words).fits and planned(*words, *mended).fits
    assert all(word.partition("=")[0] in HELP for word in mended)


def test_a_window_and_a_prompt_that_is_too_long_are_told() -> None:
    problems = planned("model=qwen3_0_6b", "hardware=l20_1", "model.total_tokens=50000").problems
    assert any("the window of Qwen/Qwen3-0.6B 40,960" in problem for problem in problems)
    problems = planned("model=qwen3_0_6b", "hardware=l20_1", "env.distractors=all").problems
    assert any("a mean episode has 26,000 tokens" in problem for problem in problems)


def test_training_is_refused_before_anything_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["model=qwen3_14b", "hardware=l20_1", f"run_dir={tmp_path}/run"]
    assert main(["train", *words, "--dry-run"]) == 2
    printed = capsys.readouterr()
    assert "whole run" in printed.out and "DOES NOT FIT" in printed.out and printed.err.count("\n") == 1
    assert main(["train", *words]) == 2
    told = capsys.readouterr().err
    assert f"{HELP}; hardware.check_fit=false tries it" in told and not (tmp_path / "run").exists()
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
    found = planned("model=qwen3_8b", "hardware=l20_1")
    assert [phase.name for phase in found.phases] == [
        "data", "untrained evaluation", "sft", "sft evaluation", "grpo rollouts", "grpo updates", "grpo validation",
        "grpo evaluation",
    ]  # fmt: skip
    assert found.needed == max(phase.needed for phase in found.phases) <= 44.5 * GIB
    data = found.to_dict()
    assert data["figures"] == "planned" and data["tokens"] == sum(phase["tokens"] for phase in data["phases"])
    # Three whole models of 16.4 GB in 16 bits, a best one, two trainers' with adapters, and one being written.
    assert 4 * 16.4e9 < data["disk"] < 6 * 16.4e9


def test_phases_that_are_skipped_are_not_planned() -> None:
    words = ["method.sft.trajectories=0", "method.validation.grpo_steps=0", "evaluation.untrained=false"]
    names = [phase.name for phase in planned("model=qwen3_8b", "hardware=l20_1", *words).phases]
    assert names == ["data", "grpo rollouts", "grpo updates", "grpo evaluation"]
