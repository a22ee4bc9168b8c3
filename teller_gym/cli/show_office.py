"""`teller-gym show wealth`: the kinds of office work, the handbook, the tools, or a task with the expert's calls."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from typing import Any

import msgspec

from teller_gym.agents.chat import signature
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.office.desk.tools import TOOLS
from teller_gym.office_tasks.contract import OfficeScenario
from teller_gym.procedure.task import Split
from teller_gym.tables.text import text_table

Shown = tuple[Any, str]
"""The same as JSON values and as text."""


def show(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    """Return what is asked for.

    Raises:
        OptionError: office work has no such thing.
    """
    shown = {"summary": _summary, "sop": _handbook, "tools": _tools, "task": _task}.get(options.thing)
    if shown is None:
        raise OptionError(f"{options.thing}: {office.name} has no graph; expected summary, sop, tools or task")
    return shown(office, options)


def _summary(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    tasks = [office.find(task_id) for task_id in office.ids(Split.HELDOUT)]
    kinds = {task.kind: task for task in tasks}
    rows = [[one.kind, str(one.level), ", ".join(one.checkpoints)] for one in kinds.values()]
    counts = {str(split): len(office.ids(split)) for split in _SPLITS}
    data = {
        "scenario": office.name,
        "kinds": {one.kind: {"level": one.level, "checkpoints": one.checkpoints} for one in kinds.values()},
        "tasks": counts,
        "perturbations": office.perturbations,
    }
    lines = [
        text_table(["kind of work", "level", "checkpoints"], rows, left=(0, 2)),
        "",
        "tasks          " + ", ".join(f"{count} {split}" for split, count in counts.items()),
        "perturbations  " + ", ".join(office.perturbations),
        "",
        f"further: teller-gym show {office.name} sop | tools | task",
    ]
    return data, "\n".join(lines)


_SPLITS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT, Split.HELDOUT_WORLDS)


def _handbook(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    found = office.handbook()
    return found, "\n\n".join(f"{path}\n\n{text.strip()}" for path, text in found.items())


def _tools(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    if options.name is not None:
        tool = TOOLS.get(options.name)
        if tool is None:
            hint = did_you_mean(options.name, TOOLS)
            raise OptionError(f"{office.name} has no tool {options.name!r}{hint}")
        return tool.schema(), json.dumps(tool.schema()["function"], indent=2, ensure_ascii=False)
    width = max(80, shutil.get_terminal_size().columns)
    lines = [textwrap.fill(signature(tool.schema()), width, subsequent_indent=" " * 4) for tool in TOOLS.values()]
    return TOOLS.schemas(), "\n".join(lines)


def _task(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    task = office.find(options.name or office.ids(Split.HELDOUT)[0])
    standard = task.standard
    data = {
        "id": task.id,
        "split": str(task.split),
        "today": task.today.isoformat(),
        "request": task.request,
        "checkpoints": task.checkpoints,
        "calls": msgspec.to_builtins(standard.calls),
        "outputs": standard.outputs,
    }
    lines = [f"{task.id}  {task.split}  {task.today.isoformat()}", "", task.request, "", "the expert's calls", ""]
    for number, call in enumerate(standard.calls, 1):
        arguments = json.dumps(call.arguments, ensure_ascii=False)
        shown = arguments if options.full else textwrap.shorten(arguments, 200, placeholder=" … (--full)")
        lines.append(f"{number:3} {call.name} {shown}")
    for name, text in standard.outputs.items():
        lines += ["", name, "", text.strip()]
    return data, "\n".join(lines)
