"""``teller-gym check``."""

from __future__ import annotations

import argparse
import sys

import gymnasium as gym

from teller_gym.agents import CHEAP_AGENTS
from teller_gym.errors import TellerError
from teller_gym.proof.suite import GENERATED, check_env

_EXAMPLES = """examples:
  teller-gym check Teller-Loans-v0
  teller-gym check Teller-Loans-v0 --quick --json
  teller-gym check Teller-Loans-v0 --only agreement -n 10000

exit codes: 0 every claim holds, 1 some claim does not, 2 the command could not be understood"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    made = argparse.ArgumentParser(
        prog="teller-gym check",
        description="Prove that an env can be solved, cannot be played cheaply, and repeats itself.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("env", help="id of an env, such as Teller-Loans-v0")
    made.add_argument("--json", action="store_true", help="print the report as JSON")
    made.add_argument("--quick", action="store_true", help="smaller samples; each figure says how large")
    made.add_argument(
        "-n", "--generated", type=int, default=None, help=f"generated instances for expert against solver ({GENERATED})"
    )
    made.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only checks whose name begins so, such as cheap"
    )
    made.add_argument("--processes", type=int, default=2, help="checks that run at the same time (2)")
    made.add_argument("--quiet", action="store_true", help="say nothing on stderr while it runs")
    return made


def run(argv: list[str]) -> int:
    """Run the command and return its exit code."""
    try:
        options = parser().parse_args(argv)
    except SystemExit as end:
        return int(end.code or 0)
    if not options.quiet:
        print(f"checking {options.env}, {len(CHEAP_AGENTS)} cheap agents among it …", file=sys.stderr, flush=True)
    try:
        report = check_env(
            options.env,
            quick=options.quick,
            generated=options.generated,
            only=options.only,
            processes=options.processes,
            progress=not options.quiet,
        )
    except (TellerError, gym.error.Error) as error:
        print(f"teller-gym check: {error}", file=sys.stderr)
        return 2
    print(report.to_json().decode() if options.json else report.table())
    return 0 if report.passed else 1
