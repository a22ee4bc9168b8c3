"""Command `teller-gym office run`, which serves a task from its request to its verdict."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.base.files import disk, write_whole
from teller_gym.base.text import did_you_mean
from teller_gym.cli.office.ends import Control, ControlOffice, wait_for_end
from teller_gym.cli.office.starting import CONTROL, control_served, ports_of, public, served
from teller_gym.cli.office.wording import judged, prompt_of, say_start
from teller_gym.office.desk.desk import Desk
from teller_gym.office.store import Store
from teller_gym.office_tasks.access import WatchedOffice, shut, without_notes
from teller_gym.office_tasks.contract import OfficeScenario, load_office
from teller_gym.office_tasks.task import OfficeTask
from teller_gym.office_tasks.verdict import Verdict, is_touched, with_access
from teller_gym.registration import OFFICES


def work(options: argparse.Namespace) -> int:
    """Serve a task's office until the work is done, and judge it.

    Returns:
        0 if the work is correct, otherwise 1.
    """
    scenario = load_office(OFFICES["wealth"])
    task = scenario.find(options.task)
    _check_files(options)
    office = WatchedOffice(scenario.served(task))
    given, services = ports_of(options, ()), (*office.services, CONTROL)
    for name in given:
        if name not in services:
            hint = did_you_mean(name, services)
            raise OptionError(f"port: expected one of {', '.join(services)}, got {name!r}{hint}")
    control = Control() if options.control or CONTROL in given else None
    with ExitStack() as stack:
        serving = stack.enter_context(served(office, options, f"office run {task.id}"))
        where = None
        if control is not None:
            other = stack.enter_context(control_served(ControlOffice(control, office.store), options))
            where = public(other.addresses, options)[CONTROL]
        _tell(scenario, task, office.credentials(), public(serving.addresses, options), options, serving.restored,
              control, where)  # fmt: skip
        seconds = None if options.minutes is None else options.minutes * 60
        done_file = None if options.done_file is None else Path(options.done_file)
        ended_by = wait_for_end(seconds, done_file, None if control is None else control.done)
        user = scenario.open(task).user
        verdict = serving.look(lambda store: verdict_of(scenario, task, user, store))
    result = {
        "task": task.id, "success": verdict.success, "time_is_up": ended_by == "time", "ended_by": ended_by,
        **msgspec.to_builtins(verdict),
    }  # fmt: skip
    _deliver(result, options)
    return 0 if verdict.success else 1


def _check_files(options: argparse.Namespace) -> None:
    for name in ("prompt_file", "done_file", "verdict_file"):
        given = getattr(options, name)
        if given is None:
            continue
        if not given or Path(given).is_dir() or not Path(given).absolute().parent.is_dir():
            raise OptionError(f"{name}: expected a file in a folder that is there, got {given!r}")
    if options.done_file is not None and Path(options.done_file).exists():
        raise OptionError(
            f"done_file: {options.done_file} is there already, and would end the work at once; remove it first"
        )
    if options.verdict_file is not None:
        with disk(options.verdict_file, "nothing was begun"):
            Path(options.verdict_file).unlink(missing_ok=True)  # so that no earlier verdict is mistaken for this one


def _tell(
    scenario: OfficeScenario, task: OfficeTask, credentials: Any, addresses: dict[str, str],
    options: argparse.Namespace, restored: int, control: Control | None, where: str | None,
) -> None:  # fmt: skip
    """Give the prompt to the agent, then print the request and addresses."""
    asked = {"task": task.id, "request": task.request, "guide": scenario.guide(task, outside=True)}
    prompt = prompt_of(asked["request"], asked["guide"], addresses, credentials)
    if control is not None:
        control.prompt = prompt
    if options.prompt_file is not None:
        with disk(options.prompt_file, "nothing was begun"):
            write_whole(Path(options.prompt_file), prompt.encode())
    say_start(addresses, credentials, options, restored, asked, where)


def verdict_of(scenario: OfficeScenario, task: OfficeTask, user: str, store: Store) -> Verdict:
    """Judge the office in its current state.

    Notes about requests are only used to attribute failures to missing access.
    """
    judged_store = without_notes(store)
    verdict = scenario.judge(task, Desk(judged_store, user))
    return with_access(verdict, shut(store, task), is_touched(judged_store))


def _deliver(result: dict[str, Any], options: argparse.Namespace) -> None:
    line = msgspec.json.encode(result) + b"\n"
    try:
        if options.verdict_file is not None:
            with disk(options.verdict_file, "the verdict is printed"):
                write_whole(Path(options.verdict_file), line)
    finally:
        sys.stdout.write(line.decode() if options.json else judged(result))
