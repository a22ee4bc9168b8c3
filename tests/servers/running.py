"""Starting and stopping the scripted server from a test."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from tests.servers.schedule import Script

REPO = Path(__file__).resolve().parents[2]
PATIENCE_S = 30.0


@dataclass(frozen=True)
class Running:
    """A server that listens."""

    base_url: str
    port: int
    process: subprocess.Popen[bytes]

    def stats(self) -> dict[str, Any]:
        """Its counts since the last mark, see traffic.py."""
        return self._ask("stats", "GET")

    def mark(self) -> dict[str, Any]:
        """The same, and it begins to count anew."""
        return self._ask("mark", "POST")

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def _ask(self, what: str, method: str) -> dict[str, Any]:
        request = urllib.request.Request(f"{self.base_url.removesuffix('/v1')}/{what}", method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            counts: dict[str, Any] = json.load(answer)
        return counts


@contextmanager
def scripted_server(script: Script, *, port: int = 0) -> Iterator[Running]:
    """Run a server; it ends with the block, and with this process however that ends.

    Raises:
        RuntimeError: it did not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "script.json"
        file.write_bytes(msgspec.json.encode(script))
        command = [sys.executable, "-m", "tests.servers.scripted", "--port", str(port), "--script", str(file)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=REPO)
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                raise RuntimeError(f"the scripted server ended with status {process.wait(PATIENCE_S)}")
            told = json.loads(line)
            yield Running(told["base_url"], told["port"], process)
        finally:
            process.kill()
            process.wait(PATIENCE_S)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
