"""``teller-gym check``."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import gymnasium as gym

from teller_gym.agents import CHEAP_AGENTS
from teller_gym.base.errors import OptionError, TellerError
from teller_gym.cli.exit_codes import USAGE
from teller_gym.cli.interrupt import note, take_time
from teller_gym.configuration.envs import env_id_of, import_registering
from teller_gym.proof.suite import check_env, check_package
from teller_gym.registration import ENVS

_EXAMPLES = """examples:
  teller-gym check Teller-Loans-v0
  teller-gym check Teller-Loans-v0 --quick --json
  teller-gym check Teller-Loans-v0 --only agreement -n 10000
  teller-gym check my.card_limits:card_limits --quick      a scenario of your own
  teller-gym check --all --quick

exit codes: 0 every claim holds, 1 some claim does not, 2 the command could not be understood, 130 interrupted"""


_TABLE_S = 1.8
"""Seconds after Ctrl-C for ending the processes and printing the findings."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    made = argparse.ArgumentParser(
        prog="teller-gym check",
        description="Prove that an env can be solved, cannot be played cheaply, and repeats itself.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("env", nargs="?", help="short name or id of an env, such as loans or Teller-Loans-v0")
    made.add_argument("--all", action="store_true", help="every env of the package, and the sizes of its scenarios")
    made.add_argument("--json", action="store_true", help="print the report as JSON")
    made.add_argument("--quick", action="store_true", help="smaller samples; each figure says how large")
    made.add_argument(
        "-n",
        "--generated",
        type=int,
        default=None,
        help="generated instances for expert against solver (1000)",
    )
    made.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this check, or this group such as cheap"
    )
    made.add_argument(
        "--sound",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="only whether the env is sound, not whether it is as large as the benchmark's: the default for a scenario "
        "of your own, where --no-sound checks both; for the package's own envs both are checked",
    )
    made.add_argument("--processes", type=int, default=2, help="checks that run at the same time (2)")
    made.add_argument("--quiet", action="store_true", help="say nothing on stderr while it runs")
    return made


def run(argv: list[str]) -> int:
    """Run the command and return its exit code."""
    note("no check had ended")
    take_time(_TABLE_S)
    started = time.monotonic()
    try:
        options = parser().parse_args(argv)
    except SystemExit as end:
        return int(end.code or 0)
    try:
        _expect_one(options.env, options.all)
        env_id = "" if options.all else _id_of(options.env)
        if not options.quiet:
            what = env_id or "every env"
            print(f"checking {what}, {len(CHEAP_AGENTS)} cheap agents among it …", file=sys.stderr, flush=True)
        chosen: dict[str, Any] = {
            "quick": options.quick,
            "generated": options.generated,
            "only": options.only,
            "processes": options.processes,
            "progress": not options.quiet,
            "sound": options.sound,
        }
        report = check_package(**chosen) if options.all else check_env(env_id, **chosen)
    except (TellerError, gym.error.Error, ModuleNotFoundError) as error:
        print(f"teller-gym check: {error}", file=sys.stderr)
        return USAGE
    print(report.to_json().decode() if options.json else report.table())
    if not options.quiet:
        print(f"{time.monotonic() - started:.0f} s in all", file=sys.stderr, flush=True)
    return 0 if report.passed else 1


def _id_of(name: str) -> str:
    """Return the id of an env given by its short name or its id, with the module that registers it before a colon."""
    module, colon, rest = name.rpartition(":")
    if not colon:
        return env_id_of(name)
    if rest in gym.registry:
        return name
    try:
        import_registering(module, name)
    except OptionError:
        raise
    except (Exception, SystemExit):  # its own code fails, which is a claim that does not hold
        return name
    return f"{module}:{env_id_of(rest)}"


def _expect_one(env: str | None, everything: bool) -> None:
    """Raise an OptionError unless either an env or all of them is asked for."""
    if (env is None) == (not everything):
        known = ", ".join(card.id for card in ENVS)
        got = "neither" if env is None else f"{env} and --all"
        raise OptionError(f"env: expected either the id of an env ({known}) or --all, got {got}")
