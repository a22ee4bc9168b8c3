"""Failure tables with links to the viewer's episode pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from teller_gym.evaluation.measures.failure_tables import CAUSES, POINTS, Address, cause_rows, point_rows
from teller_gym.evaluation.measures.failures import Cause, Example, Failures
from teller_gym.reports.study import Run, Study
from teller_gym.tables.model import Column, Row, Table, Value

VIEW_FOLDER = "view"
"""Subfolder of a report with the viewer's pages."""


def failing(study: Study) -> list[tuple[Run, Failures]]:
    """Return the runs with failed episodes, together with their failures."""
    found = [(run, run.report.stages[2].failures) for run in study.in_stage(2)]
    return [(run, failures) for run, failures in found if failures is not None and failures.failed]


def causes(study: Study, viewed: bool) -> Table:
    """Return a table of each run's root causes.

    Args:
        viewed: True if the report's folder includes the viewer's pages, to which causes and examples then link.
    """
    rows = [
        (run, row)
        for run, failures in failing(study)
        for row in cause_rows(failures, _addresses(run) if viewed else None)
    ]
    return _by_run("causes", study, CAUSES, rows)


def points(study: Study) -> Table:
    """Return a table of the branches of decision points with an above-average failure rate in a run."""
    rows = [(run, row) for run, failures in failing(study) for row in point_rows(failures)]
    return _by_run("points", study, POINTS, rows)


def _addresses(run: Run) -> Address:
    def address(shown: Cause | Example) -> str:
        # The fragment of the URL contains the viewer's state.
        if isinstance(shown, Cause):
            state = {"run": run.name, "cause": shown.name}
        else:
            state = {"view": "episode", "e": f"{run.name}/{shown.task_id}/{shown.trial}"}
            state |= {"step": str(shown.step)} if shown.step else {}
        return f"{VIEW_FOLDER}/index.html#{urlencode(state)}"

    return address


def _by_run(key: str, study: Study, columns: Sequence[Column], rows: Iterable[tuple[Run, list[Value]]]) -> Table:
    """Return a table with a column for the run if there are several runs."""
    if len(study.in_stage(2)) < 2:
        return Table(columns, [Row(row) for _, row in rows], key)
    columns = [Column("run", "text"), *columns]
    return Table(columns, [Row([run.name, *row]) for run, row in rows], key)
