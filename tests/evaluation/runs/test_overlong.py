"""Records of answers of megabytes: small, graded again alike, and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teller_gym.evaluation import evaluate
from teller_gym.evaluation.records.run_folder import read_lines
from teller_gym.evaluation.runs.play import _kept
from teller_gym.evaluation.runs.regrade import regrade
from teller_gym.tools.overlong import MAX_ACTION_CHARACTERS, stored
from teller_gym.viewer import write_view

CALL = '{"name": "get_application_data", "arguments": {"application_id": "LA-100000"}}'
HUGE = f"<tool_call>{CALL}</tool_call>" + "x" * 10_000_000


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


class Windy:
    """Says far too much, then a word."""

    name = "windy"

    def reset(self) -> None:
        self.turn = 0

    def act(self, obs: Any, info: Any) -> str:
        self.turn += 1
        return HUGE if self.turn < 4 else "Done."


@pytest.mark.parametrize("env", ["Teller-Loans-v0", "Teller-LoansGraph-v0"])
def test_a_record_is_small_and_graded_again_alike(env: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    report = evaluate(Windy(), env, "validation", n=2, run_dir=run, progress=False)
    assert (report.counted, report.invalid) == (2, 0)
    assert (run / "episodes.jsonl").stat().st_size < 500_000
    for line in read_lines(run / "episodes.jsonl"):
        huge = line["trace"][: -1 if env == "Teller-Loans-v0" else None]
        assert {turn["kind"] for turn in huge} == {"malformed"}
        assert all(turn["action"].partition("\n")[2] == HUGE[:2000] for turn in huge)
        assert all(str(len(HUGE)) in turn["error"]["message"] for turn in huge)
    found = regrade(run, out=tmp_path / "again")
    assert not found.changed, found.table()
    assert (tmp_path / "again" / "episodes.jsonl").read_bytes() == (run / "episodes.jsonl").read_bytes()
    pages = write_view([run], tmp_path / "view")
    assert sum(file.stat().st_size for file in pages.rglob("*") if file.is_file()) < 2_000_000


def test_what_a_model_said_besides_is_cut_too() -> None:
    note: dict[str, Any] = {"thinking": "x" * (MAX_ACTION_CHARACTERS + 1), "said": "short", "finish_reason": None}
    assert _kept(note) == note | {"thinking": stored(note["thinking"])}
