"""Figures that show the runs together with the paper's models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from teller_gym.evaluation.measures.labels import label
from teller_gym.reports.contents import short_note
from teller_gym.reports.figures.style import (
    GRID,
    INK,
    MUTED,
    Canvas,
    bare,
    canvas,
    legend_below,
    legend_name,
    rows_axis,
    run_handles,
    run_style,
    settings,
)
from teller_gym.reports.paper_tables import averages_of, graph_size, in_scenario, pearson, scenarios_of, title_of
from teller_gym.reports.study import Run, Study
from teller_gym.tables.model import MARK, Metric

_LEGEND_ROWS = 4
_STEP, _SPREAD = 9, 45
"""Distance in points between the marks of neighbouring runs, and maximum distance between the first and the last."""
_TIER_MARKERS = {"proprietary": "o", "large_open": "s", "small_open": "s"}
_TIER_COLOURS = {"proprietary": "#7b6fd0", "large_open": "#44aa99", "small_open": "#c9973d"}


def _explain(figure: Canvas) -> None:
    """Add an explanation of the mark to the figure, which may be used without its page."""
    figure.suptitle(short_note(), fontsize=8, color=MUTED)


def draw_stages(study: Study) -> Canvas | None:
    """Plot accuracy against edge F1 and path overlap of models and runs.

    None is returned if no run has both stages.
    """
    if all(_both(run, "edge_f1") is None for run in study.runs):
        return None
    with settings():
        figure = canvas(11, 6.6)
        _explain(figure)
        for axis, name in zip(figure.subplots(1, 2), ("edge_f1", "path_overlap"), strict=True):
            _scatter_models(axis, study, name)
            r = study.paper.correlations[name]
            axis.set_title(f"Pearson: {MARK} {len(study.paper.models)} models r = {r:.3f}{_own_r(study, name)}")
            axis.set_xlabel(f"{label(name)} (stage 1)")
            axis.set_ylabel("accuracy (stage 2)")
            axis.set_xlim(-0.04, 1.04)
            axis.set_ylim(-0.04, 1.04)
            axis.grid()
            axis.set_axisbelow(True)
            bare(axis)
        _stages_legend(figure, study)
        return figure


def _stages_legend(figure: Canvas, study: Study) -> None:
    """Draw a legend with separate columns for runs and models."""
    handles, labels = _model_handles(study)
    places = [place for place, run in enumerate(study.runs) if _both(run, "edge_f1") is not None]
    ours, names = run_handles([study.runs[place].name for place in places], places)
    for column in ((ours, names), (handles, labels)):
        while len(column[0]) % _LEGEND_ROWS:
            column[0].append(Line2D([], [], linestyle="none"))
            column[1].append("")
    columns = (len(ours) + len(handles)) // _LEGEND_ROWS
    figure.legend([*ours, *handles], [*names, *labels], loc="outside lower center", ncols=columns)


def _both(run: Run, name: str) -> tuple[float, float] | None:
    found = averages_of(run)
    x, y = (found[one].value if one in found else None for one in (name, "accuracy"))
    return None if x is None or y is None else (x, y)


def _own_r(study: Study, name: str) -> str:
    found = [pair for run in study.runs if (pair := _both(run, name)) is not None]
    r = pearson([x for x, _ in found], [y for _, y in found])
    return "" if r is None else f"; {len(found)} runs r = {r:.3f}"


def _scatter_models(axis: Any, study: Study, name: str) -> None:
    for number, (model, tier) in enumerate(study.paper.models.items(), 1):
        figures = study.paper.averages[model]
        x, y = figures[name], figures["accuracy"]
        axis.plot([x], [y], _TIER_MARKERS[tier], markersize=12, color=_TIER_COLOURS[tier], alpha=0.85, clip_on=False)
        axis.annotate(str(number), (x, y), ha="center", va="center", fontsize=7, color="white", weight="bold")
    for place, run in enumerate(study.runs):
        pair = _both(run, name)
        if pair is not None:
            axis.plot([pair[0]], [pair[1]], linestyle="none", markersize=13, clip_on=False, **run_style(place))


def _model_handles(study: Study) -> tuple[list[Any], list[str]]:
    handles = [
        Line2D([], [], linestyle="none", marker=_TIER_MARKERS[tier], color=_TIER_COLOURS[tier], markersize=8)
        for tier in study.paper.models.values()
    ]
    return handles, [f"{number} {MARK} {model}" for number, model in enumerate(study.paper.models, 1)]


def draw_complexity(study: Study) -> Canvas:
    """Plot accuracy against the number of edges in scenario graphs.

    Path overlap is also plotted if stage 1 was played.
    """
    panels = [(2, "accuracy"), *([(1, "path_overlap")] if study.in_stage(1) else [])]
    with settings():
        figure = canvas(max(7.5, 6 * len(panels)), 5)
        _explain(figure)
        for axis, (stage, name) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            title = f"edges against {label(name)}"
            if stage == 2:
                title += _paper_complexity(axis, study)
            for place, run in enumerate(study.runs):
                points = _complexity_of(study, run, stage, name)
                if points:
                    xs, ys = zip(*points, strict=True)
                    axis.plot(
                        xs,
                        ys,
                        linestyle="none",
                        markersize=9,
                        label=legend_name(run.name),
                        clip_on=False,
                        transform=_beside(axis, place, len(study.runs)),
                        **run_style(place),
                    )
            axis.set_title(title)
            axis.set_xlabel("edges of the graph")
            axis.set_ylabel(label(name))
            axis.set_xlim(*_edges_shown(study))
            axis.set_ylim(-0.04, 1.04)
            axis.grid()
            axis.set_axisbelow(True)
            bare(axis)
        shown = {
            name: handle for axis in figure.axes for handle, name in zip(*axis.get_legend_handles_labels(), strict=True)
        }
        legend_below(figure, list(shown.values()), list(shown), 4)
        return figure


def _beside(axis: Any, place: int, runs: int) -> Any:
    """Return a transform that shifts a run's marks sideways, because all runs have the same x values."""
    step = min(_STEP, _SPREAD / runs)
    shift = ScaledTranslation((place - (runs - 1) / 2) * step / 72, 0, axis.figure.dpi_scale_trans)
    return axis.transData + shift


