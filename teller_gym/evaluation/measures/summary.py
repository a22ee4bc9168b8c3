"""Summary of a run: key metrics by stage, with and without invalid episodes, and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teller_gym.evaluation.measures.labels import READINGS, STAGES, column, label
from teller_gym.evaluation.measures.stage_report import StageReport
from teller_gym.tables.model import Column, Metric, Row, Table, cell_text
from teller_gym.tables.text import as_text, terminal_width

LEFT_OUT, AS_FAILURES = "invalid left out", "invalid as failures"
"""Labels for the two treatments of invalid episodes in a mean."""


def figures(metrics: Mapping[str, Metric], stage: int) -> str:
    """Return a line with a stage's key metrics and their intervals."""
    return " · ".join(f"{label(name)} {cell_text(column(name), metrics.get(name))}" for name in READINGS[stage])


def second_reading(stage: StageReport) -> str:
    """Return a line with the key metrics in which invalid episodes count as failures.

    It is empty if no episode is invalid.
    """
    if not stage.as_failures:
        return ""
    return f"with the {stage.invalid} invalid counted as failures: {figures(stage.as_failures, stage.stage)}"


def readings_table(stage: StageReport) -> str:
    """Return a table of the key metrics with and without invalid episodes.

    It is empty if no episode is invalid.
    """
    if not stage.as_failures:
        return ""
    names = READINGS[stage.stage]
    title = f"{stage.invalid} of {stage.counted + stage.invalid} invalid"
    rows = [
        Row([name, *(metrics.get(one) for one in names)])
        for name, metrics in ((LEFT_OUT, stage.metrics), (AS_FAILURES, stage.as_failures))
    ]
    return as_text(Table([Column(title, "text"), *map(column, names)], rows), terminal_width())


def summary(stages: Mapping[int, StageReport]) -> list[str]:
    """Return a run's final lines.

    They have the key metrics of each stage, with the main stage last, then the total cost.
    """
    lines = []
    for number in sorted(stages):
        stage = stages[number]
        head = f"{STAGES[number]}: " if len(stages) > 1 else ""
        lines.append(f"{head}{figures(stage.metrics, number)} (n = {stage.counted})")
        if stage.as_failures:
            lines.append(f"{head}{second_reading(stage)}")
        lines += [f"{head}{line}" for line in stage.answers.lines()]
    return lines + cost_lines(list(stages.values()))


def cost_lines(stages: Sequence[StageReport]) -> list[str]:
    """Return a line with the tokens and cost of all episodes.

    The list is empty if the agent did not count its tokens.
    """
    totals = {kind: sum(one.tokens.get(kind, 0) for one in stages) for one in stages for kind in one.tokens}
    if not totals:
        return []
    known = [one.usd for one in stages if one.usd is not None]
    paid = f"{sum(known):,.2f} USD: " if known else ""
    cached = f" ({totals['cached']:,} of them cached)" if totals.get("cached") else ""
    return [f"cost: {paid}{totals['prompt']:,} prompt tokens{cached}, {totals['completion']:,} completion tokens"]
