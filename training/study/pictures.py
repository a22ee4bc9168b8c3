"""Draws the pictures in a study's report as PNG files, which are equal for equal data."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from teller_gym.base.files import write_whole
from teller_gym.reports.figures.style import GRID, RUNS, Canvas, bare, canvas, legend_name, settings
from teller_gym.training.study.measuring import OverSeeds, by_phase, by_split, figures, over_seeds
from teller_gym.training.study.reading import Evaluation, Read


def draw_all(read: Read, variants: Sequence[str], folder: Path) -> dict[str, str]:
    """Draw every picture for which there is data, and return captions by file name."""
    found = {
        "score.png": (
            draw_scores(_columns(read, variants, partial(by_phase, inherited=True)), "phase of training", joined=True),
            "Score on the runs' own split after each phase of training: a dot a seed, and the mean with its 95 % "
            "interval over seeds.",
        ),
        "splits.png": (
            draw_scores(_columns(read, variants, by_split), "split", joined=False),
            "Score of the last checkpoints by split: a dot a seed, and the mean with its 95 % interval over seeds.",
        ),
    }
    for name, (figure, _) in found.items():
        if figure is not None:
            _save(figure, folder / name)
    return {name: text for name, (figure, text) in found.items() if figure is not None}


Columns = dict[str, dict[str, list[Evaluation]]]
"""Evaluations by variant and axis label."""


def _columns(read: Read, variants: Sequence[str], by: Any) -> Columns:
    return {variant: found for variant in variants if (found := by(read.of(variant)))}


def draw_scores(columns: Columns, title: str, joined: bool) -> Canvas | None:
    """Draw the variants' scores side by side, optionally joined by lines.

    Returns:
        The figure, or None without scores.
    """
    names = list(dict.fromkeys(name for found in columns.values() for name in found))
    if not names:
        return None
    with settings():
        figure = canvas(max(6.0, 1.2 + 0.9 * len(names) * max(2, len(columns)) ** 0.5), 3.8)
        axis = figure.subplots()
        for place, (variant, found) in enumerate(columns.items()):
            shift, color = 0.6 * ((place + 0.5) / len(columns) - 0.5), RUNS[place % len(RUNS)]
            over = {name: over_seeds(figures(one.episodes)["score"] for one in found.get(name, [])) for name in names}
            points = [(x + shift, over[name]) for x, name in enumerate(names) if over[name].values]
            line = {"linestyle": "-" if joined else "none", "marker": "D", "markersize": 5, "clip_on": False}
            drawn = [x for x, _ in points], [one.mean for _, one in points]
            axis.plot(*drawn, color=color, label=legend_name(variant), **line)
            for x, one in points:
                _mark(axis, x, one, color)
        axis.set_xticks(range(len(names)), names)
        axis.set_xlim(-0.5, len(names) - 0.5)
        axis.set(
            xlabel=title,
            ylabel="score",
            ylim=(0, 1),
            title=f"Score by {title}: dots are seeds, bars the mean's 95 % interval",
        )
        axis.grid(axis="y", color=GRID)
        axis.set_axisbelow(True)
        bare(axis)
        figure.legend(loc="outside lower center", ncols=min(3, len(columns)))
        return figure


def _mark(axis: Any, x: float, over: OverSeeds, color: str) -> None:
    """Draw a dot for each seed, and the interval of the mean."""
    dots = {"markersize": 4.5, "alpha": 0.6, "markeredgewidth": 0, "clip_on": False}
    axis.plot([x - 0.05] * len(over.values), over.values, "o", color=color, **dots)
    if over.low is not None and over.high is not None:
        axis.vlines(x, over.low, over.high, color=color, linewidth=1.5)


def _save(figure: Canvas, path: Path) -> None:
    picture = io.BytesIO()
    with settings():
        figure.savefig(picture, format="png", metadata={"Software": None}, facecolor="white")
    write_whole(path, picture.getvalue(), synced=False)