def _edges_shown(study: Study) -> tuple[float, float]:
    """Return the common x range of all panels, with room for scenario names."""
    sizes = [size for name in scenarios_of(study) if (size := graph_size(name)) is not None]
    edges = [*(row.edges for row in study.paper.complexity.values()), *(size.edges for size in sizes)]
    return min(edges) - 4, max(edges) + 4


def _paper_complexity(axis: Any, study: Study) -> str:
    rows = study.paper.complexity
    xs, ys = [row.edges for row in rows.values()], [row.accuracy for row in rows.values()]
    axis.plot(xs, ys, "s", markersize=8, markerfacecolor="none", color=MUTED, label=f"{MARK} mean of 14 models")
    for scenario, row in rows.items():
        axis.annotate(
            title_of(scenario), (row.edges, row.accuracy), xytext=(0, 9), textcoords="offset points", ha="center",
            fontsize=8, color=MUTED,
        )  # fmt: skip
    r = pearson(xs, ys)
    return "" if r is None else f"; Pearson: {MARK} {len(xs)} scenarios r = {r:.3f}"


def _complexity_of(study: Study, run: Run, stage: int, name: str) -> list[tuple[float, float]]:
    points: list[tuple[float, float]] = []
    for scenario in scenarios_of(study):
        metric, size = in_scenario(run, stage, scenario).get(name), graph_size(scenario)
        if size is not None and metric is not None and metric.value is not None:
            points.append((size.edges, metric.value))
    return points


def draw_errors(study: Study) -> Canvas | None:
    """Plot the shares of the paper's three error types for runs and models, or return None without stage 2."""
    runs = study.in_stage(2)
    if not runs:
        return None
    models = list(study.paper.errors)
    labels = [*(legend_name(run.name) for run in runs), *(f"{MARK} {model}" for model in models)]
    kinds = list(study.paper.errors[models[0]])
    with settings():
        figure = canvas(12, 1.4 + 0.27 * len(labels))
        _explain(figure)
        axes = figure.subplots(1, len(kinds), sharey=True)
        for axis, kind in zip(axes, kinds, strict=True):
            rows_axis(axis, labels, kind)
            ours = [run.report.stages[2].errors.get(kind, Metric(None)) for run in runs]
            colours = [run_style(study.runs.index(run))["color"] for run in runs]
            _bars(axis, ours, colours)
            _bars(axis, [Metric(study.paper.errors[model][kind]) for model in models], [MUTED] * len(models), len(runs))
            axis.axhline(len(runs) - 0.5, color=INK, linewidth=0.8)
            axis.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0 %", "25 %", "50 %", "75 %", "100 %"])
        return figure


def _bars(axis: Any, metrics: Sequence[Metric], colours: Sequence[str], first: int = 0) -> None:
    for row, (metric, colour) in enumerate(zip(metrics, colours, strict=True), first):
        if metric.value is None:
            continue
        axis.barh(row, metric.value, height=0.62, color=colour, alpha=0.8)
        end = metric.value
        if metric.low is not None and metric.high is not None and metric.high > metric.low:
            axis.hlines(row, metric.low, metric.high, color=INK, linewidth=1)
            end = metric.high
        # Inside the bar if there is no room to the right of it.
        inside = end > 0.86
        axis.annotate(
            f"{100 * metric.value:.1f}", (0 if inside else end, row), xytext=(4, 0), textcoords="offset points",
            va="center", fontsize=7.5, color="white" if inside else INK,
        )  # fmt: skip
    axis.axvline(0, color=GRID, linewidth=0.8)
