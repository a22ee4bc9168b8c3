"""Tables of runs against the baseline."""

from __future__ import annotations

from teller_gym.evaluation.measures.labels import label
from teller_gym.reports.study import Study
from teller_gym.tables.model import Column, Row, Table


def changes(study: Study) -> Table:
    """Return the table of tasks won and lost by each run."""
    names = ("common tasks", "run alone", "baseline alone", "won", "lost")
    columns = [Column("run", "text"), Column("stage", "int"), *(Column(name, "int") for name in names)]
    rows = [
        Row(
            [run.name, one.stage, one.common, one.only_run, one.only_baseline, len(one.won), len(one.lost), one.p_value]
        )
        for run, one in study.pairs
    ]
    return Table([*columns, Column("McNemar's p", "p")], rows, "changes")


def differences(study: Study) -> Table:
    """Return the difference in each metric over the common tasks."""
    columns = [
        Column("run", "text"),
        Column("stage", "int"),
        Column("metric", "text"),
        Column("run's"),
        Column("baseline's"),
    ]
    rows = [
        Row([run.name, one.stage, label(name), found.run, found.baseline, found.difference])
        for run, one in study.pairs
        for name, found in one.differences.items()
    ]
    return Table([*columns, Column("difference", "signed", interval=True)], rows, "differences")
