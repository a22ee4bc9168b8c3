"""The data files of written pages, read as a browser does."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

_CALL = re.compile(rb"tellerView\.take\('([a-z0-9-]+)', '(.*)'\);\n")
_ESCAPE = re.compile(r"\\(x[0-9a-f]{2}|.)")


def read_script(script: bytes) -> tuple[str, Any]:
    """Name and value that a data file hands over; fails if it is anything but this one call in plain ASCII."""
    call = _CALL.fullmatch(script)
    assert call, script[:200]
    text = call[2].decode("ascii")
    assert re.fullmatch(r"(?:[ -&(-;=-\[\]-~]|\\\\|\\'|\\x[0-9a-f]{2})*", text), "something ends the string early"
    plain = _ESCAPE.sub(lambda m: chr(int(m[1][1:], 16)) if m[1][0] == "x" else m[1], text)
    return call[1].decode(), json.loads(plain)


def read_data(pages: Path) -> dict[str, Any]:
    """All data files of a folder of pages by name."""
    found = {}
    for file in sorted((pages / "data").iterdir()):
        name, value = read_script(file.read_bytes())
        assert file.name == f"{name}.js"
        found[name] = value
    return found
