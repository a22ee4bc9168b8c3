"""Runs a server in a separate process, which tests may kill: `python -m tests.office.serving.process DIR`.

The process prints its address as JSON and ends when its standard input does, so that it does not outlive a test.
"""

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

REPO = Path(__file__).resolve().parents[3]
PATIENCE_S = 60.0


class Running(NamedTuple):
    """A running server process."""

    process: subprocess.Popen[str]
    address: str
    restored: int

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)


@contextmanager
def running(state: Path, file_size: int | None = None) -> Iterator[Running]:
    """Run a server with a journal in ``state``; ``file_size`` limits its files in bytes to simulate a full disk."""
    command = [sys.executable, "-m", "tests.office.serving.process", str(state)]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    process = subprocess.Popen(
        command, cwd=REPO, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        told = json.loads(line)
        if file_size is not None:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (file_size, resource.RLIM_INFINITY))
        yield Running(process, told["address"], told["restored"])
    finally:
        process.kill()
        process.communicate()


def main() -> None:
    """Serve until the end of standard input."""
    from teller_gym.office.serving import Serving
    from tests.office.serving.kv import Office

    with Serving(Office(), state=sys.argv[1]) as serving:
        print(json.dumps({"address": serving.addresses["kv"], "restored": serving.restored}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
