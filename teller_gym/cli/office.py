"""`teller-gym office serve`: an office's services at ports of this machine."""

from __future__ import annotations

import argparse
import sys
from typing import Any

import msgspec

from teller_gym.base.errors import OptionError
from teller_gym.cli.interrupt import note, take_time

from .common import Parser, require

EXAMPLE = """\
  teller-gym office serve --office my.module:open_office               any free ports; Ctrl-C ends
  teller-gym office serve --office my.module:open_office --port files=8080 --port chat=3000
  teller-gym office serve --office my.module:open_office --state runs/office    continues after any end
  teller-gym office serve --office my.module:open_office --rate-limit 60 --temporary-errors 0.1 --json"""

_DESCRIPTION = """\
Serve an office's services over HTTP, each at a port of its own on 127.0.0.1, until Ctrl-C or SIGTERM.

The first lines say the addresses, and by what clients sign in; with --json, they are one line.
Exit code: 130 after Ctrl-C, 143 after SIGTERM; 2 an option or the folder cannot be used; 4 the disk is full."""

_STOP_S = 4.0
"""So long requests under way, and closing the journal, may take after a signal; see `Limits.stop_s`."""


def run(argv: list[str]) -> int:
    """Serve until a signal comes."""
    parser = Parser("office", _DESCRIPTION, EXAMPLE)
    parser.add_argument("what", choices=["serve"], help="what to do with the office")
    parser.add_argument("--office", required=True, metavar="MODULE:FUNCTION", help="returns the office to serve")
    parser.add_argument("--port", action="append", default=[], metavar="SERVICE=N", help="port (any that is free)")
    parser.add_argument("--state", metavar="DIR", help="keep what is written in this folder, and go on from there")
    parser.add_argument("--log", metavar="FILE", help="add a line of JSON for each request to this file")
    parser.add_argument("--rate-limit", type=int, metavar="N", help="answer each request after N in a row with 429")
    parser.add_argument(
        "--temporary-errors", type=float, default=0.0, metavar="SHARE",
        help="answer the first request to this share of addresses with 429 or 503 (0)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the temporary errors (0)")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    options = parser.read(argv)
    require("teller-gym office serve", "office", "h11")
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    from teller_gym.office.serving import FrictionOptions, Serving, load_office

    friction = FrictionOptions(
        rate_limit=options.rate_limit, temporary_errors=options.temporary_errors, seed=options.seed
    )
    ports = _ports(options.port)
    office = load_office(options.office)
    take_time(_STOP_S)
    if options.state is not None:
        note(f"what was acknowledged is kept in {options.state}; the same command continues")
    with Serving(office, ports=ports, state=options.state, log=options.log, friction=friction) as serving:
        told = {
            "addresses": serving.addresses,
            "credentials": office.credentials(),
            "state": options.state,
            "restored": serving.restored,
        }
        sys.stdout.write(f"{msgspec.json.encode(told).decode()}\n" if options.json else _text(told))
        sys.stdout.flush()
        serving.wait()
    return 0


def _ports(given: list[str]) -> dict[str, int]:
    found = {}
    for text in given:
        name, _, number = text.partition("=")
        if not (number.isascii() and number.isdecimal()):
            raise OptionError(f"port: expected SERVICE=N such as files=8080, got {text!r}")
        found[name] = int(number)
    return found


def _text(told: dict[str, Any]) -> str:
    width = max(map(len, told["addresses"]))
    lines = [f"{name.ljust(width)}  {address}" for name, address in told["addresses"].items()]
    lines += ["", msgspec.json.format(msgspec.json.encode(told["credentials"]), indent=2).decode()]
    if told["state"] is not None:
        lines += ["", f"{told['state']}: {told['restored']} entries of the journal were found"]
    return "\n".join([*lines, "", "Ctrl-C ends", ""])
