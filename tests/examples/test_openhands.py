"""Playing office tasks with an external runtime: right and wrong verdicts, and resuming after kill -9."""

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

from examples.openhands import play
from teller_gym.base.errors import OptionError

pytest.importorskip("uvicorn", reason="needs the extra office")

REPO = Path(__file__).parents[2]
EXAMPLE = REPO / "examples" / "openhands"
PATIENCE_S = 120.0
STAND_IN = [sys.executable, str(EXAMPLE / "stand_in.py"), "--prompt", "{prompt}", "--task", "{task}"]
TASKS = ("wealth-meeting-high", "wealth-net_worth-low")


def words(run: Path, agent: list[str], *more: str, tasks: tuple[str, ...] = TASKS) -> list[str]:
    named = [word for task in tasks for word in ("--task", task)]
    return ["--run-dir", str(run), "--agent", shlex.join(agent), *named, *more]


def verdicts(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "verdicts.jsonl").read_text().splitlines()]


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(REPO))


def test_the_table_has_what_was_right_and_what_was_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    agent = [*STAND_IN, "--report", "{report}", "--idle", "*-low"]
    assert play.main(words(run, agent)) == 0
    out = capsys.readouterr().out
    right, wrong = verdicts(run)
    assert (right["success"], right["steps"], right["usd"]) == (True, 6, 0.0)
    assert (wrong["success"], wrong["steps"], {one["failure"] for one in wrong["findings"]}) == (False, 0, {"E2"})
    assert out.startswith("1 of 2 tasks resolved\n") and "paper, high" in out and out == (run / "table.txt").read_text()
    (high,) = [line for line in out.splitlines() if line.startswith("high")]
    assert high.split()[1] == "1/1" and high.split()[3] == "100.0%" and high.split()[4] == "6.0"
    assert play.main(words(run, agent)) == 0
    assert capsys.readouterr().out == out and len(verdicts(run)) == 2
    with pytest.raises(OptionError, match="has other settings"):
        play.main(words(run, [*agent, "--idle", "x"]))


def test_it_goes_on_after_a_kill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, gate = tmp_path / "run", tmp_path / "gate"
    waiting = f"while [ ! -e {gate} ] && [ {{task}} = {TASKS[1]} ]; do sleep 0.1; done; exec {shlex.join(STAND_IN)}"
    command = [sys.executable, str(EXAMPLE / "play.py"), *words(run, ["sh", "-c", waiting])]
    first = subprocess.Popen(command, env=dict(os.environ), cwd=tmp_path)
    prompt, end = run / "tasks" / TASKS[1] / "attempt-1" / "prompt.txt", time.monotonic() + PATIENCE_S
    while not prompt.exists():
        assert first.poll() is None and time.monotonic() < end
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    with (run / "verdicts.jsonl").open("ab") as file:
        file.write(b'{"task": "wealth-net_worth-low", "inv')
    verdict = prompt.with_name("verdict.json")  # the office ends together with the process that started it
    while not verdict.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    gate.touch()
    assert play.main(words(run, ["sh", "-c", waiting])) == 0
    said = capsys.readouterr()
    assert said.out.startswith("2 of 2 tasks resolved") and " –" in said.out
    assert said.err.count("right") == 1, "the other was not played again"
    assert [line["task"] for line in verdicts(run)] == list(TASKS) and verdicts(run)[0]["steps"] is None
    assert (prompt.parents[1] / "attempt-2" / "verdict.json").exists()


def test_a_command_that_breaks_down_has_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "_IN_A_ROW", 1)
    run = tmp_path / "run"
    assert play.main(words(run, ["false"])) == 1
    said = capsys.readouterr()
    assert "1 commands in a row broke down" in said.err and TASKS[1] not in said.err
    assert said.out.startswith("0 of 0 tasks resolved; 1 without a verdict are left out, with them as failures 0 of 1")
    assert "exit code 1" in verdicts(run)[0]["invalid"]
    counted = ("--done-code", "0", "--done-code", "1")
    assert play.main(words(run, ["false"], *counted, tasks=TASKS[:1])) == 0
    assert capsys.readouterr().out.startswith("0 of 1 tasks resolved\n") and len(verdicts(run)) == 2
    with pytest.raises(OptionError, match="expected a command that runs, got 'no-such-runtime'"):
        play.main(words(tmp_path / "other", ["no-such-runtime", "{prompt}"], tasks=TASKS[:1]))
    with pytest.raises(OptionError, match="host: expected an address"):
        play.main(words(tmp_path / "third", ["true"], "--office", "--host nowhere", tasks=TASKS[:1]))


def test_the_time_of_a_task_is_bounded_and_events_are_steps(tmp_path: Path) -> None:
    event = '--JSON Event--\n{\n "kind": "%s"\n}\n'
    said = event % "ActionEvent" + event % "ObservationEvent" + event % "ActionEvent"
    agent = ["sh", "-c", f"printf '%s' {shlex.quote(said)}; sleep 600"]
    assert play.main(words(tmp_path / "run", agent, "--minutes", "0.01", tasks=TASKS[:1])) == 0
    (line,) = verdicts(tmp_path / "run")
    assert line["time_is_up"] and line["steps"] == 2 and line["usd"] is None and not line["success"]
