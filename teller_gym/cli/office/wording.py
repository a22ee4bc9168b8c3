"""Output of `teller-gym office`: addresses, agent prompt, verdict and task list."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from teller_gym.cli.common import print_json
from teller_gym.office_tasks.loading import load_tasks
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.registration import OFFICES
from teller_gym.tables.text import text_table


def prompt_of(request: str, guide: str, addresses: Mapping[str, str], credentials: Any) -> str:
    """Return an agent's prompt with the request, the office guide, addresses and credentials."""
    return "\n".join([request, "", guide, "", *_places(addresses, credentials), ""])


def say_start(
    addresses: Mapping[str, str], credentials: Any, options: argparse.Namespace, restored: int,
    asked: Mapping[str, str] | None = None, control: str | None = None,
) -> None:  # fmt: skip
    """Print the addresses and credentials, after a task's request if there is one."""
    told: dict[str, Any] = {
        **(asked or {}), "addresses": addresses, "credentials": credentials, "state": options.state,
        "restored": restored, **({} if control is None else {"control": control}),
    }  # fmt: skip
    if options.json:
        sys.stdout.write(f"{msgspec.json.encode(told).decode()}\n")
    else:
        lines = [asked["request"], "", asked["guide"], ""] if asked else []
        lines += _places(addresses, credentials)
        if options.state is not None:
            lines += ["", f"{options.state}: {restored} entries of the journal were found"]
        sys.stdout.write("\n".join([*lines, "", *(_ends(options, control) if asked else ["Ctrl-C ends"]), ""]))
    sys.stdout.flush()


def judged(result: Mapping[str, Any]) -> str:
    """Format the verdict as text."""
    lines = ["the time is up"] if result["time_is_up"] else []
    for one in result["findings"]:
        mark = "passed" if one["passed"] else f"failed ({one['failure']})"
        lines.append(f"{one['checkpoint']}: {mark}: {one['evidence']}")
    lines += [f"besides: {one}" for one in result["collateral"]]
    lines.append("the work is right" if result["success"] else "the work is not right")
    return "\n".join([*lines, ""])


def _places(addresses: Mapping[str, str], credentials: Any) -> list[str]:
    width = max(map(len, addresses))
    lines = [f"{name.ljust(width)}  {address}" for name, address in addresses.items()]
    return [*lines, "", msgspec.json.format(msgspec.json.encode(credentials), indent=2).decode()]


def _ends(options: argparse.Namespace, control: str | None) -> list[str]:
    found = ["Enter says that the work is done"]
    if options.done_file is not None:
        found.append(f"so does the file {options.done_file}")
    if control is not None:
        found.append(f"so does POST {control}/done; GET {control}/prompt is the text for the agent")
    return found


_ELSEWHERE = """
--split heldout_worlds, validation or train lists others; wealth-g-<seed> is a generated one.
level: 1 retrieval, 2 analysis, 3 synthesis and communication
autonomy: high has a brief request, low one that names sources, columns and delivery"""


def print_tasks(split: str, as_json: bool) -> int:
    """Print a split's tasks with id, title, level and autonomy, and return the exit code."""
    found = [task for name in OFFICES for task in load_tasks(name, split)]
    names = ("id", "title", "level", "autonomy")
    rows = [
        {**{name: getattr(task, name) for name in names}, "checkpoints": len(task.checkpoints)}
        for task in found
        if isinstance(task, OfficeTask)
    ]
    if as_json:
        print_json(rows)
        return 0
    print(text_table(list(names), [[str(row[name]) for name in names] for row in rows], left=(0, 1, 3)))
    print(_ELSEWHERE)
    return 0
