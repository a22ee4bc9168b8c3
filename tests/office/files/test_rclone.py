"""rclone, unmodified, against the served file store: whole folders, with names that need escapes."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from teller_gym.office.files.reading import contents
from tests.office.files.office import HOME, WEBDAV
from tests.office.files.stock import program, served_office

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
"""Names of files, without a backslash: the store refuses it, since other systems treat it as a separator."""

PICTURES = {number: 0x2400 + number for number in range(32)} | {0x7F: 0x2421}
"""Characters that rclone sends and lists for control characters on WebDAV; local folders have the originals again."""


class Rclone:
    """Runs rclone on a folder and on the office, which it knows as ``office:``."""

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
