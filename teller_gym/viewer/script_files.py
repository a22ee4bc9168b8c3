"""Data as script files: pages opened without a server may load scripts, but nothing else.

The contents of records were written by models and are not trusted. They are put in a JSON text within a JavaScript
string of printable ASCII without `<`, so no text in it can end the script, the string or the line, and none becomes
code or the prototype of an object.
"""

from __future__ import annotations

import json
from typing import Any

from teller_gym.base.errors import OptionError

_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("<", "\\x3c"), ("\x7f", "\\x7f"))
"""The backslash first, since the others bring some."""


def data_script(name: str, value: Any) -> bytes:
    """Return a script that hands a value to the pages under a name."""
    try:
        text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{name}: expected records of JSON values ({error}); was a file changed by hand?") from None
    for character, escaped in _ESCAPES:  # many times faster than str.translate
        text = text.replace(character, escaped)
    return f"tellerView.take('{name}', '{text}');\n".encode("ascii")
