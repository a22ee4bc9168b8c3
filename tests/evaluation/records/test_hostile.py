"""Anything an agent writes ends up in a transcript that can be read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teller_gym.evaluation import evaluate, load_report
from teller_gym.evaluation.records.run_folder import read_lines

ACTIONS = [
    "\ud800 lone surrogate in a call {",
    '{"name": "\ud800", "arguments": {}}',
    '{"name": "get_application_data", "arguments": {"application_id": 1e999}}',
    '{"name": "get_application_data", "arguments": {"application_id": NaN}}',
    '{"name": "get_application_data", "arguments": {"application_id": ' + "9" * 5000 + "}}",
    '{"name": "get_application_data", "arguments": "{}"}',
    '{"name": "get_application_data", "arguments": {"a": 1, "a": 2}}',
    '{"name": 5, "arguments": {}}',
    "{}",
    "[" * 100_000,
    '{"name": "x", "arguments": ' + '{"a":' * 100_000,
    "```json\n```",
    "<tool_call>",
    "\x00\r\n\u2028",
    "",
]


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


@pytest.mark.parametrize("action", ACTIONS, ids=range(len(ACTIONS)))
def test_any_action_is_survived_and_written_down(action: str, tmp_path: Path) -> None:
    class Hostile:
        name = "hostile"

        def reset(self) -> None:
            pass

        def act(self, obs: Any, info: Any) -> str:
            return action

    options: dict[str, Any] = {"n": 2, "env_kwargs": {"max_steps": 3}, "run_dir": tmp_path, "progress": False}
    report = evaluate(Hostile(), "Teller-Loans-v0", **options)
    assert (report.counted, report.invalid) == (2, 0)
    for line in read_lines(tmp_path / "episodes.jsonl"):
        assert line["trace"][0]["action"] == action
        assert line["score"] == 0
    assert load_report(tmp_path) == report
    # Readers stricter than Python's find no NaN or infinity either.
    json.loads((tmp_path / "episodes.jsonl").read_bytes().splitlines()[0], parse_constant=pytest.fail)
