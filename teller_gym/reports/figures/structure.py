"""Correlation between the size of scenario graphs and stage 1 metrics (the paper's Figure 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from teller_gym.evaluation.measures.labels import label
from teller_gym.reports.figures.style import INK, MUTED, Canvas, bare, canvas, legend_name, settings
from teller_gym.reports.paper_tables import GraphSize, graph_size, in_scenario, pearson
from teller_gym.reports.study import Run, Study

PROPERTIES: dict[str, Callable[[GraphSize], float]] = {
    "nodes": lambda size: size.nodes,
    "edges": lambda size: size.edges,
    "density": lambda size: size.density,
    "output fields": lambda size: size.output_fields,
}
METRICS = ("node_overlap", "edge_overlap", "path_overlap", "node_f1", "edge_f1")
MOST_RUNS = 4
"""Maximum number of panels, to keep them readable; only the first runs are shown."""

Cells = list[list[float | None]]


def correlations(run: Run) -> Cells:
    """Return Pearson's r over a run's scenarios between graph properties (rows) and stage 1 metrics (columns).

    A value is None if there are fewer than three scenarios, or if either variable is constant.
    """
    sizes = {name: size for name in run.scenarios if (size := graph_size(name)) is not None}
    found: Cells = []
    for measure in PROPERTIES.values():
        row: list[float | None] = []
        for metric in METRICS:
            pairs = [
                (measure(size), value.value)
                for name, size in sizes.items()
                if (value := in_scenario(run, 1, name).get(metric)) is not None and value.value is not None
            ]
            row.append(pearson([x for x, _ in pairs], [y for _, y in pairs]))
        found.append(row)
    return found


def draw_structure(study: Study) -> Canvas | None:
    """Draw a correlation matrix for each of the first runs.

    None is returned if no run has three scenarios in stage 1.
    """
    measured = [(run, correlations(run)) for run in study.in_stage(1)]
    shown = [(run, cells) for run, cells in measured if any(r is not None for row in cells for r in row)]
    if not shown:
        return None
    shown = shown[:MOST_RUNS]
    with settings():
        figure = canvas(max(6.0, 4.6 * len(shown)), 3.8)
        axes = figure.subplots(1, len(shown), squeeze=False, sharey=True)[0]
        for axis, (run, cells) in zip(axes, shown, strict=True):
            image = _matrix(axis, cells)
            axis.set_title(f"{legend_name(run.name)} ({len(run.scenarios)} scenarios)")
        figure.colorbar(image, ax=list(axes), label="Pearson's r", shrink=0.8)
        return figure


def _matrix(axis: Any, cells: Cells) -> Any:
    values = [[float("nan") if r is None else r for r in row] for row in cells]
    image = axis.imshow(values, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
    axis.set_xticks(range(len(METRICS)), [label(name) for name in METRICS], rotation=30, ha="right")
    axis.set_yticks(range(len(PROPERTIES)), list(PROPERTIES))
    axis.tick_params(length=0)
    for y, row in enumerate(cells):
        for x, r in enumerate(row):
            # White text on dark cells.
            colour = MUTED if r is None else "white" if abs(r) > 0.6 else INK
            axis.text(x, y, "–" if r is None else f"{r:+.2f}", ha="center", va="center", color=colour)
    bare(axis, "top", "right", "left", "bottom")
    return image
