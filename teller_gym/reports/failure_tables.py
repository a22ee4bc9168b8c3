"""Tables of where runs fail: root causes with an example each, and decision points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from teller_gym.evaluation.measures.failures import Cause, Failures
from teller_gym.evaluation.measures.metrics import Metric
from teller_gym.reports.study import Run, Study
from teller_gym.reports.table import Column, Link, Row, Table, Value

VIEW_FOLDER = "view"
"""Of a report's folder: where its episodes can be looked at."""

MOST_CAUSES, MOST_LATER, MOST_POINTS = 12, 4, 10
"""Rows of a run: causes, mistakes that only follow from others, decision points."""


def failing(study: Study) -> list[tuple[Run, Failures]]:
    """Return the runs in which an episode failed."""
    found = [(run, run.report.stages[2].failures) for run in study.in_stage(2)]
    return [(run, failures) for run, failures in found if failures is not None and failures.failed]


def causes(study: Study, viewed: bool) -> Table:
    """Root causes of each run, the costliest first; after them what mostly follows from them.

    Args:
        viewed: True if the report's folder has pages of the episodes, to which names and examples lead.
    """
    columns = [
        Column("root cause", "text"),
        Column("cost", "share", interval=True),
        Column("episodes", "text"),
        Column("later in", "int"),
        Column("example", "text"),
        Column("SOP", "text"),
        Column("from", "text"),
    ]
    rows = [(run, row) for run, failures in failing(study) for row in _causes(run, failures, viewed)]
    return _by_run("causes", study, columns, rows)


def _causes(run: Run, failures: Failures, viewed: bool) -> Iterator[list[Value]]:
    costing = [cause for cause in failures.causes if cause.episodes]
    following = [cause for cause in failures.causes if not cause.episodes]
    for cause in costing[:MOST_CAUSES]:
        yield _cause(run, cause, failures.episodes, viewed)
    rest = costing[MOST_CAUSES:]
    if rest:
        count = sum(cause.episodes for cause in rest)
        share = Metric(count / failures.episodes)
        yield [f"{len(rest)} further causes", share, f"{count} of {failures.episodes}", None, None, None, None]
    for cause in following[:MOST_LATER]:
        yield _cause(run, cause, failures.episodes, viewed)
    if following[MOST_LATER:]:
        yield [f"{len(following) - MOST_LATER} further consequences", *[None] * 6]


def _cause(run: Run, cause: Cause, episodes: int, viewed: bool) -> list[Value]:
    known = viewed and cause.episodes
    return [
        Link(cause.name, _address(run=run.name, cause=cause.name)) if known else cause.name,
        cause.share if cause.episodes else None,
        f"{cause.episodes} of {episodes}" if cause.episodes else None,
        cause.later,
        _example(run, cause, viewed),
        ", ".join(cause.clauses),
        ", ".join(cause.fields),
    ]


def _example(run: Run, cause: Cause, viewed: bool) -> Value:
    shown = cause.example
    if shown is None:
        return None
    text = shown.task_id + (f", trial {shown.trial}" if shown.trial else "")
    text += f", step {shown.step}" if shown.step else ""
    if not viewed:
        return text
    place = f"{run.name}/{shown.task_id}/{shown.trial}"
    return Link(text, _address(view="episode", e=place, **({"step": str(shown.step)} if shown.step else {})))


def _address(**state: str) -> str:
    """Locations in the viewer's pages; their state follows # in the address."""
    return f"{VIEW_FOLDER}/index.html#{urlencode(state)}"


def points(study: Study) -> Table:
    """Branches of decision points at which each run fails more than it does on average."""
    columns = [
        Column("decision point", "text"),
        Column("branch", "text"),
        Column("fail", "share", interval=True),
        Column("episodes", "text"),
        Column("commonest root cause", "text"),
    ]
    rows: list[tuple[Run, list[Value]]] = []
    for run, failures in failing(study):
        average = failures.failed / failures.episodes
        for one in failures.branches[:MOST_POINTS]:
            if one.failed > average * one.episodes:
                name, count = next(iter(one.causes.items()))
                words = [one.point.replace("_", " "), one.branch.replace("_", " ")]
                rows.append((run, [*words, one.share, f"{one.failed} of {one.episodes}", f"{name} ({count})"]))
    return _by_run("points", study, columns, rows)


def _by_run(key: str, study: Study, columns: list[Column], rows: Iterable[tuple[Run, list[Value]]]) -> Table:
    """Return a table with a column for the run where there are several."""
    if len(study.in_stage(2)) < 2:
        return Table(key, columns, [Row(row) for _, row in rows])
    return Table(key, [Column("run", "text"), *columns], [Row([run.name, *row]) for run, row in rows])
