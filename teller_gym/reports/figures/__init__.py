"""Figures of a report as PNG and SVG, byte-identical for equal runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from teller_gym.reports.figures.beside_paper import draw_complexity, draw_errors, draw_stages
from teller_gym.reports.figures.radar import draw_radar
from teller_gym.reports.figures.runs import draw_branches, draw_error_kinds, draw_outcomes, draw_paired, draw_passes
from teller_gym.reports.figures.structure import draw_structure
from teller_gym.reports.figures.style import Canvas, save
from teller_gym.reports.study import Study

FIGURES: dict[str, Callable[[Study], Canvas | None]] = {
    "radar": draw_radar,
    "stages": draw_stages,
    "complexity": draw_complexity,
    "structure": draw_structure,
    "errors": draw_errors,
    "error_kinds": draw_error_kinds,
    "outcomes": draw_outcomes,
    "branches": draw_branches,
    "passes": draw_passes,
    "paired": draw_paired,
}
"""Functions that draw the figures by key; they return None if there is nothing to show."""


def draw_all(study: Study, folder: Path) -> dict[str, str]:
    """Write every non-empty figure to a folder as `<key>.png` and `<key>.svg`, and return the SVGs by key."""
    drawn = {key: draw(study) for key, draw in FIGURES.items()}
    return {key: save(canvas, folder, key) for key, canvas in drawn.items() if canvas is not None}
