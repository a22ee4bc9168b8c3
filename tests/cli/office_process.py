"""`teller-gym office` in a process of its own, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.office.serving.asking import Reply, request

REPO = Path(__file__).parents[2]
TASK = "wealth-net_worth-high"
PATIENCE_S = 60.0


class Work(NamedTuple):
    """A piece of work under way."""

    process: subprocess.Popen[str]
    told: dict[str, Any]

    def files(self, method: str, path: str, body: bytes = b"", password: str | None = None) -> Reply:
        """Ask the file store for a path below the root."""
        known = self.told["credentials"]["files"]
        pair = f"{known['username']}:{known['password'] if password is None else password}"
        by = "Basic " + b64encode(pair.encode()).decode()
        where = known["root"] + path.replace(" ", "%20")
        return request(self.told["addresses"]["files"], method, where, body, Authorization=by)

    def crm(self, key: str | None = None) -> Reply:
        """Ask the CRM for its contacts."""
        known = self.told["credentials"]["crm"]["X-Api-Key"] if key is None else key
        return request(self.told["addresses"]["crm"], "GET", "/api/v1/Contact", X_Api_Key=known)

    @property
    def folder(self) -> str:
        """The client's folder below the root of the files."""
        client = self.told["request"].split(" of ")[1].split(".")[0]
        return f"Finance_Documents/Clients/{client}"

    def verdict(self, said: str | None = "done\n") -> dict[str, Any]:
        """Report the work as done, unless `said` is None, and return the verdict."""
        out, err = self.process.communicate(said, timeout=PATIENCE_S)
        assert self.process.returncode in (0, 1), err
        found: dict[str, Any] = json.loads(out)
        return found

    def failures(self, said: str | None = "done\n") -> set[str | None]:
        """Return the failure classes of the verdict."""
        return {one["failure"] for one in self.verdict(said)["findings"]}


@contextmanager
def begun(*words: str, task: str = TASK, stdin: Any = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """Start a piece of work."""
    command = [sys.executable, "-m", "teller_gym.cli", "office", "run", task, "--json", *words]
    environment, pipe = {**os.environ, "PYTHONPATH": str(REPO)}, subprocess.PIPE
    process = subprocess.Popen(command, cwd=REPO, env=environment, text=True, stdin=stdin, stdout=pipe, stderr=pipe)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def working(*words: str, task: str = TASK, stdin: Any = subprocess.PIPE) -> Iterator[Work]:
    """Start a piece of work, and wait until its services are up."""
    with begun(*words, task=task, stdin=stdin) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield Work(process, json.loads(line))
