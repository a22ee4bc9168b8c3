"""The table over seeds: its figures are those of the runs, and its interval is Student's."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from examples import demo_seeds
from examples.demo_seeds import Row, play, read, table


def result(sft: float, grpo: float) -> dict[str, Any]:
    scores = {"expert": 1.0, "random": 0.05, "skip_to_decision": 0.2, "untrained": 0.0, "sft": sft, "grpo": grpo}
    reports = {
        name: {"stages": {"2": {"metrics": {"score": {"value": value}, "valid_calls": {"value": value or None}}}}}
        for name, value in scores.items()
    }
    of = "17 tasks of split heldout with difficulty 0 to 0.45, each 4 times"
    return {"tasks": 17, "of": of, "split": "heldout", "difficulty": [0.0, 0.45], "reports": reports}


@pytest.fixture(autouse=True)
def greedy_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stands for evaluating checkpoints, which are not there."""
    monkeypatch.setattr(demo_seeds, "greedy", lambda phase, folder: {"sft": 0.25, "grpo": 0.35}[phase])


def stub(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Have a script replace the command: it gets the folder of the run."""
    start = subprocess.Popen

    def popen(words: list[str], **options: Any) -> Any:
        folder = next(word for word in words if word.startswith("run_dir=")).removeprefix("run_dir=")
        return start([sys.executable, "-c", script, folder], **options)

    monkeypatch.setattr(subprocess, "Popen", popen)


def test_runs_are_read_into_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = "import pathlib,sys; f=pathlib.Path(sys.argv[1]); f.mkdir(); (f/'result.json').write_text({!r});"
    more = "(f/'table.txt').write_text('t'); (f/'curve.png').write_text('c')"
    stub(monkeypatch, write.format(json.dumps(result(0.3, 0.36))) + more)
    words = ["demo_seeds", "--seeds", "0-1", "--runs", str(tmp_path / "runs"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", words)
    demo_seeds.main()
    rows = list(csv.DictReader((tmp_path / "out" / "seeds.csv").open()))
    assert [(row["seed"], row["sft"], row["grpo"], row["best_cheap"]) for row in rows] == [
        ("0", "0.3", "0.36", "0.2"), ("1", "0.3", "0.36", "0.2"),
    ]  # fmt: skip
    assert all(float(row["cpu_seconds"]) >= 0 and row["cheap_agent"] == "skip_to_decision" for row in rows)
    page = (tmp_path / "out" / "seeds.md").read_text()
    assert "17 tasks of split heldout with difficulty 0 to 0.45" in page
    assert (tmp_path / "out" / "curve.png").read_text() == "c"
    # Finished runs are read, not made again.
    stub(monkeypatch, "raise SystemExit(1)")
    demo_seeds.main()
    assert (tmp_path / "out" / "seeds.md").read_text() == page


def test_a_run_that_fails_is_told_and_its_time_counts_when_it_is_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub(
        monkeypatch,
        "import time; t=time.process_time()\nwhile time.process_time()<t+0.3: pass\nraise SystemExit('no memory')",
    )
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no memory"):
            play(3, tmp_path, [])
    assert json.loads((tmp_path / "seed-3" / "cpu_seconds.json").read_text()) >= 0.6


def test_the_page_says_what_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = []
    for seed, (sft, grpo) in enumerate([(0.3, 0.4), (0.1, 0.3), (0.5, 0.6)]):
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "result.json").write_text(json.dumps(result(sft, grpo)))
        (folder / "cpu_seconds.json").write_text("100.0")
        rows.append(read(seed, folder))
    assert rows[1] == Row(1, 0.0, 0.1, 0.3, 0.25, 0.35, 0.1, 0.3, 0.2, "skip_to_decision", 100.0)
    page = table(rows, "17 tasks", "command")
    assert "mean +0.133, 95 % interval over seeds [-0.010, +0.277]" in page
    assert "GRPO's difference, greedy: mean +0.100" in page
    assert "after every phase above the best cheap agent: 2 of 3 seeds" in page
    assert "- sft: mean 0.300 [-0.197, 0.797], lowest 0.100" in page
    # A phase that was left out has no figures.
    monkeypatch.setattr(demo_seeds, "greedy", lambda phase, folder: 0.25 if phase == "sft" else None)
    found = result(0.3, 0.4)
    del found["reports"]["grpo"]
    (tmp_path / "1" / "result.json").write_text(json.dumps(found))
    row = read(1, tmp_path / "1")
    page = table([row, row], "17 tasks", "command")
    assert row.grpo is None and "GRPO's difference:" not in page and "2 of 2 seeds" in page
    assert "| 1 | 0.000 | 0.300 | – | – | 0.250 | – | 0.300 | – | 0.200 (skip\\_to\\_decision) | 100 |" in page
