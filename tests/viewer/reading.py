"""Reads the data files of written pages like a browser, and serves a folder of pages."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from teller_gym.viewer import serve_view

_CALL = re.compile(rb"tellerView\.take\('([a-z0-9-]+)', '(.*)'\);\n")
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)")


def read_script(script: bytes) -> tuple[str, Any]:
    """Return name and value in a data file; fail unless it is exactly one call in plain ASCII."""
    call = _CALL.fullmatch(script)
    assert call, script[:200]
    text = call[2].decode("ascii")
    assert re.fullmatch(r"(?:[ -&(-;=-\[\]-~]|\\\\|\\'|\\x[0-9a-f]{2})*", text), "something ends the string early"
    plain = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "x" else m[1], text)
    return call[1].decode(), json.loads(plain)


def read_data(pages: Path) -> dict[str, Any]:
    """Return the values of all data files of the pages by name."""
    found = {}
    for file in sorted((pages / "data").iterdir()):
        name, value = read_script(file.read_bytes())
        assert file.name == f"{name}.js"
        found[name] = value
    return found


@contextmanager
def served(folder: Path) -> Iterator[ThreadingHTTPServer]:
    """Serve a folder of pages until the block ends."""
    with serve_view(folder) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(10)
