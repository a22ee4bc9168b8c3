"""`teller-gym plan` prints a plan as a table or as JSON, and says in one line what cannot fit."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teller_gym.cli import main


def test_the_table_is_readable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "model=qwen3_1_7b", "hardware=l20_1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 120
    assert "Every figure is planned" in lines[1]
    for name in ("data", "sft", "grpo rollouts", "grpo updates", "grpo validation", "grpo evaluation", "whole run"):
        assert any(line.startswith(f"{name} ") for line in lines), name
    for part in ("weights 6.4", "optimizer 12.8", "gradients 6.4", "activations kept", "vllm cache"):
        assert any(part in line for line in lines), part


def test_json_has_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "model=qwen3_8b", "hardware=a100_multi", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fits"] and found["cards"] == 24 and found["serving"] == 8
    rollouts = next(phase for phase in found["phases"] if phase["name"] == "grpo rollouts")
    assert rollouts["room"]["longest"] >= 1 and rollouts["memory"]["vllm weights"] == 2 * found["parameters"]


def test_json_of_what_does_not_fit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--dry-run", "--json", "model=qwen3_14b", "hardware=l20_1"]) == 2
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert not found["fits"] and any("sft needs" in problem for problem in found["problems"])
    assert printed.err.startswith("teller-gym: Qwen/Qwen3-14B does not fit one L20: of 44.5 GiB a card would be needed")


@pytest.mark.parametrize("words", [["evaluation.n=99999"], ["env=nowhere"], ["hardware=l20_9"]])
def test_mistakes_are_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "hardware=l20_1", "model=qwen3_8b", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and words[0].partition("=")[0] in printed.err


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--help"]) == 0
    assert "teller-gym plan model=qwen3_8b hardware=l20_1" in capsys.readouterr().out
    assert main(["train", "--help"]) == 0
    assert "--dry-run" in capsys.readouterr().out


_WITHOUT = """
import importlib.abc, sys
class Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in sys.argv[1].split(","):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from teller_gym.cli.plan import run
print(run(["model=qwen3_8b", "hardware=l20_1"]), run(["--config-name", "demo", "--json"]))
"""


def test_it_needs_only_the_extra_eval() -> None:
    """Runs in a process without the packages of the extra `train`."""
    train = "torch,transformers,tokenizers,trl,peft,accelerate,datasets,safetensors,wandb"
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT, train], env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "0 0", done.stderr
