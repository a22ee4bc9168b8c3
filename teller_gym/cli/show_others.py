"""Output of `teller-gym show` for working days, banks with several scenarios, stage 1 and office work."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.agents.chat import signature as line_of
from teller_gym.base.errors import OptionError
from teller_gym.base.text import did_you_mean
from teller_gym.days.law import queue_sop
from teller_gym.days.store import find_day, split_days
from teller_gym.office.desk.tools import TOOLS
from teller_gym.office_tasks.contract import OfficeScenario
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.stage1.context import context, signature
from teller_gym.stage1.task import SIZES, GraphTask, find_graph_task, gold_of, pool_of
from teller_gym.tables.text import text_table
from teller_gym.tasks.store import FROZEN_SPLITS, split_tasks

Shown = tuple[Any, str]
"""Output of a command in two forms: JSON values and text."""


def show_tools(tools: Any, name: str | None, owner: str) -> Shown:
    """Return all tools in a set, or one tool by name.

    ``owner`` is named in the error message for an unknown tool.
    """
    if name is None:
        width = max(80, shutil.get_terminal_size().columns)
        lines = [textwrap.fill(line_of(tool.schema()), width, subsequent_indent=" " * 4) for tool in tools.values()]
        return tools.schemas(), "\n".join(lines)
    if name not in tools:
        raise OptionError(f"{owner} has no tool {name!r}{did_you_mean(name, tools)}")
    return tools[name].schema(), json.dumps(tools[name].schema()["function"], indent=2, ensure_ascii=False)


def _calls(calls: Any, full: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """Return calls as JSON values and as numbered text lines."""
    plain, lines = msgspec.to_builtins(calls), []
    for number, one in enumerate(plain, 1):
        arguments = json.dumps(one["arguments"], ensure_ascii=False)
        lines.append(
            f"{number:3} {one['name']} {arguments if full else textwrap.shorten(arguments, 200, placeholder=CUT)}"
        )
    return plain, lines


CUT = " … (--full)"


def _counted(counts: Mapping[str, Any]) -> str:
    return ", ".join(f"{count} {split}" for split, count in counts.items())


def show_day(env: gym.Env[Any, Any], options: argparse.Namespace) -> Shown:
    """Return the requested part of working days."""
    core: Any = env.unwrapped
    if options.thing == "sop":
        return {"scenario": "day", "text": queue_sop()}, queue_sop()
    if options.thing == "tools":
        return show_tools(core.tools, options.name, "day, before a case is opened,")
    if options.thing == "task":
        return _day_task(core, options)
    _expect(options.thing, "day", ("summary", "sop", "tools", "task"))
    splits = {str(split): len(split_days(split)) for split in _DAYS}
    data = {"scenario": "day", "desks": core.desks, "cases": core.sizes, "tasks": splits}
    least, most = core.sizes
    lines = [
        "A working day: a queue of cases of several desks, with priorities, due times and a clock",
        "",
        f"desks         {', '.join(core.desks)}",
        f"cases         {least} to {most} a day",
        "frozen tasks  " + _counted(splits),
        "",
        "further: teller-gym show day sop | tools | task",
    ]
    return data, "\n".join(lines)


_DAYS = (Split.TRAIN, Split.VALIDATION, Split.HELDOUT)


def _day_task(core: Any, options: argparse.Namespace) -> Shown:
    day = find_day(options.name or split_days(Split.HELDOUT)[0].id, core.scenarios)
    rows = [
        [one.reference, one.task.scenario, one.channel, _time(one.arrived), _time(one.due), one.after or "–"]
        for one in day.cases
    ]
    table = text_table(["case", "desk", "channel", "arrives", "due", "changed by"], rows, left=(0, 1, 2, 5))
    calls, lines = _calls(day.standard.calls, options.full)
    lines = [day.id, "", day.request, "", table, "", f"standard result: {len(calls)} calls", "", *lines]
    data = {"id": day.id, "request": day.request, "cases": rows, "calls": calls}
    return data, "\n".join(lines)


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def show_bank(env: gym.Env[Any, Any], options: argparse.Namespace) -> Shown:
    """Return a description of an env that mixes several scenarios."""
    core: Any = env.unwrapped
    names = ", ".join(core.scenarios)
    if options.thing != "summary":
        raise OptionError(f"{options.thing}: each scenario has its own; teller-gym show NAME {options.thing}: {names}")
    rows = [[name, *(str(len(split_tasks(name, split))) for split in FROZEN_SPLITS)] for name in core.scenarios]
    splits = [str(split) for split in FROZEN_SPLITS]
    data = {"scenarios": core.weights, "tasks": {row[0]: dict(zip(splits, row[1:], strict=True)) for row in rows}}
    lines = [
        "Cases of several scenarios, mixed by weights; each episode has its own procedure and tools",
        "",
        text_table(["scenario", *splits], rows, left=(0,)),
        "",
        f"further: teller-gym show NAME, of {names}",
    ]
    return data, "\n".join(lines)


def show_graph(env: gym.Env[Any, Any], options: argparse.Namespace) -> Shown:
    """Return the requested part of stage 1, such as the question, the tool pool or the gold graph."""
    core: Any = env.unwrapped
    scenario = core.scenario.name
    named = options.name if options.thing == "task" else None
    task = find_graph_task(scenario, named or f"{scenario}-graph-heldout-0", distractors=core.distractors)
    if options.thing == "sop":
        text = context(task)
        return {"task": task.id, "text": text}, text
    if options.thing == "tools":
        pool = pool_of(task).tools
        if options.name is None:
            return [tool.name for tool in pool.values()], "\n\n".join(map(signature, pool.values()))
        if options.name not in pool:
            raise OptionError(f"{task.id} has no tool {options.name!r}; teller-gym show {scenario}_graph tools")
        return signature(pool[options.name]), signature(pool[options.name])
    if options.thing in ("graph", "task"):
        return _graph_task(task)
    own = load_scenario(scenario)
    splits = {str(split): size for split, size in SIZES.items() if split is not Split.TRAIN} | {"train": "without end"}
    data = {
        "scenario": scenario,
        "stage": 1,
        "nodes": len(own.graph.nodes),
        "edges": len(own.graph.edges),
        "distractors": core.distractors,
        "tasks": splits,
    }
    lines = [
        f"Reconstruct the graph of: {own.title}",
        "",
        f"gold graph    {data['nodes']} nodes, {data['edges']} edges",
        f"pool          {len(pool_of(task).tools)} tools, {core.distractors} of them distractors",
        "tasks         " + _counted(splits),
        "",
        f"further: teller-gym show {scenario}_graph sop (the question as an agent reads it) | tools | graph | task",
    ]
    return data, "\n".join(lines)


def _graph_task(task: GraphTask) -> Shown:
    gold, names = gold_of(task), pool_of(task).names
    own = {shown: name for name, shown in names.items()}
    data = {"id": task.id, "nodes": list(gold.nodes), "edges": [list(edge) for edge in gold.edges]}
    lines = [f"{task.id}: the gold graph, under the names that the task shows", ""]
    for name in gold.nodes:
        lines.append(f"{name}" + ("" if own[name] == name else f"  ({own[name]})"))
        lines += [f"  after {up}" for up, down in gold.edges if down == name]
    return data, "\n".join(lines)


def _expect(thing: str, env: str, allowed: tuple[str, ...]) -> None:
    if thing not in allowed:
        raise OptionError(f"{thing}: {env} has none; expected one of {', '.join(allowed)}")


def show_office(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    """Return the requested part of office work, such as its types of work, handbook, tools or a task."""
    _expect(options.thing, office.name, ("summary", "sop", "tools", "task"))
    if options.thing == "sop":
        found = office.handbook()
        return found, "\n\n".join(f"{path}\n\n{text.strip()}" for path, text in found.items())
    if options.thing == "tools":
        return show_tools(TOOLS, options.name, office.name)
    return _office_task(office, options) if options.thing == "task" else _office_summary(office)


def _office_summary(office: OfficeScenario) -> Shown:
    kinds = {task.kind: task for task in map(office.find, office.ids(Split.HELDOUT))}
    rows = [[one.kind, str(one.level), ", ".join(one.checkpoints)] for one in kinds.values()]
    counts = {str(split): len(office.ids(split)) for split in (*_DAYS, Split.HELDOUT_WORLDS)}
    data = {
        "scenario": office.name,
        "kinds": {one.kind: {"level": one.level, "checkpoints": one.checkpoints} for one in kinds.values()},
        "tasks": counts,
        "perturbations": office.perturbations,
    }
    lines = [
        text_table(["kind of work", "level", "checkpoints"], rows, left=(0, 2)),
        "",
        f"tasks          {_counted(counts)}",
        f"perturbations  {', '.join(office.perturbations)}",
        "",
        f"further: teller-gym show {office.name} sop | tools | task",
    ]
    return data, "\n".join(lines)


def _office_task(office: OfficeScenario, options: argparse.Namespace) -> Shown:
    task = office.find(options.name or office.ids(Split.HELDOUT)[0])
    calls, lines = _calls(task.standard.calls, options.full)
    data = {
        "id": task.id,
        "split": str(task.split),
        "today": task.today.isoformat(),
        "request": task.request,
        "checkpoints": task.checkpoints,
        "calls": calls,
        "outputs": task.standard.outputs,
    }
    head = f"{task.id}  {task.split}  {task.today.isoformat()}"
    lines = [head, "", task.request, "", "the expert's calls", "", *lines]
    for name, text in task.standard.outputs.items():
        lines += ["", name, "", text.strip()]
    return data, "\n".join(lines)
