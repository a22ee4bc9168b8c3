"""litmus, the usual test of WebDAV servers, passes; runs where Debian's litmus is.

``LITMUS`` names the folder of its programs if that is another one.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.office.files.http_adapter import served
from tests.office.files.office import DAV_ADA, SERVICE, check_tree, office

PROGRAMS = Path(os.environ.get("LITMUS", "/usr/libexec/litmus"))

DEAD_PROPERTIES = {"propset", "propmanyns", "propget"}
"""Tests that set properties of their own, which are not kept here; litmus skips what follows from the first."""


@pytest.fixture
def address() -> Iterator[str]:
    if not PROGRAMS.is_dir():
        pytest.skip("needs Debian's litmus")
    store = office()
    with served(SERVICE, store) as found:
        yield found
    check_tree(store)


@pytest.mark.parametrize(
    ("suite", "passed", "failed"),
    [("basic", 16, set()), ("copymove", 13, set()), ("http", 4, set()), ("props", 11, DEAD_PROPERTIES)],
)
def test_litmus_passes(address: str, tmp_path: Path, suite: str, passed: int, failed: set[str]) -> None:
    (tmp_path / "foo").write_text("a page for litmus to upload\n")
    command = [str(PROGRAMS / suite), "--htdocs", str(tmp_path), f"{address}{DAV_ADA}/", "ada", "pw:ada"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=600)
    told = run.stdout.replace("\r", "\n")
    counts = re.search(r"of (\d+) tests run: (\d+) passed", told)
    assert counts is not None and int(counts[2]) == passed, told
    assert set(re.findall(r"\d+\. (\w+)\.* FAIL", told)) == failed, told
