"""Records of the format before the present one: what regrading makes of them before it plays their actions again.

Nothing else reads them. What `success` means has changed since, so their figures do not belong beside those of today.
"""

from __future__ import annotations

from typing import Any

from teller_gym.base.errors import ErrorKind
from teller_gym.evaluation.episodes import FORMAT, Episode

EARLIER = 2
ADDED = frozenset({"accurate", "clean", "faults"})
"""Keys that a record of that format does not have."""


def brought_up(record: dict[str, Any]) -> Episode:
    """Return a record of the earlier format as one of the present; faults it cannot know of."""
    fields = [row["passed"] for row in record["checkpoints"] if row["checkpoint"].startswith("field:")]
    failed = any(kind != ErrorKind.TEMPORARY for kind in record["error_counts"])
    told: dict[str, Any] = {
        "format": FORMAT,
        "accurate": record["success"] or (bool(fields) and all(fields)),
        "clean": record["success"] and not failed,
        "faults": [],
    }
    return {**record, **told}  # type: ignore[typeddict-item]
