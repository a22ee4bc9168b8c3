"""litmus, the usual test suite for WebDAV servers, passes without failures, skipped tests or warnings.

``LITMUS`` names the folder of its programs if it is not where Debian has it.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.office.files.office import DAV_ADA, WEBDAV, missing, served_office

PROGRAMS = Path(os.environ.get("LITMUS", "/usr/libexec/litmus"))

SUITES = {"basic": 16, "copymove": 13, "props": 30, "locks": 41, "http": 4}
"""Programs of litmus 0.13, with the number of their tests."""


@pytest.mark.webdav_clients
@pytest.mark.parametrize("root", [DAV_ADA, WEBDAV])
@pytest.mark.parametrize("suite", SUITES)
def test_litmus_passes_whole(tmp_path: Path, root: str, suite: str) -> None:
    if not (PROGRAMS / suite).is_file():
        missing("litmus")
    (tmp_path / "foo").write_text("a page for litmus to upload\n")
    with served_office() as serving:
        command = [str(PROGRAMS / suite), "--htdocs", str(tmp_path), f"{serving.addresses['files']}{root}/"]
        run = subprocess.run(
            [*command, "ada", "pw:ada"], cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=600
        )
    told = run.stdout.replace("\r", "\n")
    counts = re.search(r"of (\d+) tests run: (\d+) passed, (\d+) failed", told)
    assert counts is not None and [int(number) for number in counts.groups()] == [SUITES[suite], SUITES[suite], 0], told
    assert run.returncode == 0 and not re.search(r"FAIL|SKIPPED|skipped|WARNING|warning", told), told
