"""cadaver, unmodified, against the served file store: files, folders, locks and properties."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from teller_gym.office.files.locks import active
from teller_gym.office.files.reading import contents
from tests.office.files.office import DAV_ADA, HOME
from tests.office.files.stock import program, served_office

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving

pytestmark = pytest.mark.webdav_clients


@pytest.fixture
def serving() -> Iterator[Serving]:
    with served_office() as found:
        yield found


def cadaver(serving: Serving, folder: Path, *lines: str) -> list[str]:
    """Return cadaver's output for each line; it keeps its locks for as long as it runs."""
    (folder / ".netrc").write_text("machine 127.0.0.1\nlogin ada\npassword pw:ada\n")
    (folder / ".netrc").chmod(0o600)
    run = subprocess.run(
        [program("cadaver"), f"{serving.addresses['files']}{DAV_ADA}/"],
        input="".join(f"{line}\n" for line in (*lines, "quit")),
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    told = run.stdout.split("dav:/")
    assert run.returncode == 0 and len(told) >= len(lines) + 1, (run.stdout, run.stderr)
    return [one.split("\n", 1)[1] for one in told[1 : len(lines) + 1]]


def test_files_and_folders(serving: Serving, tmp_path: Path) -> None:
    (tmp_path / "net worth 100%.csv").write_bytes(b"a,b\n")
    told = cadaver(
        serving,
        tmp_path,
        "mkcol Work",
        "cd Work",
        'put "net worth 100%.csv"',
        "ls",
        'copy "net worth 100%.csv" copy.csv',
        "move copy.csv moved.csv",
        "get moved.csv down.csv",
        "delete moved.csv",
        "get moved.csv gone.csv",
        "cd ..",
        "ls",
    )
    assert "net worth 100%.csv" in told[3] and "404 Not Found" in told[8] and "Coll:   Work" in told[10]
    assert all("succeeded" in told[number] for number in (0, 2, 3, 4, 5, 6, 7)), told
    assert (tmp_path / "down.csv").read_bytes() == b"a,b\n"
    now = serving.look(lambda store: contents(store, "ada"))
    assert now == {**HOME.files, "/Work/net worth 100%.csv": b"a,b\n"}
    assert "succeeded" in cadaver(serving, tmp_path, "rmcol Work")[0]


def test_locks_keep_other_sessions_out(serving: Serving, tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_bytes(b"mine")
    told = cadaver(
        serving,
        tmp_path,
        "lock readme.txt",
        "put readme.txt",
        "propset readme.txt colour blue",
        "lock Clients",
    )
    assert all("succeeded" in one for one in told), told
    others = cadaver(
        serving,
        tmp_path,
        "put readme.txt",
        "delete readme.txt",
        "move readme.txt other.txt",
        "mkcol Clients/New",
        "copy readme.txt copy.txt",
    )
    assert all("423 Locked" in one for one in others[:-1]) and "succeeded" in others[-1], others
    assert len(serving.look(lambda store: active(store, "ada"))) == 2
    # Another session finds the tokens, and may release its own user's locks.
    freed = cadaver(serving, tmp_path, "steal readme.txt", "steal Clients", "showlocks", "unlock readme.txt")
    assert "opaquelocktoken:" in freed[2] and "succeeded" in freed[3], freed
    assert [one.root for one in serving.look(lambda store: active(store, "ada"))] == ["/Clients"]
    assert "succeeded" in cadaver(serving, tmp_path, "delete readme.txt")[0]
