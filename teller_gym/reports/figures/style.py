"""Style of figures, and functions that write equal figures as equal bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from teller_gym.base.files import write_whole
from teller_gym.tables.model import Metric

Canvas = Any
"""Type of a matplotlib figure, which is untyped."""

INK, MUTED, GRID = "#1b1b21", "#85858f", "#dcdce2"
"""Colours for text, secondary text and grid lines.

Pages replace them by their own colours, so nothing else may use them.
"""

RUNS = ("#0a78c2", "#d55e00", "#12996f", "#c56aa0", "#dd9a00", "#4eaee0")
"""Colours for runs, distinguishable with every type of colour vision, on white and dark backgrounds."""

MODELS = ("#7b6fd0", "#5bb5d8", "#44aa99", "#5e9e4e", "#a8a838", "#d9a441", "#cc6677", "#b0609b")
"""Colours for the paper's models, of similar lightness, for thin lines."""

MARKERS = "*sD^vP"
_SIZES = {"*": 8}
"""Sizes of markers that would otherwise appear too small."""

_DPI = 150
_LONGEST = 44
_LETTER, _HANDLE = 0.08, 0.6
"""Width in inches of a letter in a legend, and of the handle before each name."""

_SETTINGS: Any = {
    "svg.hashsalt": "teller-gym",
    "svg.fonttype": "path",
    "text.parse_math": False,
    "font.size": 9,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "axes.titlesize": 10,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "legend.frameon": False,
}


def settings() -> Any:
    """Return a context manager with the matplotlib settings for drawing and writing figures."""
    return matplotlib.rc_context(_SETTINGS)


def run_style(place: int) -> dict[str, Any]:
    """Return the colour and marker of the run with this index."""
    return {
        "color": RUNS[place % len(RUNS)],
        "marker": MARKERS[(place + place // len(RUNS)) % len(MARKERS)],
    }


def legend_name(name: str) -> str:
    """Return a run's name shortened for a legend.

    A space is added before a leading underscore, which would hide the name.
    """
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return f" {short}" if short.startswith("_") else short


def canvas(width: float, height: float, layout: Any = "constrained") -> Canvas:
    """Return a new figure without pyplot and its global state, with width and height in inches."""
    return Figure(figsize=(width, height), layout=layout, dpi=_DPI)


def save(figure: Canvas, folder: Path, key: str) -> str:
    """Write a figure as PNG and SVG and return the SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    picture, text = io.BytesIO(), io.StringIO()
    with settings():
        # The layout, which takes longer than drawing, is computed once for both formats.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
        figure.savefig(picture, format="png", metadata={"Software": None}, facecolor="white")
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    svg = text.getvalue()
    write_whole(folder / f"{key}.png", picture.getvalue(), synced=False)
    write_whole(folder / f"{key}.svg", svg.encode(), synced=False)
    return svg


def bare(axis: Any, *sides: str) -> None:
    """Hide sides of the frame, by default the top and right sides."""
    for side in sides or ("top", "right"):
        axis.spines[side].set_visible(False)


def legend_below(figure: Canvas, handles: Sequence[Any], labels: Sequence[str], columns: int) -> None:
    """Draw a legend below the figure with the given number of columns, or fewer if there is not enough room."""
    room = int(figure.get_figwidth() / (_LETTER * max(map(len, labels), default=0) + _HANDLE))
    figure.legend(handles, labels, loc="outside lower center", ncols=max(1, min(columns, room, len(labels))))


def rows_axis(axis: Any, labels: Sequence[str], title: str, low: float = 0.0, high: float = 1.0) -> None:
    """Set up an axis with one labelled row per item, the first on top, and values along x."""
    margin = 0.02 * (high - low)
    axis.set_title(title)
    axis.set_xlim(low - margin, high + margin)
    axis.set_ylim(len(labels) - 0.5, -0.5)
    axis.set_yticks(range(len(labels)), labels)
    axis.grid(axis="x")
    axis.set_axisbelow(True)
    axis.tick_params(axis="y", length=0)
    bare(axis, "top", "right", "left")


def dots(axis: Any, rows: Sequence[Sequence[Metric | None]], places: Sequence[int]) -> None:
    """Draw a dot with its interval for each run in each row.

    Args:
        rows: metrics by row and run.
        places: indices of the runs in the study, which determine their colours.
    """
    for row, metrics in enumerate(rows):
        if row:
            axis.axhline(row - 0.5, color=GRID, linewidth=0.6)
        for place, (metric, run) in enumerate(zip(metrics, places, strict=True)):
            if metric is None or metric.value is None:
                continue
            y = row + 0.76 * ((place + 0.5) / len(metrics) - 0.5)
            style = run_style(run)
            if metric.low is not None:
                axis.hlines(y, metric.low, metric.high, color=style["color"], linewidth=1.5, alpha=0.6)
            axis.plot(
                [metric.value], [y], linestyle="none", clip_on=False, markersize=_SIZES.get(style["marker"], 5), **style
            )


def run_handles(names: Sequence[str], places: Sequence[int]) -> tuple[list[Any], list[str]]:
    """Return handles and labels for a legend of runs."""
    from matplotlib.lines import Line2D

    return [Line2D([], [], markersize=7, linewidth=1.5, **run_style(place)) for place in places], [
        legend_name(name) for name in names
    ]
