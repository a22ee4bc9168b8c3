"""Root causes and decision points as tables for a terminal."""

from __future__ import annotations

from teller_gym.evaluation.measures.failures import Branch, Cause, Failures
from teller_gym.evaluation.measures.tables import NOTHING, interval_text, one_line, text_table

MOST_CAUSES, MOST_BRANCHES = 10, 8
"""So many rows at most; the pages of a report have more, its JSON has all."""


def failure_tables(failures: Failures) -> list[str]:
    """Root causes, then decision points; nothing where no episode failed."""
    if not failures.failed:
        return []
    title = f"root cause of {failures.failed} failed of {failures.episodes}"
    costing = [cause for cause in failures.causes if cause.episodes]
    causes = [_cause(cause, failures.episodes) for cause in costing[:MOST_CAUSES]]
    following = len(failures.causes) - len(costing)
    tables = [
        text_table([title, "cost", "95 % interval", "later in", "SOP"], causes, left=(0, 4))
        + _more(len(costing) - len(causes))
        + (f"\n{following} more kinds of mistake only follow from these" if following else "")
    ]
    branches = [_branch(branch) for branch in failures.branches[:MOST_BRANCHES]]
    if branches:
        heading = ["decision point", "failed", "95 % interval", "commonest root cause"]
        tables.append(text_table(heading, branches, left=(0, 3)) + _more(len(failures.branches) - len(branches)))
    return tables


def _cause(cause: Cause, episodes: int) -> list[str]:
    clauses = ", ".join(map(one_line, cause.clauses)) or NOTHING
    cost = f"{cause.episodes} of {episodes}"
    return [one_line(cause.name), cost, interval_text("error_", cause.share), str(cause.later), clauses]


def _branch(branch: Branch) -> list[str]:
    name, count = next(iter(branch.causes.items()))
    return [
        one_line(f"{branch.point}: {branch.branch}"),
        f"{branch.failed} of {branch.episodes}",
        interval_text("error_", branch.share),
        f"{one_line(name)} ({count})",
    ]


def _more(count: int) -> str:
    return f"\n… and {count} more" if count else ""
