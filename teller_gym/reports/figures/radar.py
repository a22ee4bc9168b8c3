"""Radar chart of ten metrics in both stages, with the runs on top of the paper's models by tier."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.evaluation.measures.labels import label
from teller_gym.reports.contents import short_note
from teller_gym.reports.figures.style import GRID, INK, MODELS, MUTED, Canvas, canvas, run_handles, run_style, settings
from teller_gym.reports.paper_tables import averages_of
from teller_gym.reports.study import Study
from teller_gym.tables.model import MARK

AXES = (
    "node_overlap", "edge_overlap", "path_overlap", "node_f1", "edge_recall", "edge_f1", "accuracy", "tool_precision",
    "tool_recall", "tool_f1",
)  # fmt: skip
"""Metrics on the axes, with stage 1 first."""

_DASHES: Sequence[Any] = ("-", (0, (4, 1.5)), (0, (1.5, 1.2)))
_LINE = 0.2
"""Height of a legend line in inches."""


def draw_radar(study: Study) -> Canvas:
    """Draw a radar chart for each tier in the paper."""
    tiers = study.paper.tiers
    most = math.ceil(max(len(study.paper.of_tier(tier)) for tier in tiers) / 2)
    below = _LINE * (most + math.ceil(len(study.runs) / 3)) + 0.45
    height = 4.7 + below
    with settings():
        # Positioned manually, since layout engines do not handle labels around a circle well.
        figure = canvas(4.6 * len(tiers), height, layout=None)
        panels = figure.subplots(1, len(tiers), subplot_kw={"projection": "polar"}, squeeze=False)[0]
        figure.subplots_adjust(left=0.06, right=0.94, wspace=0.42, top=1 - 1.0 / height, bottom=(below + 0.45) / height)
        figure.suptitle(short_note(), fontsize=8, color=MUTED, y=1 - 0.12 / height)
        for axis, (tier, title) in zip(panels, tiers.items(), strict=True):
            _frame(axis, f"{MARK} {title}")
            for place, model in enumerate(study.paper.of_tier(tier)):
                style = {"color": MODELS[place % len(MODELS)], "linestyle": _DASHES[place % len(_DASHES)]}
                _line(axis, study.paper.averages[model], label=f"{MARK} {model}", linewidth=1.2, **style)
            middle = axis.get_position().x0 + axis.get_position().width / 2
            figure.legend(
                *axis.get_legend_handles_labels(), loc="upper center", ncols=2, fontsize=8,
                bbox_to_anchor=(middle, below / height),
            )  # fmt: skip
            for place, run in enumerate(study.runs):
                values = {name: metric.value for name, metric in averages_of(run).items()}
                _line(axis, values, linewidth=2.4, markersize=6, **run_style(place))
        handles, labels = run_handles([run.name for run in study.runs], range(len(study.runs)))
        figure.legend(handles, labels, loc="lower center", ncols=min(3, len(labels)))
        return figure


def _angle(place: int) -> float:
    return 2 * math.pi * place / len(AXES)


def _frame(axis: Any, title: str) -> None:
    axis.set_title(title, pad=30)
    axis.set_theta_zero_location("N")
    axis.set_theta_direction(-1)
    axis.set_ylim(0, 1)
    axis.set_rgrids([0.25, 0.5, 0.75, 1], ["", "0.5", "", "1"], angle=18, color=MUTED, fontsize=7)
    axis.set_thetagrids([math.degrees(_angle(i)) for i in range(len(AXES))], [])
    axis.spines["polar"].set_color(GRID)
    for place, name in enumerate(AXES):
        angle = _angle(place)
        side = math.sin(angle)
        across = "center" if abs(side) < 0.2 else "left" if side > 0 else "right"
        away = 1.14 if across == "center" else 1.08
        axis.text(angle, away, label(name).replace(" ", "\n", 1), ha=across, va="center", fontsize=8, color=INK)


def _line(axis: Any, values: Mapping[str, float | None], **style: Any) -> None:
    """Draw the known values, connecting neighbours if both are known."""
    around = [values.get(metric) for metric in AXES]
    closed = [*around, around[0]]
    angles = [_angle(place) for place in range(len(closed))]
    axis.plot(angles, [math.nan if value is None else value for value in closed], clip_on=False, **style)
