"""`teller-gym office run --list`: the tasks of office work."""

from __future__ import annotations

from teller_gym.cli.common import print_json
from teller_gym.evaluation.measures.tables import text_table
from teller_gym.office_tasks.loading import load_tasks
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.registration import OFFICES

_ELSEWHERE = """
--split heldout_worlds, validation or train lists others; wealth-g-<seed> is a generated one.
level: 1 retrieval, 2 analysis, 3 synthesis and communication
autonomy: high has a brief request, low one that names sources, columns and delivery"""


def print_tasks(split: str, as_json: bool) -> int:
    """Print the tasks of a split: id, title, level and wording."""
    found = [task for name in OFFICES for task in load_tasks(name, split)]
    rows = [_row(task) for task in found if isinstance(task, OfficeTask)]
    if as_json:
        print_json(rows)
        return 0
    names = ["id", "title", "level", "autonomy"]
    print(text_table(names, [[str(row[name]) for name in names] for row in rows], left=(0, 1, 3)))
    print(_ELSEWHERE)
    return 0


def _row(task: OfficeTask) -> dict[str, str | int]:
    return {
        "id": task.id, "title": task.title, "level": task.level, "autonomy": task.autonomy,
        "checkpoints": len(task.checkpoints),
    }  # fmt: skip
