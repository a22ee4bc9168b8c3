"""Pictures of figures with their intervals. Matplotlib is imported when one is drawn, not before."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teller_gym.base.errors import MissingExtraError
from teller_gym.base.files import write_whole
from teller_gym.evaluation.measures.metrics import Metric

# Okabe and Ito's colours, distinct with every kind of colour vision; grey for their yellow, too pale on white.
_COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999")
_MARKERS = "osD^vP*X"
_ROW_INCHES = 0.34
_LETTER_INCHES = 0.1
_DPI = 150


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel of a picture.

    Attributes:
        rows: label of each row, and in it a figure for each of those compared.
        shares: True if the figures are shares of episodes, drawn as bars where there is but one a row.
    """

    title: str
    rows: Sequence[tuple[str, Sequence[Metric | None]]]
    shares: bool = False


def draw(panels: Sequence[Panel], title: str, path: Path) -> Path:
    """Draw panels with one figure a row side by side; return the path."""
    figure, axes = _panels(len(panels), max(len(panel.rows) for panel in panels), title)
    for axis, panel in zip(axes, panels, strict=True):
        points = [(name, metrics[0] or Metric(None)) for name, metrics in panel.rows]
        (_bars if panel.shares else _points)(axis, points, panel.title)
    return _save(figure, path)


def draw_compared(panels: Sequence[Panel], names: Sequence[str], title: str, path: Path) -> Path:
    """Draw panels with a figure for each name in every row, a colour each; return the path."""
    lines = max(len(panel.rows) for panel in panels) * max(2.0, 0.62 * len(names))
    figure, axes = _panels(len(panels), lines * 0.75, title)
    for axis, panel in zip(axes, panels, strict=True):
        _grouped(axis, panel.rows, names, panel.title)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), frameon=False)
    return _save(figure, path)


def _panels(count: int, rows: float, title: str) -> tuple[Any, Any]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("drawing a figure", "eval") from error
    # A Figure of its own, outside pyplot: no window, no global state, safe on threads.
    width = max(4.9 * count, _LETTER_INCHES * len(title))
    figure: Any = Figure(figsize=(width, 1.7 + _ROW_INCHES * rows), layout="constrained", dpi=_DPI)
    figure.suptitle(title, fontsize=11)
    return figure, figure.subplots(1, count, squeeze=False)[0]


def _frame(axis: Any, labels: Sequence[str], title: str) -> None:
    axis.set_title(title, fontsize=10)
    axis.set_xlim(-0.02, 1.02)
    axis.set_ylim(len(labels) - 0.5, -0.5)
    axis.set_yticks(range(len(labels)), labels)
    axis.grid(axis="x", color="0.88")
    axis.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)
    axis.tick_params(axis="y", length=0)


def _points(axis: Any, points: Sequence[tuple[str, Metric]], title: str) -> None:
    _frame(axis, [name for name, _ in points], title)
    for row, (_, metric) in enumerate(points):
        _point(axis, row, metric, _COLOURS[1], "o")
        if metric.value is not None:
            _label(axis, row, metric, f"{metric.value:.2f}")


def _label(axis: Any, row: float, metric: Metric, text: str) -> None:
    """Write a value beside its interval, on the side where there is room."""
    high, low = metric.high or metric.value or 0.0, metric.low if metric.low is not None else metric.value
    if high < 0.85:
        axis.annotate(text, (high, row), xytext=(6, 0), textcoords="offset points", va="center", fontsize=8)
    else:
        axis.annotate(text, (low, row), xytext=(-6, 0), textcoords="offset points", va="center", ha="right", fontsize=8)


def _bars(axis: Any, shares: Sequence[tuple[str, Metric]], title: str) -> None:
    _frame(axis, [name for name, _ in shares], title)
    for row, (_, metric) in enumerate(shares):
        if metric.value is not None:
            axis.barh(row, metric.value, height=0.6, color=_COLOURS[2], alpha=0.75)
            if metric.low is not None:
                axis.hlines(row, metric.low, metric.high, color="0.2", linewidth=1.2)
            _label(axis, row, metric, f"{100 * metric.value:.0f} %")


def _point(axis: Any, row: float, metric: Metric, colour: str, marker: str, label: str | None = None) -> None:
    if metric.value is None:
        return
    if metric.low is not None:
        axis.hlines(row, metric.low, metric.high, color=colour, linewidth=1.6, alpha=0.6)
    axis.plot([metric.value], [row], marker=marker, color=colour, markersize=5, linestyle="none", label=label)


def _grouped(axis: Any, rows: Sequence[tuple[str, Sequence[Metric | None]]], names: Sequence[str], title: str) -> None:
    _frame(axis, [name for name, _ in rows], title)
    for line in range(1, len(rows)):
        axis.axhline(line - 0.5, color="0.9", linewidth=0.8)
    for row, (_, metrics) in enumerate(rows):
        for place, (name, metric) in enumerate(zip(names, metrics, strict=True)):
            offset = 0.76 * ((place + 0.5) / len(names) - 0.5)
            colour, marker = _COLOURS[place % len(_COLOURS)], _MARKERS[place // len(_COLOURS) % len(_MARKERS)]
            if metric is not None:
                _point(axis, row + offset, metric, colour, marker, name if row == 0 else None)


def _save(figure: Any, path: Path) -> Path:
    from matplotlib.text import Text

    path.parent.mkdir(parents=True, exist_ok=True)
    for text in figure.findobj(Text):
        text.set_parse_math(False)  # a dollar sign in an agent's name is one
    # No date or version inside, so that equal reports give equal files.
    drawn = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".") or "png"
    figure.savefig(drawn, format=kind, metadata={"Software": None} if kind == "png" else None)
    write_whole(path, drawn.getvalue(), synced=False)
    return path
