"""Ctrl-C, SIGTERM and a closed pipe end every command promptly, with one message and without leftover processes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

REPO = Path(__file__).parents[2]
PATIENCE_S = 10
"""Timeout in seconds; two are documented, but a busy machine may take longer."""

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to find processes")

STUCK = """
import os, subprocess, sys, threading, time
from types import SimpleNamespace
from teller_gym.cli import main
def run(argv):
    subprocess.Popen(["sh", "-c", "trap '' INT TERM; echo at work; sleep 600"])
    threading.Thread(target=time.sleep, args=(600,)).start()  # at exit the interpreter would wait for it
    while True:
        try:
            time.sleep(600)
        except KeyboardInterrupt:
            pass  # as some libraries do
sys.modules["teller_gym.cli.show"] = SimpleNamespace(run=run)
sys.argv[1:] = ["show"]
main()
"""


def start(*words: str) -> subprocess.Popen[str]:
    """Start Python with these arguments in a new session."""
    environment = {**os.environ, "PYTHONPATH": str(REPO), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=REPO,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def living(session: int) -> list[str]:
    """Return the running processes of a session."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append((entry.parent / "cmdline").read_text("utf-8", "replace").replace("\0", " "))
        except OSError:
            continue
    return found


def remaining(session: int) -> list[str]:
    """Wait until all processes of a session have ended; return those that have not."""
    deadline = time.monotonic() + PATIENCE_S
    while living(session) and time.monotonic() < deadline:
        time.sleep(0.05)
    return living(session)


def stuck(before: str = "") -> subprocess.Popen[str]:
    """Start a command that ignores KeyboardInterrupt, after running some code."""
    process = start("-c", before + STUCK)
    assert process.stdout and process.stdout.readline() == "at work\n"
    return process


def expect_the_end(process: subprocess.Popen[str], number: signal.Signals, *, group: bool, told: str = "") -> None:
    """Send a signal to the process, or to its group as a terminal does, and check that everything ends."""
    try:
        (os.killpg if group else os.kill)(process.pid, number)
        _, errors = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 128 + number
        lines = [line for line in errors.splitlines() if line.startswith("teller-gym: interrupted")]
        assert len(lines) == 1 and errors.splitlines()[-1] == lines[0], errors
        assert told in lines[0]
        assert "Traceback" not in errors
        assert remaining(process.pid) == []
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


SIGNALS = pytest.mark.parametrize(
    ("number", "group"), [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGTERM, True)]
)


@SIGNALS
def test_a_command_that_is_stuck_ends_with_its_children(number: signal.Signals, group: bool) -> None:
    expect_the_end(stuck(), number, group=group)


def test_a_signal_that_comes_while_an_object_is_finalized() -> None:
    """Python prints exceptions of finalizers with a traceback and continues."""
    finalizing = """
import time
class Slow:
    def __del__(self):
        print("at work\\n", end="", flush=True)  # one write, also where Python does not buffer
        time.sleep(600)
sleep = time.sleep
def slowly(seconds):
    Slow()
    sleep(seconds)
"""
    process = start("-c", finalizing + STUCK.replace("time.sleep(600)\n        except", "slowly(600)\n        except"))
    assert process.stdout
    assert [process.stdout.readline() for _ in range(2)] == ["at work\n"] * 2
    expect_the_end(process, signal.SIGTERM, group=False)


def test_a_signal_that_does_not_wake_the_main_thread() -> None:
    """A signal may arrive between Python's last check and a blocking call; here it arrives in another thread."""
    waiting = """
import os, select, signal, sys, threading, time
from types import SimpleNamespace
from teller_gym.cli import main
from teller_gym.cli.interrupt import PATIENCE_S, take_time
def run(argv):
    threading.Timer(0.3, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGINT)).start()
    print("at work", flush=True)
    try:
        select.select([sys.stdin], [], [], 600)
    except KeyboardInterrupt:
        take_time(600)
        time.sleep(2 * PATIENCE_S)
        print("closed", flush=True)
    return 0
sys.modules["teller_gym.cli.show"] = SimpleNamespace(run=run)
sys.argv[1:] = ["show"]
main()
"""
    process = start("-c", waiting)
    assert process.wait(timeout=60) == 128 + signal.SIGINT
    output, errors = process.communicate()
    assert output == "at work\nclosed\n"
    assert errors == "teller-gym: interrupted\n"


def test_a_second_signal_ends_at_once() -> None:
    process = stuck()
    os.kill(process.pid, signal.SIGTERM)
    expect_the_end(process, signal.SIGTERM, group=False)


