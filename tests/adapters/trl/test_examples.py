"""The examples for a trainer of one's own: short, and one step of each trains."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from examples import own_trainer_environment_factory, own_trainer_rollout_func
from examples.tiny_qwen3 import build
from teller_gym.agents.language import PROMPT_KEY


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The tiny model that the examples make."""
    return build(tmp_path_factory.mktemp("tiny") / "qwen3")


EXAMPLES = (own_trainer_rollout_func, own_trainer_environment_factory)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_under_40_lines_and_trls_own_trainer(example: ModuleType) -> None:
    text = Path(example.__file__ or "").read_text("utf-8")
    assert len(text.splitlines()) < 40 and "class " not in text and " trainer = GRPOTrainer(" in text
    assert f"python -m {example.__name__}" in text


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_takes_a_step(example: ModuleType, folder: str, tmp_path: Path) -> None:
    """Runs the command in a process of its own, since prompts with all tools take gigabytes for a while."""
    from transformers import AutoTokenizer

    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-m", example.__name__, folder, "1"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert 0 <= float(done.stdout.rpartition("reward ")[2]) <= 1
    (saved,) = (tmp_path / "runs").glob("*/checkpoint-1")
    assert (saved / "model.safetensors").exists()
    template = AutoTokenizer.from_pretrained(saved).chat_template
    assert "{%- generation %}" in template, "a checkpoint has another template than the one it was trained with"
    if example is own_trainer_rollout_func:
        assert f'"{PROMPT_KEY}": "compact"' in (saved / "config.json").read_text("utf-8")


@pytest.mark.slow
def test_the_tiny_model_is_made_once(folder: str, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "copy"))
    before = {path.name: path.stat().st_mtime_ns for path in other.iterdir()}
    assert build(other) == str(other)
    assert {path.name: path.stat().st_mtime_ns for path in other.iterdir()} == before
