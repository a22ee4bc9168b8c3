"""`teller-gym office`: an office's services at ports of this machine, to be used, or to do a piece of work in them."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.cli.interrupt import note, take_time

from .common import Parser, require

EXAMPLE = """\
  teller-gym office serve                          the office of the frozen tasks at any free ports; Ctrl-C ends
  teller-gym office serve --port files=8080 --port chat=3000
  teller-gym office serve --office my.module:open_office --state runs/office    continues after any end
  teller-gym office serve --rate-limit 60 --temporary-errors 0.1 --json
  teller-gym office run wealth-net_worth-high      a piece of work; Enter says that it is done
  teller-gym office run wealth-net_worth-high --minutes 30 --json < done"""

_DESCRIPTION = """\
serve: serve an office's services over HTTP, each at a port of its own on 127.0.0.1, until Ctrl-C or SIGTERM.
run TASK: serve the office of a task, print what is asked, wait until a line comes on standard input, standard input
ends or the time is up, and judge the office as it then stands.

The first lines say the addresses, and by what clients sign in; with --json, they are one line. After a run follow its
checkpoints, with --json as another line.
Exit code: 0 the work was right, 1 it was not; 130 after Ctrl-C, 143 after SIGTERM; 2 an option or the folder cannot be
used; 4 the disk is full."""

_STOP_S = 4.0
"""So long requests under way, and closing the journal, may take after a signal; see `Limits.stop_s`."""

_WEALTH = "teller_gym.scenarios.wealth.offices"
_REFUSED = (401, 403, 404, 405)
"""Statuses by which a service refuses access."""


def run(argv: list[str]) -> int:
    """Serve until a signal comes, or until the work is done."""
    parser = Parser("office", _DESCRIPTION, EXAMPLE)
    parser.add_argument("what", choices=["serve", "run"], help="what to do with the office")
    parser.add_argument("task", nargs="?", help="of run: an id, such as wealth-net_worth-high")
    parser.add_argument(
        "--office", metavar="MODULE:FUNCTION", help="of serve: returns the office to serve (that of the frozen tasks)"
    )
    parser.add_argument("--minutes", type=float, metavar="N", help="of run: when the time is up (never)")
    parser.add_argument("--port", action="append", default=[], metavar="SERVICE=N", help="port (any that is free)")
    parser.add_argument("--state", metavar="DIR", help="keep what is written in this folder, and go on from there")
    parser.add_argument("--log", metavar="FILE", help="add a line of JSON for each request to this file")
    parser.add_argument("--rate-limit", type=int, metavar="N", help="answer each request after N in a row with 429")
    parser.add_argument(
        "--temporary-errors", type=float, default=0.0, metavar="SHARE",
        help="answer the first request to this share of addresses with 429 or 503 (0)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the temporary errors (0)")
    parser.add_argument("--json", action="store_true", help="print lines of JSON")
    options = parser.read(argv)
    require(f"teller-gym office {options.what}", "office", "uvicorn", "starlette")
    _check(options)
    return _serve(options) if options.what == "serve" else _run(options)


def _check(options: argparse.Namespace) -> None:
    if options.what == "serve" and (options.task is not None or options.minutes is not None):
        raise OptionError("task and --minutes are of run: teller-gym office run TASK")
    if options.what == "run" and options.task is None:
        raise OptionError("task: expected the id of a task, such as wealth-net_worth-high; teller-gym list says more")
    if options.what == "run" and options.office is not None:
        raise OptionError("office: expected none, since the task says which it is")
    if options.minutes is not None and not 0 < options.minutes < 1e6:
        raise OptionError(f"minutes: expected a number above 0, got {options.minutes:g}")


def _serve(options: argparse.Namespace) -> int:
    from teller_gym.office.serving import load_office

    office = load_office(options.office or f"{_WEALTH}:open_frozen")
    with _serving(office, options, options.log) as serving:
        _tell(_told(office, serving, options), options.json)
        serving.wait()
    return 0


def _run(options: argparse.Namespace) -> int:
    from teller_gym.cli.waiting import wait_for_line
    from teller_gym.office.desk.desk import Desk
    from teller_gym.offices.contract import load_office
    from teller_gym.offices.verdict import is_touched, with_access

    scenario = load_office(_WEALTH)
    task = scenario.find(options.task)
    office, user = scenario.served(task), scenario.open(task).user
    with tempfile.TemporaryDirectory() as folder:
        log = options.log or str(Path(folder) / "access.jsonl")
        with _serving(office, options, log) as serving:
            told = {"task": task.id, "request": task.request, "guide": scenario.guide(task, outside=True)}
            _tell({**told, **_told(office, serving, options)}, options.json)
            is_up = not wait_for_line(None if options.minutes is None else options.minutes * 60)
            verdict, has_written = serving.look(
                lambda store: (scenario.judge(task, Desk(store, user)), is_touched(store))
            )
        verdict = with_access(verdict, _refusals(Path(log)), has_written)
    result = {"task": task.id, "success": verdict.success, "time_is_up": is_up, **msgspec.to_builtins(verdict)}
    sys.stdout.write(f"{msgspec.json.encode(result).decode()}\n" if options.json else _judged(result))
    return 0 if verdict.success else 1


def _serving(office: Any, options: argparse.Namespace, log: str | None) -> Any:
    from teller_gym.office.serving import FrictionOptions, Serving

    friction = FrictionOptions(
        rate_limit=options.rate_limit, temporary_errors=options.temporary_errors, seed=options.seed
    )
    ports = _ports(options.port)
    take_time(_STOP_S)
    if options.state is not None:
        note(f"what was acknowledged is kept in {options.state}; the same command continues")
    return Serving(office, ports=ports, state=options.state, log=log, friction=friction)


def _told(office: Any, serving: Any, options: argparse.Namespace) -> dict[str, Any]:
    return {
        "addresses": serving.addresses,
        "credentials": office.credentials(),
        "state": options.state,
        "restored": serving.restored,
    }


def _tell(told: dict[str, Any], as_json: bool) -> None:
    sys.stdout.write(f"{msgspec.json.encode(told).decode()}\n" if as_json else _text(told))
    sys.stdout.flush()


def _ports(given: list[str]) -> dict[str, int]:
    found = {}
    for text in given:
        name, _, number = text.partition("=")
        if not (number.isascii() and number.isdecimal()):
            raise OptionError(f"port: expected SERVICE=N such as files=8080, got {text!r}")
        found[name] = int(number)
    return found


def _refusals(log: Path) -> list[str]:
    """What services refused, by the lines of the access log."""
    if not log.exists():
        return []
    rows = [msgspec.json.decode(line) for line in log.read_bytes().splitlines() if line.strip()]
    return [f"{row['status']} for {row['method']} {row['path']}" for row in rows if row["status"] in _REFUSED]


def _text(told: dict[str, Any]) -> str:
    width = max(map(len, told["addresses"]))
    lines = [told["request"], "", told["guide"], ""] if "request" in told else []
    lines += [f"{name.ljust(width)}  {address}" for name, address in told["addresses"].items()]
    lines += ["", msgspec.json.format(msgspec.json.encode(told["credentials"]), indent=2).decode()]
    if told["state"] is not None:
        lines += ["", f"{told['state']}: {told['restored']} entries of the journal were found"]
    ends = "Enter says that the work is done" if "request" in told else "Ctrl-C ends"
    return "\n".join([*lines, "", ends, ""])


def _judged(result: dict[str, Any]) -> str:
    lines = ["the time is up"] if result["time_is_up"] else []
    for one in result["findings"]:
        mark = "passed" if one["passed"] else f"failed ({one['failure']})"
        lines.append(f"{one['checkpoint']}: {mark}: {one['evidence']}")
    lines += [f"besides: {one}" for one in result["collateral"]]
    lines.append("the work is right" if result["success"] else "the work is not right")
    return "\n".join([*lines, ""])