def test_a_second_signal_while_children_are_being_ended_leaves_none() -> None:
    """Children are stopped first, and one that remained stopped would block the reader of its output."""
    slow = """
import teller_gym.cli.interrupt as interrupt, time
send = interrupt._send
def slowly(number, processes, session):
    send(number, processes, session)
    time.sleep(0.4)
interrupt._send = slowly
"""
    process = stuck(slow)
    for _ in range(2):
        os.kill(process.pid, signal.SIGTERM)
        time.sleep(0.2)
    expect_the_end(process, signal.SIGTERM, group=False)


def test_a_check_ends_with_its_processes() -> None:
    process = start("-m", "teller_gym.cli", "check", "loans", "--quick")
    assert process.stderr and process.stderr.readline().startswith("[1/")
    while len(living(process.pid)) < 4:  # the command, two workers and multiprocessing's resource tracker
        assert process.poll() is None
        time.sleep(0.05)
    expect_the_end(process, signal.SIGINT, group=True, told="had ended")


def test_processes_of_a_check_do_not_outlive_one_that_was_killed() -> None:
    process = start("-m", "teller_gym.cli", "check", "loans", "--quick", "--quiet")
    while len(living(process.pid)) < 4:
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(1)  # so that the workers have started
    os.kill(process.pid, signal.SIGKILL)
    left = remaining(process.pid)
    process.communicate()
    assert left == []


@pytest.fixture
def silent() -> Iterator[tuple[str, Event]]:
    """Yield the URL of an endpoint that never answers, and an event that is set by the first request."""
    asked, over = Event(), Event()

    class Silent(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.set()
            over.wait(120)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", asked
    over.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
def test_an_evaluation_of_an_endpoint(silent: tuple[str, Event], tmp_path: Path) -> None:
    address, asked = silent
    words = ("endpoint=vllm", f"agent.base_url={address}", "agent.model=x", "concurrency=4", f"run_dir={tmp_path}")
    process = start("-m", "teller_gym.cli", "eval", "env=loans", *words)
    assert asked.wait(60)
    kept = f"what was played is kept in {tmp_path}; the same command"
    expect_the_end(process, signal.SIGTERM, group=False, told=kept)


@pytest.mark.slow
@pytest.mark.parametrize(("concurrency", "number"), [(1, signal.SIGINT), (4, signal.SIGTERM)])
def test_an_evaluation_of_a_reference_agent(concurrency: int, number: signal.Signals, tmp_path: Path) -> None:
    words = ("agent=expert", "trials=500", f"concurrency={concurrency}", f"run_dir={tmp_path}", "--quiet")
    process = start("-m", "teller_gym.cli", "eval", "env=loans", *words)
    while not (tmp_path / "episodes.jsonl").exists():
        assert process.poll() is None
        time.sleep(0.02)
    expect_the_end(process, number, group=True, told="the same command continues")


@pytest.mark.slow
@SIGNALS
def test_what_waits_for_a_person(number: signal.Signals, group: bool) -> None:
    play = start("-m", "teller_gym.cli", "play", "loans", "--json")
    assert play.stdout and '"start"' in play.stdout.readline()
    expect_the_end(play, number, group=group)


@pytest.mark.training
@pytest.mark.parametrize("phase", ["data …", "sft …", "grpo …"])
def test_each_phase_of_a_training(phase: str, tmp_path: Path) -> None:
    sizes = (
        "model.shape.tokenizer_texts=12",
        "method.sft.trajectories=64",
        "method.sft.drill_trajectories=0",
        "method.grpo.steps=50",
        "logger=none",
    )
    words = (*sizes, "evaluation.n=1", "evaluation.references=[]", "evaluation.untrained=false")
    process = start("-m", "teller_gym.cli", "train", "--config-name", "demo", *words, f"run_dir={tmp_path / 'run'}")
    assert process.stderr
    lines = iter(process.stderr.readline, "")
    assert any(line.startswith(phase) for line in lines)
    time.sleep(0.3)
    expect_the_end(process, signal.SIGINT, group=True, told="the same command continues")


@pytest.mark.parametrize("words", [["list", "--json"], ["eval", "--help"]])
def test_a_reader_who_leaves_is_no_mistake(words: list[str]) -> None:
    process = start("-m", "teller_gym.cli", *words)
    assert process.stdout and process.stderr
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 0


def test_a_closed_stdout_is_no_mistake() -> None:
    done = subprocess.run(
        f"{sys.executable} -m teller_gym.cli list --json >&-",
        shell=True,
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stderr=subprocess.PIPE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
