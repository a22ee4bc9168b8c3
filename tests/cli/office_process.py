"""Helpers that run `teller-gym office` in another process, or serve the office of a task in this one."""

import json
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from teller_gym.cli.office.work import verdict_of
from teller_gym.office.serving import Serving
from teller_gym.office_tasks.access import WatchedOffice
from teller_gym.office_tasks.contract import load_office
from teller_gym.registration import OFFICES
from tests.office.serving.asking import Reply, request

REPO = Path(__file__).parents[2]
TASK = "wealth-net_worth-high"
PATIENCE_S = 60.0


class Clients(NamedTuple):
    """Clients of a served office; `told` contains its addresses, its credentials and the request."""

    told: dict[str, Any]

    def files(self, method: str, path: str, body: bytes = b"", password: str | None = None) -> Reply:
        """Send a request for a path below the root to the file store."""
        known = self.told["credentials"]["files"]
        pair = f"{known['username']}:{known['password'] if password is None else password}"
        by = "Basic " + b64encode(pair.encode()).decode()
        where = known["root"] + path.replace(" ", "%20")
        return request(self.told["addresses"]["files"], method, where, body, Authorization=by)

    def crm(self, key: str | None = None, path: str = "/api/v1/Contact") -> Reply:
        """Request the contacts, or another path, from the CRM."""
        known = self.told["credentials"]["crm"]["X-Api-Key"] if key is None else key
        return request(self.told["addresses"]["crm"], "GET", path, X_Api_Key=known)

    @property
    def folder(self) -> str:
        """Folder of the task's client below the root of the files."""
        client = self.told["request"].split(" of ")[1].split(".")[0]
        return f"Finance_Documents/Clients/{client}"


@contextmanager
def served(name: str) -> Iterator[tuple[Clients, Any]]:
    """Serve a task's office in this process; yield its clients and a function that judges the office."""
    scenario = load_office(OFFICES["wealth"])
    task = scenario.find(name)
    office, user = WatchedOffice(scenario.served(task)), scenario.open(task).user
    with Serving(office) as serving:
        told = {"addresses": serving.addresses, "credentials": office.credentials(), "request": task.request}
        yield Clients(told), lambda: serving.look(lambda store: verdict_of(scenario, task, user, store))


@contextmanager
def office(*words: str, stdin: Any = subprocess.PIPE) -> Iterator[subprocess.Popen[str]]:
    """Run `teller-gym office` in another process until the block ends."""
    command = [sys.executable, "-m", "teller_gym.cli", "office", *words]
    environment, pipe = {**os.environ, "PYTHONPATH": str(REPO)}, subprocess.PIPE
    process = subprocess.Popen(command, cwd=REPO, env=environment, text=True, stdin=stdin, stdout=pipe, stderr=pipe)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for the first line of output and parse it as JSON."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    found: dict[str, Any] = json.loads(line)
    return found


def verdict(process: subprocess.Popen[str], said: str | None = "done\n") -> dict[str, Any]:
    """Send `said` to the process and return its verdict."""
    out, err = process.communicate(said, timeout=PATIENCE_S)
    assert process.returncode in (0, 1), err
    found: dict[str, Any] = json.loads(out)
    return found
