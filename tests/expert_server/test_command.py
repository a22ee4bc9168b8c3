"""`teller-gym serve-expert` as a program: its first line of output, signals, and a port in use."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from teller_gym.cli import main

REPO = Path(__file__).parents[2]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_listens_and_ends_by_a_signal(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "teller_gym.cli", "serve-expert", "--port", "0", "--json"]
    environment = os.environ | {"PYTHONPATH": str(REPO)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        with urllib.request.urlopen(f"{told['base_url']}/models", timeout=30) as answer:
            assert [one["id"] for one in json.load(answer)["data"]] == [told["model"]]
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert b"Traceback" not in errors


def test_a_port_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    from teller_gym.expert_server.server import serve_expert

    with serve_expert() as base_url:
        port = base_url.rpartition(":")[2].partition("/")[0]
        assert main(["serve-expert", "--port", port]) == 2
    assert f"port: {port} of 127.0.0.1 cannot be used" in capsys.readouterr().err
