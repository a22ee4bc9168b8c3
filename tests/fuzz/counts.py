"""Counts of trials: each attack counts what it sent, and `make fuzz` adds the counts up."""

from __future__ import annotations

import atexit
import json
import os
from collections import Counter

FILE_VARIABLE = "TELLER_GYM_FUZZ_COUNTS"
"""Names the file to which this process appends its counts as it ends, a line of JSON; without it nothing is kept."""

_counted: Counter[str] = Counter()


def count(what: str, n: int = 1) -> None:
    """Note that something was tried n times: "actions", "calls", "endpoints", "kills", "folders", "options",
    "resets"."""
    _counted[what] += n


@atexit.register
def _write() -> None:
    path = os.environ.get(FILE_VARIABLE)
    if path and _counted:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(_counted, sort_keys=True) + "\n")
