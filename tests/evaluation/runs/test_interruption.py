"""A run that is broken off, however that happens, goes on where it was and ends as if it had never been."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import teller_gym
from teller_gym.evaluation import Report
from teller_gym.evaluation.records.run_folder import read_lines
from tests.servers.answers import expert_answers
from tests.servers.running import REPO, Running, scripted_server
from tests.servers.schedule import Match, Rule, Script

PATIENCE_S = 120.0
EPISODES = 16

# Slow enough that there is a middle to break off in: an episode takes half a second, a run with four at a time two.
SCRIPT = Script(
    answers=expert_answers("loans", "validation"), delay_ms=40, rules=(Rule("status", Match(rate=0.05, attempts=1)),)
)


@pytest.fixture(autouse=True)
def stub_env() -> None:
    """The real tasks, not those of the stub."""


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with scripted_server(SCRIPT) as running:
        yield running


@pytest.fixture(scope="module")
def undisturbed(server: Running, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run_dir = tmp_path_factory.mktemp("undisturbed") / "run"
    with started(run_dir, server) as process:
        told = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode == 0, told
    return run_dir


def started(run_dir: Path, server: Running, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "teller_gym.cli", "eval", "env=loans", "split=validation", f"run_dir={run_dir}"]
    command += ["endpoint=vllm", "agent.model=scripted", f"agent.base_url={server.base_url}", "concurrency=4"]
    command += more
    pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONPATH": str(REPO)}
    folder = run_dir.parent
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=folder, env=environment)


def requests_begin(server: Running, process: subprocess.Popen[str]) -> None:
    """Wait until the process plays."""
    patience = time.monotonic() + PATIENCE_S
    while not server.stats()["requests"] and process.poll() is None:
        assert time.monotonic() < patience
        time.sleep(0.02)


def finish(run_dir: Path, server: Running) -> None:
    """The same command until it comes to its end."""
    with started(run_dir, server) as process:
        told = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode == 0, told


def expect_the_same(run_dir: Path, undisturbed: Path) -> None:
    valid = [one for one in read_lines(run_dir / "episodes.jsonl") if one["status"] != "invalid"]
    assert Counter((one["task_id"], one["trial"]) for one in valid).most_common(1)[0][1] == 1, "played twice"
    assert by_task(valid) == by_task(read_lines(undisturbed / "episodes.jsonl"))
    assert len(valid) == EPISODES
    assert without_times(run_dir) == without_times(undisturbed)
    assert json.loads((run_dir / "run.json").read_bytes()) == json.loads((undisturbed / "run.json").read_bytes())


def by_task(episodes: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {one["task_id"]: one for one in episodes}


def without_times(run_dir: Path) -> dict[str, Any]:
    report: dict[str, Any] = json.loads((run_dir / "report.json").read_bytes())
    del report["wall_s"]
    return report


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("seed", range(3))
def test_a_run_that_is_broken_off_again_and_again(
    seed: int, number: signal.Signals, server: Running, undisturbed: Path, tmp_path: Path
) -> None:
    draw, run_dir = random.Random(seed), tmp_path / "run"
    broken_off = 0
    for _ in range(2):
        server.mark()
        with started(run_dir, server) as process:
            requests_begin(server, process)
            time.sleep(draw.uniform(0.0, 1.2))
            process.send_signal(number)
            told = process.communicate(timeout=PATIENCE_S)[1]
        broken_off += process.returncode != 0
        if number == signal.SIGINT and process.returncode:
            assert "Traceback" not in told
    assert broken_off
    finish(run_dir, server)
    expect_the_same(run_dir, undisturbed)


@pytest.mark.slow
def test_a_server_that_dies_and_comes_back(undisturbed: Path, tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    with scripted_server(SCRIPT) as first, started(run_dir, first) as process:
        requests_begin(first, process)
        time.sleep(0.7)
        first.kill()
        time.sleep(1.5)
        with scripted_server(SCRIPT, port=first.port):
            told = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode == 0, told
    expect_the_same(run_dir, undisturbed)


@pytest.mark.slow
def test_a_server_that_stays_dead_costs_only_what_it_did_not_answer(
    server: Running, undisturbed: Path, tmp_path: Path
) -> None:
    run_dir = tmp_path / "run"
    with scripted_server(SCRIPT) as first, started(run_dir, first, "agent.retries=1") as process:
        requests_begin(first, process)
        time.sleep(0.9)
        first.kill()
        told = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode not in (0, None), told
    assert "Traceback" not in told
    kept = [one for one in read_lines(run_dir / "episodes.jsonl") if one["status"] != "invalid"]
    assert not (run_dir / "report.json").exists() or kept
    finish(run_dir, server)
    expect_the_same(run_dir, undisturbed)
    assert read_lines(run_dir / "episodes.jsonl")[: len(kept)] == kept


def test_a_line_that_was_half_written_is_played_again(tmp_path: Path) -> None:
    with scripted_server(Script(answers=SCRIPT.answers)) as running:
        play_some(running, tmp_path)
        whole, times = ((tmp_path / name).read_bytes() for name in ("episodes.jsonl", "times.jsonl"))
        report = without_times(tmp_path)
        for seed in range(2):
            cut = random.Random(seed).randrange(len(whole))
            (tmp_path / "episodes.jsonl").write_bytes(whole[:cut])
            (tmp_path / "times.jsonl").write_bytes(times[: len(times) * cut // len(whole)])
            (tmp_path / "report.json").unlink()
            assert play_some(running, tmp_path).played == 4 - whole[:cut].count(b"\n")
            assert (tmp_path / "episodes.jsonl").read_bytes() == whole
            assert without_times(tmp_path) == report


def play_some(running: Running, run_dir: Path) -> Report:
    options = {"base_url": running.base_url, "model": "scripted"}
    return teller_gym.evaluate(
        "endpoint", "Teller-Loans-v0", "validation", n=4, run_dir=run_dir, agent_kwargs=options, progress=False
    )
