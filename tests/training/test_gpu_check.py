"""The check of memory and speed runs; here in miniature and without a GPU."""

from __future__ import annotations

import json

import pytest

from teller_gym.training.gpu_check import main

pytestmark = pytest.mark.training

SMALL = [
    "model.prompt=minimal", "model.turn_tokens=16", "model.total_tokens=200", "method.grpo.tasks=2",
    "method.grpo.group=2", "method.sft.batch_tokens=4096", "method.sft.accumulate=1",
]  # fmt: skip


@pytest.mark.parametrize("lora", ["0", "4"])
def test_both_trainers_are_measured(lora: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "toy", "--hardware", "cpu", "--lora", lora, "--steps", "1", *SMALL]) == 0
    head, *rows = (json.loads(line) for line in capsys.readouterr().out.splitlines() if line.startswith("{"))
    assert head["versions"]["torch"] != "absent"
    assert [row["check"] for row in rows] == ["sft", "grpo"]
    assert all(row["fits"] and row["seconds"] > 0 for row in rows)
    assert all(row["tokens_per_second"] > 0 and row["steps"] == 1 for row in rows)
