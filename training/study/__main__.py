"""Run a study and write its report; the same command continues interrupted runs and reads finished ones.

    python -m teller_gym.training.study configs/study/record.yaml --seeds 0-2 --jobs 2 --runs runs/record --out report

Every run is an ordinary `teller-gym train` on one thread in its own folder, independent of the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.base.output import take_any_text
from teller_gym.training.study.commands import end_with_children
from teller_gym.training.study.measuring import parse_seeds
from teller_gym.training.study.page import write_report
from teller_gym.training.study.plan import plan
from teller_gym.training.study.reading import read_all
from teller_gym.training.study.runs import check_command, play_all

OK, FAILED, USAGE = 0, 1, 2
"""Exit codes: everything is done, a run failed, or the command is invalid or there is nothing to report."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the missing runs, write the report, and return the exit code."""
    chosen = _parser().parse_args(argv)
    try:
        return _main(chosen)
    except SettingsError as error:
        print("\n".join(error.problems), file=sys.stderr)
    except OptionError as error:
        print(error, file=sys.stderr)
    return USAGE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m teller_gym.training.study",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("study", type=Path, help="file of the study, such as configs/study/record.yaml")
    parser.add_argument("--variants", help="only these of the file, such as score,sparse; all unless given")
    parser.add_argument("--seeds", default="0-2", help="such as 0-2 or 0,3")
    parser.add_argument("--set", nargs="+", default=[], metavar="SETTING", help="of all variants, after the file's own")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time, a core each")
    parser.add_argument("--runs", type=Path, required=True, help="run folders: VARIANT/seed-N")
    parser.add_argument("--out", type=Path, required=True, help="where the report goes")
    parser.add_argument("--report-only", action="store_true", help="play nothing: report on what is finished")
    return parser


def _main(chosen: argparse.Namespace) -> int:
    if chosen.jobs < 1:
        raise OptionError(f"--jobs: expected at least 1, got {chosen.jobs}")
    names = None if chosen.variants is None else chosen.variants.split(",")
    wanted = plan(chosen.study, parse_seeds(chosen.seeds), chosen.runs, names, chosen.set)
    if chosen.report_only:
        failures: list[str] = []
        for job in wanted.jobs:
            check_command(job)
    else:
        failures = play_all(wanted.jobs, chosen.jobs)
    for failure in failures:
        print(failure, file=sys.stderr)
    found = read_all(wanted.jobs)
    if not found.runs:
        if not failures:
            raise OptionError(f"--runs: expected at least one finished run, got none in {chosen.runs}")
        return FAILED
    print(write_report(wanted, found, chosen.out).read_text("utf-8"))
    return FAILED if failures else OK


if __name__ == "__main__":
    take_any_text()
    end_with_children()
    raise SystemExit(main())
