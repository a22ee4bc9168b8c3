"""Claims that distractors do not affect the case: reading is free, and writing counts as collateral damage."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, timedelta

import msgspec
import numpy as np

from teller_gym.agents.schemas import is_date
from teller_gym.base.errors import ToolError
from teller_gym.envs.spaces.sampling import sample_arguments
from teller_gym.procedure.task import Task
from teller_gym.proof.play import Subject, play_actions, standard_actions, subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from teller_gym.tools.tool import Tool
from teller_gym.variation.pool import ALL, distractors, example_arguments

_EXAMPLE_DAY = date(2026, 3, 4)
"""Business date in the tools' examples."""
_SAMPLES = 30
"""Number of random argument sets for calling a distractor, in addition to its examples."""
_FEWEST_ANSWERED = 0.6
"""Minimum share of distractors that must answer at least one call for the claims to be meaningful."""


def side_effects(env_id: str, instances: int | None = None) -> list[ProofItem]:
    """Check that reading distractors is free and that distractors never write to the case."""
    return [distractor_reads(env_id, instances), distractor_writes(env_id)]


def distractor_reads(env_id: str, instances: int | None = None) -> ProofItem:
    """Check that calls to read-only distractors between the expert's calls change neither outcome nor score."""
    under = subject(env_id, ALL)
    tasks = under.part(instances)
    readers = [tool for tool in distractors() if not tool.writes]
    calls = _answered(under, tasks[0], readers)
    problems, reads, used, turn = [], 0, set[str](), 0
    for number, task in enumerate(tasks):
        rng = random.Random(f"reads/{number}")
        actions = standard_actions(task)
        for _ in range(max(0, under.core.max_steps - len(actions) - 1)):
            call = calls[turn % len(calls)]
            turn += 1
            actions.insert(1 + int(rng.random() * (len(actions) - 1)), action_text(call))
            used.add(call.name)
            reads += 1
        played = play_actions(under, task, actions)
        # A call may fail in another case (a day too far from its business date); failed calls cost score as usual.
        if not played.success or (played.score != 1.0 and not played.errors):
            problems.append(f"{task.id}: score {played.score:.3f}, {played.errors} calls failed")
    problems += _too_few(len(calls), len(readers))
    figure = f"{reads} reads of {len(used)} of {len(readers)} distractors that write nothing, {len(tasks)} instances"
    measured = {"reads": reads, "tools": sorted(used), "instances": len(tasks)}
    return item("distractor_effects.reads", "reading distractors costs nothing", figure, problems, measured)


def distractor_writes(env_id: str) -> ProofItem:
    """Check that distractors that write do not change the case's records.

    Their own records must count as collateral damage.
    """
    under = subject(env_id, ALL)
    writers = [tool for tool in distractors() if tool.writes]
    task = under.tasks[0]
    problems, written = [], 0
    for tool in distractors():
        bank = under.scenario.bank(task)
        for arguments in _arguments(tool, task):
            _try(tool, bank, arguments)
        changes = bank.diff()
        written += len(changes)
        problems += [
            f"{tool.name} wrote to {change.table}/{change.key}"
            for change in changes
            if not tool.writes or change.table in task.tables or change.after.get("owner") in (None, *task.owners)
        ]
    calls = _answered(under, task, writers)
    first, *rest = standard_actions(task)
    for call in calls:
        played = play_actions(under, task, [first, action_text(call), *rest])
        if played.success or not under.core.grade().collateral:
            problems.append(f"{call.name} was not found as collateral damage: score {played.score:.3f}")
    problems += _too_few(len(calls), len(writers))
    figure = f"{written} records, none of the bank's; {len(calls)} of {len(writers)} writers played, each one found"
    measured = {"written": written, "writers": len(writers), "played": len(calls)}
    return item("distractor_effects.writes", "distractors never write to the case", figure, problems, measured)


def _too_few(found: int, of: int) -> list[str]:
    return [] if found >= _FEWEST_ANSWERED * of else [f"only {found} of {of} distractors answered any call"]


def _answered(under: Subject, task: Task, tools: Sequence[Tool]) -> list[Call]:
    """Return each tool's first call that succeeds at the start of a task, if there is one."""
    found = []
    for tool in tools:
        tried = (each for each in _arguments(tool, task) if _try(tool, under.scenario.bank(task), each))
        if (arguments := next(tried, None)) is not None:
            found.append(Call(tool.name, arguments))
    return found


def _arguments(tool: Tool, task: Task) -> list[dict[str, object]]:
    """Return arguments for a distractor.

    They are its examples with dates shifted to the task's, then random ones.
    """
    rng = np.random.Generator(np.random.PCG64(task.seed))
    later = task.today - _EXAMPLE_DAY
    moved = [
        {name: _moved(value, later) for name, value in arguments.items()}
        for arguments in example_arguments().get(tool.name, ())
    ]
    return [*moved, *(sample_arguments(tool.parameters, rng) for _ in range(_SAMPLES))]


def _moved(value: object, later: timedelta) -> object:
    return str(date.fromisoformat(value) + later) if isinstance(value, str) and is_date(value) else value


def _try(tool: Tool, bank: Bank, arguments: dict[str, object]) -> bool:
    try:
        tool.call(bank, tool.decode(msgspec.json.encode(arguments)))
    except (ToolError, msgspec.MsgspecError):
        return False
    return True
