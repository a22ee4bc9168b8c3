"""Command `teller-gym report`, which writes tables, figures and a page about one or more runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .common import Parser, print_json, tell
from .exit_codes import FAILED, OK

if TYPE_CHECKING:
    from teller_gym.reports import Study

_DESCRIPTION = (
    "Report on runs, finished or not: report.html (one file that fetches nothing) and report.md, every table as\n"
    "CSV and LaTeX, every figure as PNG and SVG, and the viewer's pages of the episodes in view/.\n"
    "Exit code: 0 written; 1 written, but no run has a valid episode; 2 a run cannot be read, or DIR is not ours."
)

EXAMPLE = """\
  teller-gym report runs/expert
  teller-gym report runs/sft runs/grpo --baseline runs/untrained --out report
  teller-gym report runs/a runs/b --json"""


def run(argv: list[str]) -> int:
    """Write a report and return the exit code, which is 1 if no run has a valid episode."""
    parser = Parser("report", _DESCRIPTION, EXAMPLE)
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run (run_dir of teller-gym eval)")
    parser.add_argument(
        "--out", metavar="DIR", help="new, empty or an earlier report's folder (report in the first run's)"
    )
    parser.add_argument("--baseline", metavar="RUN", help="the run to compare with; the first of several unless given")
    parser.add_argument("--no-view", action="store_true", help="write no pages of the episodes (DIR/view)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, too")
    options = parser.read(argv)
    from teller_gym.reports import read_study
    from teller_gym.reports.write import write_study

    study = read_study(options.runs, options.baseline)
    page = write_study(
        study, Path(options.out) if options.out else Path(options.runs[0]) / "report", view=not options.no_view
    )
    if options.json:
        print_json(study.to_dict())
    print(page, file=sys.stderr if options.json else sys.stdout)
    if study.counted:
        return OK
    tell(_nothing_counts(study))
    return FAILED


def _nothing_counts(study: Study) -> str:
    invalid = sum(stage.invalid for run in study.runs for stage in run.report.stages.values())
    left = sum(run.left for run in study.runs)
    advice = "play with teller-gym eval and the same run_dir, which takes up both kinds"
    if invalid:
        advice += '; what broke stands under "failure" in episodes.jsonl'
    return f"no valid episode, so the report has no figures: {invalid} invalid, {left} not played yet; {advice}"
