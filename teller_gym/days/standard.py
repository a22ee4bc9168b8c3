"""The standard result of a day: correct calls of its queue and cases, and the effects of correctly closed cases."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from teller_gym.days.day import DayCase
from teller_gym.days.schedule import turns
from teller_gym.procedure.links import Link, Records
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.task import StandardResult, Task
from teller_gym.tools.bank import Bank
from teller_gym.tools.call import Call, ToolCall

LIST, OPEN, WAIT = "list_queue", "open_case", "wait_until_next"
"""Names of the queue's tools."""

_encode = msgspec.json.Encoder().encode
_CUSTOMER = re.compile(r"\bCU-[0-9]{6}\b")


def customers_of(task: Task) -> tuple[str, ...]:
    """Return the ids of the customers that a request names, in order; if it names none, the owners of the case."""
    named = dict.fromkeys(_CUSTOMER.findall(task.request))
    return tuple(named or (owner for owner in task.owners if _CUSTOMER.fullmatch(owner)))


def closed_right(task: Task) -> Bank:
    """Return a task's bank after its standard calls."""
    scenario = load_scenario(task.scenario)
    bank = scenario.bank(task)
    for call in task.standard.calls:
        tool = scenario.tools[call.name]
        made = ToolCall(tool, tool.decode(_encode(call.arguments)))
        made.tool.call(bank, made.arguments)
    return bank


def effect_of(link: Link, first: Task) -> Records:
    """Return the records that change in the second case's bank once the first case is closed correctly."""
    return link.effect(first, closed_right(first))


def standard_calls(cases: Sequence[DayCase]) -> StandardResult:
    """Return the calls of an officer who follows the queue's SOP and handles every case correctly."""
    tasks = {case.reference: case.task for case in cases}
    calls: list[Call] = []
    for turn in turns(cases):
        calls.append(Call(LIST, {}))
        if turn.reference:
            calls += [Call(OPEN, {"reference": turn.reference}), *tasks[turn.reference].standard.calls]
        else:
            calls.append(Call(WAIT, {}))
    return StandardResult(tuple(calls), {})
