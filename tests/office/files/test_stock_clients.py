"""Unmodified litmus, rclone and cadaver work with the served file store.

litmus, a common test suite for WebDAV servers, passes without failures, skipped tests or warnings. Set ``LITMUS`` to
the folder of its programs if it differs from Debian's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from teller_gym.office.files.locks import active
from teller_gym.office.files.reading import contents
from tests.office.files.office import DAV_ADA, HOME, WEBDAV, missing, program, served_office

if TYPE_CHECKING:
    from teller_gym.office.serving import Serving

pytestmark = pytest.mark.webdav_clients

NAMES = [
    *("plain.txt", " leading.txt", "trailing ", "a+b.txt", "50%.txt", "100%25.txt", "%2F.txt", "null%00.txt"),
    *("what?.txt", "hash#tag.txt", "a&b=c;d.txt", "quote'\".txt", "[x].txt", "{y}.txt", "(z).txt", "<w>.txt"),
    *("käse.txt", "日本語.txt", "smile😀.txt", "dot.", "..two", ".hidden", "-dash.txt", "~tilde.txt", "x" * 200),
    *("tab\there.txt", "new\nline.txt", "\x7fdelete.txt", "a|b.txt", "star*.txt", "co:lon.txt", "^caret.txt"),
    *("$dollar.txt", "`tick`.txt", "@at.txt", "comma,.txt", "sub dir/deep#er/100% of it?.txt"),
]
"""Names of files; backslashes are left out, since the store refuses them as separators of other systems."""

PICTURES = {number: 0x2400 + number for number in range(32)} | {0x7F: 0x2421}
"""Characters that rclone substitutes for control characters on WebDAV, but not in local folders."""


class Rclone:
    """Runs rclone with the office as the remote ``office:``."""

    def __init__(self, path: str, address: str, vendor: str, work: Path) -> None:
        self.path = path
        obscured = subprocess.run([path, "obscure", "pw:ada"], capture_output=True, text=True, check=True).stdout
        settings = {"TYPE": "webdav", "URL": address, "VENDOR": vendor, "USER": "ada", "PASS": obscured.strip()}
        self.environment = {
            **os.environ,
            "RCLONE_CONFIG": str(work / "none"),
            **{f"RCLONE_CONFIG_OFFICE_{key}": value for key, value in settings.items()},
        }

    def __call__(self, *arguments: str, succeeds: bool = True) -> str:
        command = [self.path, "--retries", "1", "--low-level-retries", "1", *arguments]
        run = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=300)
        assert (run.returncode == 0) == succeeds, (arguments, run.stdout, run.stderr)
        return run.stdout


@pytest.fixture
def serving() -> Iterator[Serving]:
    with served_office() as found:
        yield found


@pytest.fixture
def rclone(serving: Serving, tmp_path: Path) -> Rclone:
    return Rclone(program("rclone"), serving.addresses["files"] + WEBDAV, "owncloud", tmp_path)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name in NAMES:
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(name.encode())
    return tmp_path / "source"


def below(serving: Serving, folder: str) -> dict[str, bytes]:
    return serving.look(
        lambda store: {
            path[len(folder) + 1 :]: content
            for path, content in contents(store, "ada").items()
            if path.startswith(folder + "/")
        }
    )


def test_copies_and_synchronises_odd_names(rclone: Rclone, serving: Serving, source: Path, tmp_path: Path) -> None:
    rclone("copy", str(source), "office:Odd names")
    assert below(serving, "/Odd names") == {name.translate(PICTURES): name.encode() for name in NAMES}
    rclone("check", "--download", str(source), "office:Odd names")
    listed = json.loads(rclone("lsjson", "-R", "--files-only", "office:Odd names"))
    assert {one["Path"]: one["Size"] for one in listed} == {
        name.translate(PICTURES): len(name.encode()) for name in NAMES
    }

    (source / "plain.txt").write_bytes(b"changed, and longer")
    (source / "50%.txt").unlink()
    rclone("check", "--download", str(source), "office:Odd names", succeeds=False)
    rclone("sync", str(source), "office:Odd names")
    assert set(below(serving, "/Odd names")) == {name.translate(PICTURES) for name in NAMES} - {"50%.txt"}
    rclone("sync", "office:Odd names", str(tmp_path / "back"))
    back = {str(one.relative_to(tmp_path / "back")): one.read_bytes() for one in (tmp_path / "back").rglob("*.*")}
    assert back["plain.txt"] == b"changed, and longer" and "50%.txt" not in back
    rclone("check", "--download", str(source), str(tmp_path / "back"))


def test_makes_moves_and_removes(rclone: Rclone, serving: Serving, source: Path) -> None:
    rclone("copy", str(source), "office:A")
    rclone("mkdir", "office:New dir#1/100% of it")
    rclone("moveto", "office:A/50%.txt", "office:New dir#1/60%.txt")
    assert below(serving, "/New dir#1") == {"60%.txt": b"50%.txt"}
    rclone("copyto", "office:A/what?.txt", "office:New dir#1/what else?.txt")
    rclone("move", "office:A/sub dir", "office:New dir#1/sub")
    assert below(serving, "/New dir#1/sub") == {"deep#er/100% of it?.txt": b"sub dir/deep#er/100% of it?.txt"}
    rclone("rmdir", "office:New dir#1", succeeds=False)
    rclone("delete", "office:New dir#1")
    assert below(serving, "/New dir#1") == {}
    for folder in ("New dir#1", "A"):
        rclone("purge", f"office:{folder}")
    assert rclone("lsf", "office:") == "Clients/\nEmpty/\nreadme.txt\n"
    assert serving.look(lambda store: contents(store, "ada")) == HOME.files


PROGRAMS = Path(os.environ.get("LITMUS", "/usr/libexec/litmus"))

SUITES = {"basic": 16, "copymove": 13, "props": 30, "locks": 41, "http": 4}
"""Programs of litmus 0.13, with their numbers of tests."""


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


if TYPE_CHECKING:
    from teller_gym.office.serving import Serving


def cadaver(serving: Serving, folder: Path, *lines: str) -> list[str]:
    """Run cadaver and return the output for each line; its locks last as long as it runs."""
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
    # Another session of the same user can find the tokens and release the locks.
    freed = cadaver(serving, tmp_path, "steal readme.txt", "steal Clients", "showlocks", "unlock readme.txt")
    assert "opaquelocktoken:" in freed[2] and "succeeded" in freed[3], freed
    assert [one.root for one in serving.look(lambda store: active(store, "ada"))] == ["/Clients"]
    assert "succeeded" in cadaver(serving, tmp_path, "delete readme.txt")[0]
