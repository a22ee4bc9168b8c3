"""Report as a self-contained HTML file and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from teller_gym.reports.contents import (
    cautions,
    details,
    figure_note,
    key_figures,
    paper_note,
    sections,
    texts,
)
from teller_gym.reports.figures.style import GRID, INK, MUTED
from teller_gym.reports.study import Study
from teller_gym.tables.html import as_html
from teller_gym.tables.markdown import as_markdown, markdown_text

_OURS = {INK: "currentColor", MUTED: "var(--muted)", GRID: "var(--grid)"}


def page(study: Study, drawn: Mapping[str, str], viewed: bool = False) -> str:
    """Return the report as one HTML page without external resources.

    Args:
        drawn: SVG of each figure by key.
        viewed: True if the report's folder includes the viewer's pages, to which the page then links.
    """
    inline = {key: inline_svg(svg, key, texts().figures[key].title) for key, svg in drawn.items()}
    return (
        _environment(autoescape=True)
        .get_template("page.html.j2")
        .render(**_values(study, drawn, viewed), inline=inline, style=_template("page.css.j2"), table=as_html)
    )


def markdown_page(study: Study, drawn: Mapping[str, str], viewed: bool = False) -> str:
    """Return the report as Markdown, which refers to figure files; see `page` for `viewed`."""
    template = _environment(autoescape=False).get_template("report.md.j2")
    return template.render(**_values(study, drawn, viewed), table=as_markdown, text=markdown_text)


def inline_svg(svg: str, key: str, title: str) -> str:
    """Convert an SVG file to an inline element.

    It has unique ids, the page's colours and a title for screen readers.
    """
    element = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], count=1, flags=re.DOTALL)
    element = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{key}-", element)
    for colour, ours in _OURS.items():
        element = element.replace(colour, ours)
    # Without width and height, its size follows the page; the viewBox keeps the proportions.
    head, rest = element.split(">", 1)
    head = re.sub(r'\s(?:width|height|xmlns:xlink|xmlns|version)="[^"]*"', "", head).replace("xlink:href", "href")
    return f'{head} role="img" aria-label="{title}">{rest.replace("xlink:href", "href")}'


def _values(study: Study, drawn: Mapping[str, str], viewed: bool) -> dict[str, Any]:
    return {
        "study": study,
        "texts": texts(),
        "sections": sections(study, drawn, viewed),
        "key_figures": key_figures,
        "cautions": cautions,
        "details": details(study),
        "paper_note": paper_note(study),
        "figure_note": figure_note,
    }


def _template(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


def _environment(*, autoescape: bool) -> Environment:
    return Environment(
        loader=FunctionLoader(_template),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
