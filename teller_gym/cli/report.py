"""`teller-gym report`: tables, figures and a page about one run or several."""

from __future__ import annotations

import sys
from pathlib import Path

from .common import Parser, print_json

EXAMPLE = """\
  teller-gym report runs/expert
  teller-gym report runs/sft runs/grpo --baseline runs/untrained --out report
  teller-gym report runs/a runs/b --json"""


def run(argv: list[str]) -> int:
    """Write a report; exit code 1 if no run has a valid episode."""
    parser = Parser(
        "report",
        "Report on runs, finished or not: report.html (one file that fetches nothing) and report.md, every table as "
        "CSV and LaTeX, every figure as PNG and SVG.",
        EXAMPLE,
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="folder of a run (run_dir of teller-gym eval)")
    parser.add_argument("--out", metavar="DIR", help="where to write; DIR is `report` in the first run's unless given")
    parser.add_argument("--baseline", metavar="RUN", help="the run to compare with; the first of several unless given")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON, too")
    options = parser.read(argv)
    from teller_gym.reports import read_study
    from teller_gym.reports.write import write_study

    study = read_study(options.runs, options.baseline)
    page = write_study(study, Path(options.out) if options.out else Path(options.runs[0]) / "report")
    if options.json:
        print_json(study.to_dict())
    print(page, file=sys.stderr if options.json else sys.stdout)
    return 0 if any(stage.counted for one in study.runs for stage in one.report.stages.values()) else 1
