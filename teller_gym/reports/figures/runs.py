"""Figures that show only the runs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from teller_gym.evaluation.measures.labels import label
from teller_gym.reports.figures.style import (
    INK,
    Canvas,
    bare,
    canvas,
    dots,
    legend_below,
    rows_axis,
    run_handles,
    run_style,
    settings,
)
from teller_gym.reports.paper_tables import title_of
from teller_gym.reports.run_tables import group_names, group_of, points
from teller_gym.reports.study import Study
from teller_gym.tables.model import Metric

_COLUMN = 16
"""Maximum number of rows per column."""


def _places(study: Study, stage: int) -> list[int]:
    return [place for place, run in enumerate(study.runs) if stage in run.report.stages]


def _height(rows: int, runs: int) -> float:
    """Return a figure's height in inches for rows with one dot per run, with title, axis and legend."""
    return rows * max(0.3, 0.12 + 0.11 * runs) + 1.1 + 0.2 * math.ceil(runs / 4)


def _legend(figure: Canvas, study: Study, places: Sequence[int]) -> None:
    handles, labels = run_handles([study.runs[place].name for place in places], places)
    legend_below(figure, handles, labels, 4)


def draw_error_kinds(study: Study) -> Canvas | None:
    """Plot the share of episodes with each type of error that occurs, or return None if there are no errors."""
    places = _places(study, 2)
    errors = [study.runs[place].report.stages[2].errors for place in places]
    kinds = list(dict.fromkeys(kind for one in errors for kind in one))
    kinds = [kind for kind in kinds if any(one[kind].value for one in errors if kind in one)]
    if not kinds:
        return None
    with settings():
        figure = canvas(8, _height(len(kinds), len(places)))
        axis = figure.subplots()
        rows_axis(axis, [kind.replace("_", " ") for kind in kinds], "share of episodes with an error")
        dots(axis, [[one.get(kind) for one in errors] for kind in kinds], places)
        _legend(figure, study, places)
        return figure


def draw_outcomes(study: Study) -> Canvas | None:
    """Plot success by outcome and by difficulty, or return None if there are no such groups."""
    panels = [(kind, group_names(study, kind)) for kind in ("outcome", "difficulty")]
    panels = [(kind, names) for kind, names in panels if names]
    if not panels:
        return None
    places = _places(study, 2)
    with settings():
        figure = canvas(5.5 * len(panels), _height(max(len(names) for _, names in panels), len(places)))
        for axis, (kind, names) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            rows_axis(axis, [group_label(study, kind, name, title_of(name)) for name in names], f"success by {kind}")
            dots(axis, _successes(study, places, [(kind, name) for name in names]), places)
        _legend(figure, study, places)
        return figure


def draw_branches(study: Study) -> Canvas | None:
    """Plot success for each branch of each decision point, or return None if there are no branches."""
    rows = [(kind, name) for kind in points(study) for name in group_names(study, kind)]
    if not rows:
        return None
    places = _places(study, 2)
    halves = _halved(rows)
    with settings():
        figure = canvas(6 * len(halves), _height(max(map(len, halves)), len(places)))
        for axis, half in zip(figure.subplots(1, len(halves), squeeze=False)[0], halves, strict=True):
            labels = [f"{title_of(kind.removeprefix('branch:'))}: {title_of(name)}" for kind, name in half]
            named = [group_label(study, *row, text) for row, text in zip(half, labels, strict=True)]
            rows_axis(axis, named, "success by branch of the right path")
            dots(axis, _successes(study, places, half), places)
            for place in range(1, len(half)):
                if half[place][0] != half[place - 1][0]:
                    axis.axhline(place - 0.5, color=INK, linewidth=0.8)
        _legend(figure, study, places)
        return figure


def _halved(rows: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Split many rows into two columns at a boundary between decision points."""
    starts = [place for place in range(1, len(rows)) if rows[place][0] != rows[place - 1][0]]
    if len(rows) <= _COLUMN or not starts:
        return [rows]
    middle = min(starts, key=lambda place: abs(2 * place - len(rows)))
    return [rows[:middle], rows[middle:]]


def group_label(study: Study, kind: str, name: str, text: str) -> str:
    """Return a group's text with its number of episodes, or the range of that number over the runs."""
    groups = [group_of(run, kind, name) for run in study.in_stage(2)]
    sizes = [group.episodes for group in groups if group]
    least, most = min(sizes), max(sizes)
    return f"{text}  (n = {most})" if least == most else f"{text}  (n = {least}–{most})"


def _successes(study: Study, places: Sequence[int], rows: Sequence[tuple[str, str]]) -> list[list[Metric | None]]:
    found = [[group_of(study.runs[place], kind, name) for place in places] for kind, name in rows]
    return [[group.metrics["success"] if group else None for group in row] for row in found]


def draw_passes(study: Study) -> Canvas | None:
    """Plot pass^k for runs with several trials, with a panel for each stage, or return None if there are none."""
    panels = [
        (stage, [place for place in _places(study, stage) if len(study.runs[place].report.stages[stage].pass_hat) > 1])
        for stage in (2, 1)
    ]
    panels = [(stage, places) for stage, places in panels if places]
    if not panels:
        return None
    with settings():
        figure = canvas(max(6.5, 4.5 * len(panels)), 4.2)
        for axis, (stage, places) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            for place in places:
                passes = study.runs[place].report.stages[stage].pass_hat
                ks = [k for k, metric in passes.items() if metric.value is not None]
                style = run_style(place)
                axis.plot(ks, [passes[k].value for k in ks], markersize=7, clip_on=False, **style)
                for k in ks:
                    if passes[k].low is not None:
                        axis.vlines(k, passes[k].low, passes[k].high, color=style["color"], alpha=0.5)
            most = max(max(study.runs[place].report.stages[stage].pass_hat) for place in places)
            axis.set_xticks(range(1, most + 1))
            axis.set_ylim(-0.03, 1.03)
            axis.set_title(f"stage {stage}")
            axis.set_xlabel("k")
            axis.set_ylabel("pass^k")
            axis.grid()
            bare(axis)
        _legend(figure, study, sorted({place for _, places in panels for place in places}))
        return figure


def draw_paired(study: Study) -> Canvas | None:
    """Plot each run's differences from the baseline, with a panel for each stage, or return None if there are none."""
    stages = [stage for stage in (2, 1) if any(one.stage == stage and one.common for _, one in study.pairs)]
    if not stages:
        return None
    with settings():
        pairs = {stage: [(run, one) for run, one in study.pairs if one.stage == stage] for stage in stages}
        most = max(len(one.differences) for _, one in study.pairs)
        figure = canvas(5.5 * len(stages), _height(most, max(map(len, pairs.values()))))
        for axis, stage in zip(figure.subplots(1, len(stages), squeeze=False)[0], stages, strict=True):
            names = list(pairs[stage][0][1].differences)
            places = [study.runs.index(run) for run, _ in pairs[stage]]
            title = f"stage {stage}: difference from {study.baseline.name if study.baseline else ''}"
            rows_axis(axis, [label(name) for name in names], title, -1, 1)
            axis.axvline(0, color=INK, linewidth=1)
            dots(axis, [[one.differences[name].difference for _, one in pairs[stage]] for name in names], places)
        _legend(figure, study, sorted({study.runs.index(run) for run, _ in study.pairs}))
        return figure
