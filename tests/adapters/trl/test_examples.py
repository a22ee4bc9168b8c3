"""The examples for one's own trainer are short, and each can train for a step."""

from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from transformers import AutoTokenizer

from examples import own_trainer_environment_factory, own_trainer_rollout_func
from examples.tiny_qwen3 import build
from teller_gym.agents.language import PROMPT_KEY
from teller_gym.training import rollout_func, tasks_dataset

EXAMPLES = (own_trainer_rollout_func, own_trainer_environment_factory)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_has_under_40_lines_and_trls_own_trainer(example: ModuleType) -> None:
    text = Path(example.__file__ or "").read_text("utf-8")
    assert len(text.splitlines()) < 40 and "class " not in text and " trainer = GRPOTrainer(" in text
    assert f"python -m {example.__name__}" in text


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_takes_a_step(example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt has only the request, since the whole SOP would take minutes and gigabytes on a CPU."""
    folder = build(tmp_path / "qwen3")
    before = {path.name: path.stat().st_mtime_ns for path in Path(folder).iterdir()}
    assert build(Path(folder)) == folder, "the tiny model is made once"
    assert {path.name: path.stat().st_mtime_ns for path in Path(folder).iterdir()} == before
    if example is own_trainer_rollout_func:
        monkeypatch.setattr(example, "rollout_func", partial(rollout_func, prompt="minimal", patience=2))
    else:
        monkeypatch.setattr(example, "tasks_dataset", lambda *given, chats: tasks_dataset(*given, chats="minimal"))
    assert 0 <= example.train(folder, 1, str(tmp_path / "run")) <= 1
    (saved,) = tmp_path.glob("run/checkpoint-1")
    assert (saved / "model.safetensors").exists()
    tokenizer = AutoTokenizer.from_pretrained(saved)
    assert "{%- generation %}" in tokenizer.chat_template, "the template is not the one it was trained with"
    if example is own_trainer_rollout_func:
        assert f'"{PROMPT_KEY}": "minimal"' in (saved / "config.json").read_text("utf-8")
