"""Helpers that do a piece of work in an office through the agent's own tools."""

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from teller_gym.base.errors import ToolError
from teller_gym.office.desk.desk import Desk
from teller_gym.office.desk.tools import TOOLS
from teller_gym.office.files.reading import read_file
from teller_gym.office.files.writing import write_file
from teller_gym.office_tasks.verdict import Verdict
from teller_gym.procedure.officer import Steps
from teller_gym.scenarios.wealth.contract import Case, Look
from teller_gym.scenarios.wealth.judging import judge
from teller_gym.scenarios.wealth.prompts import request_of
from teller_gym.scenarios.wealth.works import NAMES, cases, open_office
from teller_gym.tools.call import Call
from teller_gym.tools.parse import parse_action
from teller_gym.tools.run import action_text, run_tool

FROZEN = 10**12
SEEDS = (FROZEN, *range(1, 13))


def desk_of(seed: int, perturb: Iterable[str] = ()) -> Desk:
    """Return the agent's desk in a seed's office."""
    return Desk(open_office(seed, frozenset(perturb)), cases(seed)[NAMES[0]].world.user.username)


def call(desk: Desk, tool: str, **arguments: Any) -> dict[str, Any]:
    """Make a call as an agent's action; return the result, or the error as a result."""
    try:
        read = parse_action(action_text(Call(tool, arguments)), TOOLS)
        return json.loads(run_tool(desk, read))  # type: ignore
    except ToolError as error:
        return {"error": error.to_dict()}


def work(desk: Desk, steps: Steps, most: int = 200) -> list[Call]:
    """Let an agent work at a desk until it finishes; return its calls."""
    made: list[Call] = []
    try:
        wanted = next(steps)
        while len(made) < most:
            made.append(wanted)
            wanted = steps.send(call(desk, wanted.name, **wanted.arguments))
    except StopIteration:
        return made
    raise AssertionError(f"more than {most} calls")


def played(seed: int, name: str, expert: Any = None, autonomy: str = "high", perturb: Iterable[str] = ()) -> Verdict:
    """Return the verdict on a case after an agent has worked on it, by default the expert."""
    case, desk = cases(seed)[name], desk_of(seed, perturb)
    work(desk, (expert or case.work.expert)(request_of(case, autonomy), case.rules))
    return judged(desk, case)


def done(name: str) -> Desk:
    """Return the desk of the frozen office after the expert has worked."""
    case, desk = cases(FROZEN)[name], desk_of(FROZEN)
    work(desk, case.work.expert(request_of(case, "high"), case.rules))
    return desk


@cache
def delivered(name: str) -> dict[str, bytes]:
    """Return the expert's deliverables in the frozen office."""
    case, desk = cases(FROZEN)[name], done(name)
    return {one: read_file(desk.store, desk.user, f"{case.client.folder}/{one}") for one in case.work.deliverables}


def after(name: str, *contents: bytes | str | None, loose: bool = False) -> Verdict:
    """Return the verdict on the frozen office with the given deliverables, in order; None leaves one out."""
    case, desk = cases(FROZEN)[name], desk_of(FROZEN)
    for file, content in zip(case.work.deliverables, contents, strict=True):
        if content is not None:
            data = content.encode() if isinstance(content, str) else content
            write_file(desk.store, desk.user, f"{case.client.folder}/{file}", data)
    return judged(desk, case, loose)


def passed(verdict: Verdict) -> list[str]:
    return [one.checkpoint for one in verdict.findings if one.passed]


def judged(desk: Desk, case: Case, loose: bool = False) -> Verdict:
    return judge(Look(desk.store, case, loose))


__all__ = ["NAMES"]
