"""The store and Apache's mod_dav answer the same to thousands of random requests; runs where Debian's apache2 is.

``APACHE2`` names the program if it is not on the path, ``APACHE2_MODULES`` the folder of its modules.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.office.files.differential import (
    Answer,
    Difference,
    Sent,
    Tree,
    check_counts,
    compare,
    tree_on_disk,
    write_to_disk,
)

PROGRAM = os.environ.get("APACHE2") or shutil.which("apache2")
MODULES = Path(os.environ.get("APACHE2_MODULES", "/usr/lib/apache2/modules"))
CONFIGURATION = """
ServerRoot {root}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {root}/pid
ErrorLog {root}/log
{user}
{modules}
DocumentRoot {root}/tree
DavLockDB {root}/locks/db
<Directory {root}/tree>
  Require all granted
  Dav On
</Directory>
"""
NEEDED = ("mpm_prefork", "authz_core", "dav", "dav_fs")

MISSING = "(free|orphan|in a file)"
DIFFERENCES = (
    Difference(
        ".*", ".*(in a file|orphan).*", (404, 409, 412, 415), (400,), "Apache takes no path that leads on from a file"
    ),
    Difference(
        "COPY|MOVE", "(file|folder|home) to within itself", (409, 412, 415), (400, 403), "sabre/dav: 409, or 415"
    ),
    Difference("COPY|MOVE", f"{MISSING} to .*", (403, 404, 409, 412, 415), (400, 404), "sabre/dav: destination first"),
    Difference("COPY|MOVE", ".* to orphan.*", (409,), (403, 500), "mod_dav leaves a missing folder to the file system"),
    Difference("COPY|MOVE", ".* to what holds it.*", (403, 412), (500,), "mod_dav fails in renaming"),
    Difference("COPY", "folder to within itself", (409,), (204,), "mod_dav allows it without members, over a member"),
    Difference("COPY", "folder to within itself", (409,), (201,), "mod_dav allows it without members"),
    Difference(
        "GET|HEAD", "(folder|home).*", (200, 304, 412), (404,), "Apache has no page for folders, ownCloud has one"
    ),
    Difference("PUT", "(folder|home), If-.*", (412,), (409,), "RFC 9110 leaves the order to the server"),
    Difference("GET|DELETE", f"{MISSING}, .*If-Match.*", (412,), (400, 404), "sabre/dav looks at If-Match first"),
)
"""Everything in which the two differ. ownCloud is sabre/dav, and theirs are the answers to have."""


class ModDav:
    prefix = ""

    def __init__(self, root: Path, port: int) -> None:
        self.root = root
        self.connection = HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, sent: Sent) -> Answer:
        headers = dict(sent.headers)
        if sent.destination is not None:
            headers["Destination"] = f"http://127.0.0.1:{self.connection.port}{quote(sent.destination)}"
        self.connection.request(sent.method, quote(sent.path), sent.body or None, headers)
        response = self.connection.getresponse()
        return Answer(response.status, response.read())

    def tree(self) -> Tree:
        return {path: content for path, content in tree_on_disk(self.root).items() if "/.DAV" not in path}

    def reset(self, tree: Tree) -> None:
        write_to_disk(self.root, tree)
        for path in (self.root, *self.root.rglob("*")):
            os.chmod(path, 0o777)


@pytest.fixture
def mod_dav() -> Iterator[ModDav]:
    if PROGRAM is None or not MODULES.is_dir():
        pytest.skip("needs Debian's apache2")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    root = Path(tempfile.mkdtemp(prefix="mod_dav"))  # pytest's own folders are closed to Apache's user
    try:
        for folder in (root, root / "tree", root / "locks"):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o777)
        (root / "configuration").write_text(
            CONFIGURATION.format(
                root=root,
                port=port,
                user="User nobody" if os.geteuid() == 0 else "",
                modules="\n".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in NEEDED),
            )
        )
        command = [PROGRAM, "-f", str(root / "configuration"), "-D", "FOREGROUND"]
        # In a session of its own: when it ends, Apache sends a signal to its whole process group.
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        ) as server:
            try:
                wait_for(port, server)
                yield ModDav(root / "tree", port)
            finally:
                server.terminate()
    finally:
        shutil.rmtree(root, ignore_errors=True)


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if server.poll() is not None:
            assert server.stderr is not None
            pytest.fail(f"apache2 ended: {server.stderr.read().decode()}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    pytest.fail("apache2 did not start within a minute")


@pytest.mark.parametrize("seed", range(3))
def test_mod_dav_agrees(mod_dav: ModDav, seed: int) -> None:
    check_counts(compare(mod_dav, DIFFERENCES, seed, 1000), 1000)
