"""Command `teller-gym office`, which serves an office on local ports, for free use or for one task."""

from __future__ import annotations

import argparse
from typing import Final

from teller_gym.base.errors import OptionError
from teller_gym.cli.common import Parser, require

EXAMPLE: Final = """\
  teller-gym office serve                          the office of the frozen tasks at any free ports; Ctrl-C ends
  teller-gym office serve --port files=8080 --port chat=3000
  teller-gym office serve --office my.module:open_office --state runs/office    continues after any end
  teller-gym office serve --rate-limit 60 --temporary-errors 0.1 --json
  teller-gym office run --list                     the ids of the tasks
  teller-gym office run wealth-net_worth-high      a piece of work; Enter says that it is done
  teller-gym office run wealth-net_worth-high --minutes 30 --json < done
  teller-gym office run wealth-net_worth-high --ports default --prompt-file prompt.txt --done-file done \\
      --verdict-file verdict.json < /dev/null      for a program that runs an agent: it makes the file `done`"""

_DESCRIPTION: Final = """\
serve: serve an office's services over HTTP, each at a port of its own on 127.0.0.1, until Ctrl-C or SIGTERM.
run TASK: serve the office of a task, print what is asked, wait until the work is done or the time is up, and judge the
office as it then is. The work is done when a line comes on standard input, or the first of what you choose: the file of
--done-file is there, or a POST of /done comes at the port of --control. Without these two, the end of standard input
ends the work as well.

The first lines are the addresses, and by what clients sign in; with --json, they are one line. After a run follow its
checkpoints, with --json as another line.
--ports default: crm 8081, files 8082, chat 8083, tracker 8084, other services from 8085 on, control 8080.
Exit code: 0 the work was right, 1 it was not; 130 after Ctrl-C, 143 after SIGTERM; 2 an option or the folder cannot be
used; 4 the disk is full."""

_OF_RUN: Final = ("task", "minutes", "prompt_file", "done_file", "verdict_file", "control", "list", "split")


def run(argv: list[str]) -> int:
    """Serve an office until a signal arrives or the task is done, or list the tasks; return the exit code."""
    options = _parser().read(argv)
    _check(options)
    if options.list:
        from teller_gym.cli.office.wording import print_tasks

        return print_tasks(options.split or "heldout", options.json)
    require(f"teller-gym office {options.what}", "office", "uvicorn", "starlette")
    if options.what == "serve":
        from teller_gym.cli.office.starting import serve

        return serve(options)
    from teller_gym.cli.office.work import work

    return work(options)


def _parser() -> Parser:
    parser = Parser("office", _DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("what", choices=["serve", "run"], help="what to do with the office")
    add("task", nargs="?", help="of run: an id, such as wealth-net_worth-high")
    add("--list", action="store_true", help="of run: print the tasks, and end")
    add("--split", metavar="NAME", help="of run --list: train, validation, heldout or heldout_worlds (heldout)")
    add("--office", metavar="MODULE:FUNCTION", help="of serve: returns the office to serve (that of the frozen tasks)")
    add("--minutes", type=float, metavar="N", help="of run: when the time is up (never)")
    add("--prompt-file", metavar="FILE", help="of run: write the text to give to an agent into this file")
    add("--done-file", metavar="FILE", help="of run: the work is done when this file is there")
    add("--control", action="store_true", help="of run: POST /done ends the work, GET /prompt is the prompt")
    add("--verdict-file", metavar="FILE", help="of run: write the verdict into this file, as a line of JSON")
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="address to listen on; 0.0.0.0 for all (127.0.0.1)")
    add("--public-host", metavar="NAME", help="name of this machine in the addresses that are printed (the host)")
    add("--ports", choices=["free", "default"], default="free", help="any free ports, or always the same (free)")
    add("--port", action="append", default=[], metavar="SERVICE=N", help="port of a service; 0 is any that is free")
    add("--state", metavar="DIR", help="keep what is written in this folder, and go on from there")
    add("--log", metavar="FILE", help="add a line of JSON for each request to this file")
    add("--rate-limit", type=int, metavar="N", help="answer each request after N in a row with 429")
    add(
        "--temporary-errors", type=float, default=0.0, metavar="SHARE",
        help="answer the first request to this share of addresses with 429 or 503 (0)",
    )  # fmt: skip
    add("--seed", type=int, default=0, metavar="N", help="of the temporary errors (0)")
    add("--json", action="store_true", help="print lines of JSON")
    return parser


def _check(options: argparse.Namespace) -> None:
    if options.what == "serve":
        for name in _OF_RUN:
            if getattr(options, name) not in (None, False):
                word = "task and --minutes are" if name in ("task", "minutes") else f"--{name.replace('_', '-')} is"
                raise OptionError(f"{word} of run: teller-gym office run TASK")
    elif options.list:
        if options.task is not None:
            raise OptionError(f"list: expected no task beside it, got {options.task!r}")
    elif options.task is None:
        raise OptionError("task: expected the id of a task, such as wealth-net_worth-high; office run --list has all")
    elif options.split is not None:
        raise OptionError("split: it is of the list: teller-gym office run --list --split heldout_worlds")
    if options.what == "run" and options.office is not None:
        raise OptionError("office: expected none, since the task says which it is")
    if options.minutes is not None and not 0 < options.minutes < 1e6:
        raise OptionError(f"minutes: expected a number above 0, got {options.minutes:g}")
