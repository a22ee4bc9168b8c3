"""`teller-gym office serve`: what it prints, how it ends, and what it says of mistakes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from base64 import b64encode
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from teller_gym.cli import main

pytest.importorskip("uvicorn", reason="needs the extra office")

from teller_gym.office.serving.journal import FILE
from teller_gym.office_tasks.contract import load_office
from teller_gym.registration import OFFICES
from tests.office.serving.asking import begin, connect, reply, request

REPO = Path(__file__).parents[2]
OFFICE = "tests.office.serving.kv:open_office"
OFFICE_WORK = load_office(OFFICES["wealth"])
PATIENCE_S = 60.0


def start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "teller_gym.cli", "office", "serve", "--office", OFFICE, *words]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    return subprocess.Popen(
        command, cwd=REPO, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    found: dict[str, Any] = json.loads(line)
    return found


def mistake(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["office", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("teller-gym: ") and err.count("\n") == 1
    return err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_serves_until_a_signal_and_goes_on_afterwards(number: signal.Signals, tmp_path: Path) -> None:
    for turn in range(2):
        process = start("--state", str(tmp_path / "state"), "--json")
        try:
            found = told(process)
            assert found["credentials"] == {"kv": {"user": "ann", "password": "secret"}}
            assert found["restored"] == 2 * turn
            address = found["addresses"]["kv"]
            assert request(address, "PUT", f"/{turn}", b"1").status == 201
            assert request(address, "GET", "/0").body == b"1"
            with closing(connect(address)) as client:
                begin(client, "PUT", "/late", 5)
                client.send(b"hel")
                request(address, "GET", "/0")
                process.send_signal(number)
                client.send(b"lo")
                assert reply(client).status == (204 if turn else 201)
            out, err = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 128 + number and out == ""
            assert err.splitlines()[-1] == (
                f"teller-gym: interrupted; what was acknowledged is kept in {tmp_path / 'state'}; "
                "the same command continues"
            )
            assert err.count("\n") == 1
        finally:
            process.kill()
            process.communicate()


def test_a_second_process_is_told_of_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    process = start("--state", str(tmp_path), "--json")
    try:
        told(process)
        words = ("serve", "--office", OFFICE, "--state", str(tmp_path))
        assert f"another process is writing to it (process {process.pid} on " in mistake(capsys, *words)
    finally:
        process.kill()
        process.communicate()


def test_for_people_it_prints_lines() -> None:
    process = start("--port", "kv=0", "--rate-limit", "1")
    try:
        assert process.stdout is not None
        lines: list[str] = []
        while "Ctrl-C ends" not in lines:
            lines.append(process.stdout.readline().rstrip("\n"))
            assert process.poll() is None
        assert lines[0].startswith("kv      http://127.0.0.1:") and lines[1].startswith("worded  http://127.0.0.1:")
        address = lines[0].split()[1]
        assert [request(address, "GET", "/first").status for _ in range(3)] == [200, 429, 200]
        # Who reads no more is no mistake, and the server goes on.
        threading.Thread(target=process.stdout.close).start()
        assert request(address, "GET", "/first").status == 429
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["office", "--help"]) == 0
    assert "examples:\n  teller-gym office serve  " in capsys.readouterr().out


def test_mistakes_are_told_in_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    serve = ("serve", "--office", OFFICE)
    assert "invalid choice: 'open'" in mistake(capsys, "open", "--office", OFFICE)
    assert "task: expected the id of a task" in mistake(capsys, "run")
    assert "task and --minutes are of run" in mistake(capsys, *serve, "wealth-net_worth-high")
    assert "office: expected none" in mistake(capsys, "run", "wealth-net_worth-high", "--office", OFFICE)
    assert "minutes: expected a number above 0" in mistake(capsys, "run", "wealth-net_worth-high", "--minutes", "0")
    assert "task_id: expected one of wealth-net_worth-high" in mistake(capsys, "run", "loans-0001")
    assert "expected module:function" in mistake(capsys, "serve", "--office", "kv")
    assert "port: expected SERVICE=N such as files=8080, got 'kv'" in mistake(capsys, *serve, "--port", "kv")
    assert "port: expected one of kv, worded, got 'kw'" in mistake(capsys, *serve, "--port", "kw=1")
    assert "rate_limit: expected at least 1" in mistake(capsys, *serve, "--rate-limit", "0")
    assert "expected a share from 0 to 1" in mistake(capsys, *serve, "--temporary-errors", "2")
    (tmp_path / FILE).write_text("mine" * 200)
    assert "is not the journal of an office" in mistake(capsys, *serve, "--state", str(tmp_path))


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *more: None)
    assert "pip install -e '.[office]'" in mistake(capsys, "serve", "--office", OFFICE)


def run(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "teller_gym.cli", "office", "run", "wealth-net_worth-high", "--json", *words]
    environment, pipe = {**os.environ, "PYTHONPATH": str(REPO)}, subprocess.PIPE
    return subprocess.Popen(command, cwd=REPO, env=environment, text=True, stdin=pipe, stdout=pipe, stderr=pipe)


def signed(told: dict[str, Any]) -> str:
    files = told["credentials"]["files"]
    return "Basic " + b64encode(f"{files['username']}:{files['password']}".encode()).decode()


def test_work_that_is_done_from_outside_is_judged(tmp_path: Path) -> None:
    task = OFFICE_WORK.find("wealth-net_worth-high")
    (name, text), *_ = task.standard.outputs.items()
    process = run("--state", str(tmp_path / "state"))
    try:
        found = told(process)
        assert found["task"] == task.id and found["request"] == task.request and "Basic" in found["guide"]
        folder = f"Finance_Documents/Clients/{task.request.split(' of ')[1].split('.')[0].replace(' ', '%20')}"
        path = f"{found['credentials']['files']['root']}{folder}"
        address, by = found["addresses"]["files"], signed(found)
        assert request(address, "GET", f"{path}/assets.csv").status == 401
        assert request(address, "GET", f"{path}/assets.csv", Authorization=by).status == 200
        assert request(address, "PUT", f"{path}/{name}", text.encode(), Authorization=by).status == 201
        process.kill()
        process.communicate()
        # What was acknowledged is there when the same command goes on.
        process = run("--state", str(tmp_path / "state"))
        assert told(process)["restored"] > 0
        out, _ = process.communicate("done\n", timeout=PATIENCE_S)
        verdict = json.loads(out)
        assert process.returncode == 0 and verdict["success"] and not verdict["time_is_up"]
        assert [one["checkpoint"] for one in verdict["findings"]] == list(task.checkpoints)
    finally:
        process.kill()
        process.communicate()


def test_the_time_is_up_and_what_was_refused_is_told() -> None:
    process = run("--minutes", "0.03")
    try:
        found = told(process)
        path = found["credentials"]["files"]["root"] + "Clients/assets.csv"
        assert request(found["addresses"]["files"], "GET", path, Authorization="Basic YTpi").status == 401
        assert process.stdout is not None
        verdict = json.loads(process.stdout.readline())
        assert process.wait(PATIENCE_S) == 1 and verdict["time_is_up"] and not verdict["success"]
        assert {one["failure"] for one in verdict["findings"]} == {"E1"}
        assert "401 for GET" in verdict["findings"][0]["evidence"]
    finally:
        process.kill()
        process.communicate()


def test_the_office_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "wealth"]) == 0
    assert "net_worth" in capsys.readouterr().out
    assert main(["show", "wealth", "sop"]) == 0
    assert "00_House_Rules.txt" in capsys.readouterr().out
    assert main(["show", "wealth", "tools", "sign_in"]) == 2
    assert main(["show", "wealth", "graph"]) == 2
    capsys.readouterr()
    assert main(["show", "wealth", "task", "wealth-trusts-low", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["id"] == "wealth-trusts-low" and list(found["outputs"]) == ["discrepancies.csv"]
