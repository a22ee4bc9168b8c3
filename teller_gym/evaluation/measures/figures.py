"""Pictures of figures with their intervals. Matplotlib is imported when one is drawn, not before."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teller_gym.base.errors import MissingExtraError
from teller_gym.base.files import write_whole
from teller_gym.tables.model import Metric

# Two of Okabe and Ito's colours, distinct with every kind of colour vision.
_BLUE, _RED = "#0072B2", "#D55E00"
_ROW_INCHES = 0.34
_LETTER_INCHES = 0.1
_DPI = 150


@dataclass(frozen=True, slots=True)
class Panel:
    """One panel of a picture.

    Attributes:
        rows: label and figure of each row.
        shares: True if the figures are shares of episodes, drawn as bars.
    """

    title: str
    rows: Sequence[tuple[str, Metric]]
    shares: bool = False


def draw(panels: Sequence[Panel], title: str, path: Path) -> Path:
    """Draw panels with one figure a row side by side; return the path."""
    figure, axes = _panels(len(panels), max(len(panel.rows) for panel in panels), title)
    for axis, panel in zip(axes, panels, strict=True):
        (_bars if panel.shares else _points)(axis, panel.rows, panel.title)
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
        if metric.value is not None:
            if metric.low is not None:
                axis.hlines(row, metric.low, metric.high, color=_BLUE, linewidth=1.6, alpha=0.6)
            axis.plot([metric.value], [row], marker="o", color=_BLUE, markersize=5, linestyle="none")
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
            axis.barh(row, metric.value, height=0.6, color=_RED, alpha=0.75)
            if metric.low is not None:
                axis.hlines(row, metric.low, metric.high, color="0.2", linewidth=1.2)
            _label(axis, row, metric, f"{100 * metric.value:.0f} %")


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
