"""The example that plays office tasks with an outside runtime: right and wrong verdicts, and resuming after kill -9."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="needs the extra office")

REPO = Path(__file__).parents[2]
EXAMPLE = REPO / "examples" / "openhands"
PATIENCE_S = 120.0
STAND_IN = [sys.executable, str(EXAMPLE / "stand_in.py"), "--prompt", "{prompt}", "--task", "{task}"]
TASKS = ("wealth-net_worth-high", "wealth-net_worth-low", "wealth-meeting-high")


def start(run: Path, agent: list[str], *more: str, tasks: tuple[str, ...] = TASKS) -> subprocess.Popen[str]:
    named = [word for task in tasks for word in ("--task", task)]
    command = [sys.executable, str(EXAMPLE / "play.py"), "--run-dir", str(run), "--agent", shlex.join(agent), *named]
    environment, pipe = {**os.environ, "PYTHONPATH": str(REPO)}, subprocess.PIPE
    return subprocess.Popen([*command, *more], env=environment, stdout=pipe, stderr=pipe, text=True, cwd=run.parent)


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err


def verdicts(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "verdicts.jsonl").read_text().splitlines()]


def test_the_table_has_what_was_right_and_what_was_not(tmp_path: Path) -> None:
    run = tmp_path / "run"
    agent = [*STAND_IN, "--report", "{report}", "--idle", "*-low"]
    code, out, err = finished(start(run, agent))
    assert code == 0, err
    assert [line["success"] for line in verdicts(run)] == [True, False, True]
    assert [line["steps"] for line in verdicts(run)] == [1, 0, 6] and verdicts(run)[0]["usd"] == 0.0
    assert {one["failure"] for one in verdicts(run)[1]["findings"]} == {"E2"}
    assert out.startswith("2 of 3 tasks resolved\n") and "paper, high" in out and out == (run / "table.txt").read_text()
    (high,) = [line for line in out.splitlines() if line.startswith("high")]
    assert high.split()[1] == "2/2" and high.split()[3] == "100.0%" and high.split()[4] == "3.5"
    before = (run / "verdicts.jsonl").read_bytes()
    again = finished(start(run, agent))
    assert again[0] == 0 and again[1] == out and (run / "verdicts.jsonl").read_bytes() == before
    code, _, err = finished(start(run, [*agent, "--idle", "x"]))
    assert code == 2 and "has other settings" in err


def test_it_goes_on_after_a_kill(tmp_path: Path) -> None:
    run, gate = tmp_path / "run", tmp_path / "gate"
    waiting = f"while [ ! -e {gate} ] && [ {{task}} = {TASKS[2]} ]; do sleep 0.1; done; exec {shlex.join(STAND_IN)}"
    first = start(run, ["sh", "-c", waiting])
    prompt, end = run / "tasks" / TASKS[2] / "attempt-1" / "prompt.txt", time.monotonic() + PATIENCE_S
    while not prompt.exists():
        assert first.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    with (run / "verdicts.jsonl").open("ab") as file:
        file.write(b'{"task": "wealth-meeting-high", "inv')
    verdict = prompt.with_name("verdict.json")  # the office ends with the process that started it
    while not verdict.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    gate.touch()
    code, out, err = finished(start(run, ["sh", "-c", waiting]))
    assert code == 0 and out.startswith("3 of 3 tasks resolved"), err
    assert err.count("right") == 1, "the others were not played again"
    assert [line["task"] for line in verdicts(run)] == list(TASKS)
    assert (prompt.parents[1] / "attempt-2" / "verdict.json").exists()
    assert verdicts(run)[0]["steps"] is None and " –" in out


def test_a_command_that_breaks_down_has_no_verdict(tmp_path: Path) -> None:
    run = tmp_path / "run"
    code, out, err = finished(start(run, ["false"], tasks=(*TASKS, "wealth-trusts-low")))
    assert code == 1 and "3 commands in a row broke down" in err and "wealth-trusts-low" not in err
    assert out.startswith("0 of 0 tasks resolved; 3 without a verdict are left out, with them as failures 0 of 3")
    assert all("exit code 1" in line["invalid"] for line in verdicts(run))
    counted = ("--done-code", "0", "--done-code", "1")
    code, out, _ = finished(start(run, ["false"], *counted, tasks=TASKS[:1]))
    assert code == 0 and out.startswith("0 of 1 tasks resolved\n") and len(verdicts(run)) == 4
    code, _, err = finished(start(tmp_path / "other", ["no-such-runtime", "{prompt}"], tasks=TASKS[:1]))
    assert code == 2 and "expected a command that runs, got 'no-such-runtime'" in err
    code, _, err = finished(start(tmp_path / "third", ["true"], "--office", "--host nowhere", tasks=TASKS[:1]))
    assert code == 2 and "host: expected an address" in err


def test_the_time_of_a_task_is_bounded_and_events_are_steps(tmp_path: Path) -> None:
    event = '--JSON Event--\n{\n "kind": "%s"\n}\n'
    said = event % "ActionEvent" + event % "ObservationEvent" + event % "ActionEvent"
    agent = ["sh", "-c", f"printf '%s' {shlex.quote(said)}; sleep 600"]
    code, _, err = finished(start(tmp_path / "run", agent, "--minutes", "0.02", tasks=TASKS[:1]))
    assert code == 0, err
    (line,) = verdicts(tmp_path / "run")
    assert line["time_is_up"] and line["steps"] == 2 and line["usd"] is None and not line["success"]
