"""Command `teller-gym list`, which lists all environments."""

from __future__ import annotations

from typing import Any

import gymnasium as gym

from teller_gym.configuration.envs import env_ids
from teller_gym.days.store import split_days
from teller_gym.office_tasks.contract import load_office
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import VARIANT_SPLITS, Split
from teller_gym.registration import ENVS, FOLDS, OWN
from teller_gym.stage1.task import SIZES
from teller_gym.tables.text import text_table
from teller_gym.tasks.store import FROZEN_SPLITS, split_tasks

from .common import Parser, print_json

EXAMPLE = "  teller-gym list\n  teller-gym list --json | jq '.[].id'"
_USUAL = ("train", "validation", "heldout")


def run(argv: list[str]) -> int:
    """Print all environments as a table or as JSON, and return the exit code."""
    about = "Every environment: its id, its short name, how many frozen tasks it has, and what it is."
    parser = Parser("list", about, EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    options = parser.read(argv)
    rows = [_describe(name, env_id) for name, env_id in env_ids().items()]
    if options.json:
        print_json(rows)
        return 0
    headers = ["id", "name", *_USUAL, "variants", "what it is"]
    print(text_table(headers, [_line(row) for row in rows], left=(0, 1, len(headers) - 1)))
    print("\nvariants: heldout_policy, heldout_schema and heldout_branch, held out too")
    return 0


def _line(row: dict[str, Any]) -> list[str]:
    tasks = row["tasks"]
    variants = sum(tasks.get(str(split), 0) for split in VARIANT_SPLITS)
    counts = [str(tasks.get(split, "–")) for split in _USUAL]
    return [row["id"], row["name"], *counts, str(variants or "–"), row["summary"]]


def _describe(name: str, env_id: str) -> dict[str, Any]:
    spec = gym.spec(env_id)
    scenario = spec.kwargs.get("scenario")
    summaries = {card.id: card.summary for card in (*ENVS, *FOLDS)}
    summary = summaries.get(env_id) or (load_scenario(scenario).title if scenario else "")
    if str(spec.entry_point).endswith(":DayEnv"):
        tasks = {str(split): len(split_days(split)) for split in FROZEN_SPLITS}
    elif str(spec.entry_point).endswith(":OfficeEnv"):
        office = load_office(spec.kwargs["office"])
        splits = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.HELDOUT_WORLDS)
        tasks = {str(split): len(office.ids(split)) for split in splits}
    elif str(spec.entry_point).endswith(":GraphEnv"):  # its train split is unlimited
        tasks = {str(split): size for split, size in SIZES.items() if split is not Split.TRAIN}
    else:
        left_out = spec.kwargs.get("without")
        played = [scenario] if scenario else [entry.name for entry in OWN if entry.name != left_out]
        tasks = {str(split): sum(len(split_tasks(one, split)) for one in played) for split in FROZEN_SPLITS}
    return {"id": env_id, "name": name, "summary": summary, "tasks": tasks}
