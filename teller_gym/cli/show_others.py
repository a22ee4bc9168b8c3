"""`teller-gym show` for envs other than a scenario's stage 2: working days, the mixed bank, and stage 1."""

from __future__ import annotations

import argparse
import json
import textwrap
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.days.law import queue_sop
from teller_gym.days.store import find_day, split_days
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import Split
from teller_gym.stage1.context import context, signature
from teller_gym.stage1.task import SIZES, GraphTask, find_graph_task, gold_of, pool_of
from teller_gym.tables.text import text_table
from teller_gym.tasks.store import FROZEN_SPLITS, split_tasks

Shown = tuple[Any, str]
"""The same content as JSON values and as text."""


def show_day(env: gym.Env[Any, Any], options: argparse.Namespace) -> Shown:
    """Return the requested part of working days.

    Raises:
        OptionError: days have no such part or task.
    """
    core: Any = env.unwrapped
    if options.thing == "sop":
        return {"scenario": "day", "text": queue_sop()}, queue_sop()
    if options.thing == "tools":
        return _tools(core.tools, options.name)
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
        "frozen tasks  " + ", ".join(f"{count} {split}" for split, count in splits.items()),
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
    calls = msgspec.to_builtins(day.standard.calls)
    lines = [day.id, "", day.request, "", table, "", f"standard result: {len(calls)} calls", ""]
    for number, one in enumerate(calls, 1):
        arguments = json.dumps(one["arguments"], ensure_ascii=False)
        shown = arguments if options.full else textwrap.shorten(arguments, 200, placeholder=" … (--full)")
        lines.append(f"{number:3} {one['name']} {shown}")
    data = {"id": day.id, "request": day.request, "cases": rows, "calls": calls}
    return data, "\n".join(lines)


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def show_bank(env: gym.Env[Any, Any], options: argparse.Namespace) -> Shown:
    """Return the scenarios that an env mixes.

    Raises:
        OptionError: something other than the summary is requested.
    """
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
    """Return the requested part of stage 1 of a scenario: the question as an agent reads it, the pool, the gold graph.

    Raises:
        OptionError: there is no such task or tool.
    """
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
        "tasks         " + ", ".join(f"{count} {split}" for split, count in splits.items()),
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


def _tools(tools: Any, name: str | None) -> Shown:
    from teller_gym.agents.chat import signature as line_of

    if name is None:
        return tools.schemas(), "\n".join(line_of(tool.schema()) for tool in tools.values())
    if name not in tools:
        raise OptionError(f"day has no tool {name!r} before a case is opened; it has {', '.join(tools)}")
    return tools[name].schema(), json.dumps(tools[name].schema()["function"], indent=2, ensure_ascii=False)


def _expect(thing: str, env: str, allowed: tuple[str, ...]) -> None:
    if thing not in allowed:
        raise OptionError(f"{thing}: {env} has none; expected one of {', '.join(allowed)}")
