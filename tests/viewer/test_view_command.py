"""`teller-gym view`: it writes, serves only this machine, and ends when asked to."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cli import main
from teller_gym.viewer import serve_view
from tests.evaluation.samples import episode, write_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", [episode()])


def test_only_writes(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(run), "--out", str(tmp_path / "site"), "--no-serve"]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "site" / "index.html")
    assert (tmp_path / "site" / "index.html").exists()


def test_writes_beside_the_first_run_by_default(run: Path) -> None:
    assert main(["view", str(run), str(run), "--no-serve"]) == 0
    assert (run / "view" / "index.html").exists()


def test_a_folder_that_is_no_run_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path), "--no-serve"]) == 2
    assert "no run folder" in capsys.readouterr().err


def test_serves_until_it_is_interrupted(run: Path) -> None:
    command = [sys.executable, "-m", "teller_gym.cli", "view", str(run), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            address = re.match(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert address
            with urllib.request.urlopen(address[0], timeout=10) as page:
                assert page.read() == (run / "view" / "index.html").read_bytes()
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(address[0] + "../run.json", timeout=10)
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=10) == 130
            assert process.stderr
            assert process.stderr.read() == "teller-gym: interrupted\n"
        finally:
            process.kill()


def test_a_port_in_use_is_told(run: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for port in (taken.getsockname()[1], 70_000, -1):
            with pytest.raises(OptionError, match="expected a free one"):
                serve_view(run, port)
