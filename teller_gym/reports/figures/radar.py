"""The radar of capabilities: ten metrics of both stages, the paper's models by tier and our runs over them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from teller_gym.evaluation.labels import label

from ..paper import MARK
from ..paper_tables import averages_of
from ..study import Study
from .style import GRID, INK, MODELS, MUTED, Canvas, canvas, legend_name, run_style, settings

AXES = (
    "node_overlap", "edge_overlap", "path_overlap", "node_f1", "edge_recall", "edge_f1", "accuracy", "tool_precision",
    "tool_recall", "tool_f1",
)  # fmt: skip
"""The metrics, stage 1 first."""

_DASHES: Sequence[Any] = ("-", (0, (4, 1.5)), (0, (1.5, 1.2)))


def draw_radar(study: Study) -> Canvas | None:
    """Draw a panel for each of the paper's tiers."""
    tiers = study.paper.tiers
    most = max(len(study.paper.of_tier(tier)) for tier in tiers)
    with settings():
        figure = canvas(4.6 * len(tiers), 5.0 + 0.19 * (most + len(study.runs)))
        panels = figure.subplots(1, len(tiers), subplot_kw={"projection": "polar"}, squeeze=False)[0]
        for axis, (tier, title) in zip(panels, tiers.items(), strict=True):
            _frame(axis, f"{MARK} {title}")
            for place, model in enumerate(study.paper.of_tier(tier)):
                style = {"color": MODELS[place % len(MODELS)], "linestyle": _DASHES[place % len(_DASHES)]}
                _line(axis, study.paper.averages[model], f"{MARK} {model}", linewidth=1.2, **style)
            for place, run in enumerate(study.runs):
                values = {name: metric.value for name, metric in averages_of(run).items()}
                _line(axis, values, legend_name(run.name), linewidth=2.4, markersize=6, **run_style(place))
            axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), fontsize=8, ncols=2)
        return figure


def _angle(place: int) -> float:
    return 2 * math.pi * place / len(AXES)


def _frame(axis: Any, title: str) -> None:
    axis.set_title(title, pad=22)
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
        axis.text(angle, 1.09, label(name).replace(" ", "\n", 1), ha=across, va="center", fontsize=8, color=INK)


def _line(axis: Any, values: Mapping[str, float | None], name: str, **style: Any) -> None:
    """Draw the values that there are, joined where the neighbouring metric is there, too."""
    around = [values.get(metric) for metric in AXES]
    closed = [*around, around[0]]
    angles = [_angle(place) for place in range(len(closed))]
    axis.plot(angles, [math.nan if value is None else value for value in closed], label=name, clip_on=False, **style)
