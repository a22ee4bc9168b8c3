"""`teller-gym list`: every environment, a line each."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from teller_gym.evaluation.tables import text_table
from teller_gym.scenario import load_scenario
from teller_gym.stage1.task import SIZES
from teller_gym.task import Split
from teller_gym.tasks import FROZEN_SPLITS, split_tasks

from .common import Parser, env_ids, print_json

EXAMPLE = "  teller-gym list\n  teller-gym list --json | jq '.[].id'"


def run(argv: list[str]) -> int:
    """Print the environments."""
    parser = Parser("list", "Every environment: its id, its short name, how many frozen tasks it has.", EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    options = parser.read(argv)
    rows = [_describe(name, env_id) for name, env_id in env_ids().items()]
    if options.json:
        print_json(rows)
        return 0
    splits = [str(split) for split in FROZEN_SPLITS]
    body = [[r["id"], r["name"], r["title"], *(str(r["tasks"].get(split, "")) for split in splits)] for r in rows]
    print(text_table(["id", "name", "title", *splits], body))
    return 0


def _describe(name: str, env_id: str) -> dict[str, Any]:
    spec = gym.spec(env_id)
    scenario = spec.kwargs.get("scenario")
    title, tasks = "", {}
    if scenario is not None:
        title = load_scenario(scenario).title
        tasks = {str(split): len(split_tasks(scenario, split)) for split in FROZEN_SPLITS}
        if str(spec.entry_point).endswith(":GraphEnv"):  # its train split has no end
            tasks = {str(split): size for split, size in SIZES.items() if split is not Split.TRAIN}
    return {"id": env_id, "name": name, "title": title, "tasks": tasks}
