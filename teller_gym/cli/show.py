"""Command `teller-gym show`, which prints a scenario's SOP, graph or tools, or a task with its standard result."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from typing import Any

import gymnasium as gym
import msgspec

from teller_gym.configuration.envs import env_id_of, scenario_of
from teller_gym.office_tasks.contract import load_office
from teller_gym.procedure.scenario import Scenario, load_scenario
from teller_gym.procedure.sop import RENDERINGS
from teller_gym.tasks.store import FROZEN_SPLITS, find_task, frozen_tasks, split_tasks
from teller_gym.tools.run import action_text, run_action
from teller_gym.tools.tool import Category, ToolSet

from .common import Parser, print_json
from .show_others import CUT, Shown, show_bank, show_day, show_graph, show_office, show_tools

THINGS = ("summary", "sop", "graph", "tools", "task")

EXAMPLE = """\
  teller-gym show loans                        what the scenario is made of
  teller-gym show loans sop --rendering explicit
  teller-gym show loans graph
  teller-gym show loans tools submit_final_review
  teller-gym show loans task loans-0001        request, standard calls with their results, outputs
  teller-gym show loans_graph sop              what an agent of stage 1 reads
  teller-gym show day task                     a working day's queue and its standard calls
  teller-gym show wealth sop                   the handbook of the office"""


def run(argv: list[str]) -> int:
    """Print the requested part of an environment and return the exit code."""
    parser = Parser("show", "Show what a scenario is made of, or one of its tasks with the standard result.", EXAMPLE)
    parser.add_argument("env", help="short name or id of the environment, such as loans")
    parser.add_argument("thing", nargs="?", default="summary", choices=THINGS, help="what to show (summary)")
    parser.add_argument("name", nargs="?", help="of tools: the tool; of task: the task's id")
    parser.add_argument("--rendering", default="abstract", choices=RENDERINGS, help="of the SOP (abstract)")
    parser.add_argument("--full", action="store_true", help="results of calls in full length")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.read(argv)
    if options.name is not None and options.thing not in ("tools", "task"):
        parser.error(f"{options.thing} takes no name, got {options.name!r}")
    data, text = _shown(env_id_of(options.env), options)
    if options.json:
        print_json(data)
    else:
        print(text)
    return 0


def _shown(env_id: str, options: argparse.Namespace) -> Shown:
    spec = gym.spec(env_id)
    if "office" in spec.kwargs:
        return show_office(load_office(spec.kwargs["office"]), options)
    kind = str(spec.entry_point).rpartition(":")[2]
    others = {"DayEnv": show_day, "BankEnv": show_bank, "GraphEnv": show_graph}
    if kind in others:
        return others[kind](gym.make(env_id), options)
    scenario = load_scenario(scenario_of(options.env))
    shown = {"summary": _summary, "sop": _sop, "graph": _graph, "tools": _tools, "task": _task}[options.thing]
    return shown(scenario, options)


def _summary(scenario: Scenario, options: argparse.Namespace) -> Shown:
    lengths = [len(task.standard.calls) for task in frozen_tasks(scenario.name).values()]
    points = sorted({point for task in frozen_tasks(scenario.name).values() for point in task.branches})
    data: dict[str, Any] = {
        "scenario": scenario.name,
        "title": scenario.title,
        "output_fields": {field.name: field.description for field in scenario.template.outputs},
        "nodes": len(scenario.graph.nodes),
        "edges": len(scenario.graph.edges),
        "tools": {str(category): len(scenario.tools.of(category)) for category in Category},
        "tasks": {str(split): len(split_tasks(scenario.name, split)) for split in FROZEN_SPLITS},
        "calls_per_task": {"fewest": min(lengths), "most": max(lengths)},
        "decision_points": points,
    }
    tools = ", ".join(f"{count} {category}" for category, count in data["tools"].items() if count)
    tasks = ", ".join(f"{count} {split}" for split, count in data["tasks"].items())
    width, indent = max(60, shutil.get_terminal_size().columns), " " * 17
    listed = textwrap.fill(", ".join(points), width, initial_indent=indent, subsequent_indent=indent).strip()
    lines = [
        scenario.title,
        "",
        f"tools            {tools.replace('_', ' ')}",
        f"graph            {data['nodes']} nodes, {data['edges']} edges",
        f"frozen tasks     {tasks}; {min(lengths)} to {max(lengths)} required calls each",
        f"decision points  {listed}",
        "",
        "output fields of the final review",
        *(f"  {name}: {text}" for name, text in data["output_fields"].items()),
        "",
        f"further: teller-gym show {scenario.name} {' | '.join(THINGS[1:])}",
    ]
    return data, "\n".join(lines)


def _sop(scenario: Scenario, options: argparse.Namespace) -> Shown:
    text = scenario.sop(options.rendering)
    return {"scenario": scenario.name, "rendering": options.rendering, "text": text}, text


def _graph(scenario: Scenario, options: argparse.Namespace) -> Shown:
    graph = scenario.graph
    lines = [f"{len(graph.nodes)} nodes in an order that fits, {len(graph.edges)} edges under what depends on them", ""]
    for name in graph.order():
        lines.append(name)
        lines += [
            f"  after {edge.upstream} ({edge.kind}): {edge.why}" for edge in graph.edges if edge.downstream == name
        ]
    return msgspec.to_builtins(graph), "\n".join(lines)


def _tools(scenario: Scenario, options: argparse.Namespace) -> Shown:
    if options.name is not None:
        return show_tools(scenario.tools, options.name, scenario.name)
    lines = []
    for category in Category:
        if tools := scenario.tools.of(category):
            listed = show_tools(ToolSet(tools), None, scenario.name)[1]
            lines += ["", f"{category.replace('_', ' ')} ({len(tools)})", "", listed]
    return scenario.tools.schemas(), "\n".join(lines).strip()


def _task(scenario: Scenario, options: argparse.Namespace) -> Shown:
    named = options.name is not None
    task = find_task(scenario.name, options.name) if named else next(iter(frozen_tasks(scenario.name).values()))
    bank = scenario.bank(task)
    steps = [(call, run_action(bank, scenario.tools, action_text(call))) for call in task.standard.calls]
    data = {
        "id": task.id,
        "split": str(task.split),
        "today": task.today.isoformat(),
        "request": task.request,
        "branches": task.branches,
        "tags": list(task.tags),
        "steps": [{"call": msgspec.to_builtins(call), "result": result} for call, result in steps],
        "outputs": task.standard.outputs,
    }
    lines = [f"{task.id}  {task.split}  business date {task.today.isoformat()}", "", "request", "", task.request, ""]
    lines += ["branches", "", *(f"  {point}: {branch}" for point, branch in task.branches.items())]
    lines += ["", f"standard result: {len(steps)} calls and what they answer"]
    for number, (call, result) in enumerate(steps, 1):
        answer = json.dumps(result, ensure_ascii=False)
        lines += ["", f"{number:2} {call.name}"]
        lines += [f"     {name} = {json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items()]
        lines.append("   → " + (answer if options.full else textwrap.shorten(answer, 300, placeholder=CUT)))
    lines += ["", "outputs", "", *(f"  {name} = {json.dumps(v)}" for name, v in task.standard.outputs.items())]
    return data, "\n".join(lines)
