"""Failure tables for the terminal and for reports: root causes with examples, and decision points."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from teller_gym.evaluation.measures.failures import Cause, Example, Failures
from teller_gym.tables.model import Column, Link, Metric, Row, Table, Value
from teller_gym.tables.text import as_text

MOST_CAUSES, MOST_LATER, MOST_POINTS = 12, 4, 10
"""Maximum number of rows per run: root causes, mistakes that only follow from others, and decision points."""

CAUSES = (
    Column("root cause", "text"),
    Column("cost", "share", interval=True),
    Column("episodes", "text"),
    Column("later in", "int"),
    Column("example", "text"),
    Column("SOP", "text"),
    Column("from", "text"),
)
POINTS = (
    Column("decision point", "text"),
    Column("branch", "text"),
    Column("fail", "share", interval=True),
    Column("episodes", "text"),
    Column("commonest root cause", "text"),
)

Address = Callable[[Cause | Example], str]
"""Function that returns the URL of the page for an example or for a cause's episodes."""


def cause_rows(failures: Failures, address: Address | None = None, later: int = MOST_LATER) -> Iterator[list[Value]]:
    """Yield the root causes of a run, costliest first, then the mistakes that only follow from others.

    Args:
        address: returns the URLs for causes and examples; None for no links.
        later: maximum number of mistakes that only follow from others.
    """
    costing = [cause for cause in failures.causes if cause.episodes]
    following = [cause for cause in failures.causes if not cause.episodes]
    for cause in costing[:MOST_CAUSES]:
        yield _cause(cause, failures.episodes, address)
    rest = costing[MOST_CAUSES:]
    if rest:
        count = sum(cause.episodes for cause in rest)
        share = Metric(count / failures.episodes)
        yield [f"{len(rest)} further causes", share, f"{count} of {failures.episodes}", None, None, None, None]
    for cause in following[:later]:
        yield _cause(cause, failures.episodes, address)
    if following[later:]:
        yield [f"{len(following) - later} further consequences", *[None] * 6]


def _cause(cause: Cause, episodes: int, address: Address | None) -> list[Value]:
    return [
        Link(cause.name, address(cause)) if address is not None and cause.episodes else cause.name,
        cause.share if cause.episodes else None,
        f"{cause.episodes} of {episodes}" if cause.episodes else None,
        cause.later,
        None if cause.example is None else _example(cause.example, address),
        ", ".join(cause.clauses) or None,
        ", ".join(cause.fields) or None,
    ]


def _example(shown: Example, address: Address | None) -> Value:
    text = shown.task_id + (f", trial {shown.trial}" if shown.trial else "")
    text += f", step {shown.step}" if shown.step else ""
    return text if address is None else Link(text, address(shown))


def point_rows(failures: Failures) -> Iterator[list[Value]]:
    """Yield the branches of decision points with an above-average failure rate in a run."""
    average = failures.failed / failures.episodes
    for one in failures.branches[:MOST_POINTS]:
        if one.failed > average * one.episodes:
            name, count = next(iter(one.causes.items()))
            words = [one.point.replace("_", " "), one.branch.replace("_", " ")]
            yield [*words, one.share, f"{one.failed} of {one.episodes}", f"{name} ({count})"]


def failure_tables(failures: Failures) -> list[str]:
    """Return tables of root causes and decision points for the terminal, or an empty list if no episode failed."""
    if not failures.failed:
        return []
    causes = Table(CAUSES, [Row(cells) for cells in cause_rows(failures, later=0)])
    points = Table(POINTS, [Row(cells) for cells in point_rows(failures)])
    shown = [causes.only("root cause", "cost", "episodes", "later in", "SOP"), *([points] if points.rows else [])]
    return [as_text(table) for table in shown]
