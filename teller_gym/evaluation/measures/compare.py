"""Terminal tables comparing several runs."""

from __future__ import annotations

from collections.abc import Sequence

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.labels import COMPARED, SHOWN, STAGES, column
from teller_gym.evaluation.measures.report import Report
from teller_gym.evaluation.measures.stage_report import StageReport
from teller_gym.evaluation.measures.summary import AS_FAILURES
from teller_gym.tables.model import Column, Row, Table
from teller_gym.tables.text import as_text, terminal_width

Run = tuple[str, StageReport]
"""An agent's name and its report on a stage."""

PAPER_ERRORS = ("blank", "validation", "type")
"""Error types that are always shown; others are shown only if an agent makes them."""


def compare(reports: Sequence[Report]) -> str:
    """Return score and error tables for several runs, for each stage that all of them have.

    Raises:
        OptionError: no report is given, or the runs played different tasks.
    """
    if not reports:
        raise OptionError("compare: expected at least one report")
    first = reports[0]
    for report in reports:
        for name in ("env", "task_ids", "frozen_sha256"):
            if [part[name] for part in report.config["parts"]] != [part[name] for part in first.config["parts"]]:
                raise OptionError(
                    f"compare: {report.agent} was run over other tasks than {first.agent} ({name} differs); "
                    f"figures over different tasks do not belong in one table"
                )
    shared = sorted(set.intersection(*(set(report.stages) for report in reports)), reverse=True)
    tables = []
    for stage in shared:
        runs = [(report.agent, report.stages[stage]) for report in reports]
        tables.append(_scores(runs, "agent" if len(shared) == 1 else STAGES[stage], COMPARED[stage]))
        if stage == 2:
            kinds = dict.fromkeys(kind for _, one in runs for kind in one.errors)
            shown = [kind for kind in kinds if kind in PAPER_ERRORS or any(_makes(one, kind) for _, one in runs)]
            tables.append(_scores(runs, "errors", [f"error_{kind}" for kind in shown]))
        tables += _transfer(runs, SHOWN[stage])
    return "\n\n".join(as_text(table, terminal_width()) for table in tables)


def _makes(report: StageReport, kind: str) -> bool:
    metric = report.errors.get(kind)
    return metric is not None and bool(metric.value)


def _scores(runs: Sequence[Run], title: str, metrics: Sequence[str]) -> Table:
    rows = []
    for name, report in runs:
        size = f"{report.counted}" + (f" (+{report.invalid} invalid)" if report.invalid else "")
        rows.append(Row([name, size, *map(report.metrics.get, metrics)]))
        if any(metric in report.as_failures for metric in metrics):
            everything = str(report.counted + report.invalid)
            rows.append(Row([f"{name}, {AS_FAILURES}", everything, *map(report.as_failures.get, metrics)]))
    return Table([Column(title, "text"), Column("n", "text", right=True), *map(column, metrics)], rows)


def _transfer(runs: Sequence[Run], metrics: Sequence[str]) -> list[Table]:
    """Return a table of seen and unseen procedures for the runs whose environment leaves out a scenario."""
    shown = [(name, one.transfer.table(metrics)) for name, one in runs if one.transfer is not None]
    rows = [Row([f"{name}, {row.cells[0]}", *row.cells[1:]]) for name, table in shown for row in table.rows]
    return [Table([Column("procedures", "text"), *map(column, metrics)], rows)] if rows else []
