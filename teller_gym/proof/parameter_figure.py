"""Figure of the number of parameters of tools: ``python -m teller_gym.proof.parameter_figure OUT.png``.

Matplotlib is imported when the figure is drawn, not before.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from teller_gym.base.errors import MissingExtraError
from teller_gym.base.output import take_any_text
from teller_gym.cli.common import print_json
from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof.structure import MANY_PARAMETERS
from teller_gym.registration import SCENARIOS
from teller_gym.tools.tool import Category, Tool
from teller_gym.variation.pool import distractors

TITLES = {
    Category.CORE: "core: the procedure's own",
    Category.AUXILIARY: "auxiliary: the bank around it",
    Category.FINANCIAL_DISTRACTOR: "financial distractors",
    Category.GENERAL_DISTRACTOR: "general distractors",
}
# Of Okabe and Ito's colours, distinct with every kind of colour vision, and in print by their lightness.
_MANY, _FEW = "#0072B2", "#BFC5CA"
_DPI = 150


def parameter_counts() -> dict[Category, list[int]]:
    """Return the number of parameters of every tool, ascending, by category.

    Core and auxiliary tools are those of all scenarios, one that several share counted once.
    """
    tools: dict[str, Tool] = {}
    for scenario in SCENARIOS:
        tools |= load_scenario(scenario).tools
    tools |= {tool.name: tool for tool in distractors()}
    return {
        category: sorted(len(tool.parameters) for tool in tools.values() if tool.category is category)
        for category in TITLES
    }


def draw(counts: dict[Category, list[int]], path: Path) -> Path:
    """Draw one panel a category, with the share of its tools at each number of parameters; return the path.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("drawing a figure", "eval") from error
    # A Figure of its own, outside pyplot: no window, no global state.
    figure: Any = Figure(figsize=(8.2, 5.4), layout="constrained", dpi=_DPI)
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    most = max((count for numbers in counts.values() for count in numbers), default=1)
    for axis, (category, numbers) in zip(axes.flat, counts.items(), strict=True):
        _panel(axis, TITLES[category], numbers, most)
    figure.supxlabel("parameters of a tool", fontsize=10)
    figure.supylabel("share of the category's tools", fontsize=10)
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date or version inside, so that equal counts give equal files.
    figure.savefig(path, metadata={"Software": None} if path.suffix == ".png" else None)
    return path


def _panel(axis: Any, title: str, numbers: list[int], most: int) -> None:
    """Draw the bars of one category, those of many parameters in colour, with the number of tools above each."""
    total = len(numbers)
    for count, tools in sorted(Counter(numbers).items()):
        share = 100 * tools / total
        axis.bar(count, share, width=0.82, color=_MANY if count > MANY_PARAMETERS else _FEW)
        axis.annotate(
            str(tools),
            (count, share),
            xytext=(0, 2),
            textcoords="offset points",
            ha="center",
            fontsize=7.5,
            color="0.25",
        )
    many = sum(count > MANY_PARAMETERS for count in numbers)
    middle = (
        f", median {median(numbers):g}, over {MANY_PARAMETERS}: {many} ({100 * many / total:.0f} %)" if total else ""
    )
    axis.set_title(title, fontsize=10, loc="left", pad=18)
    axis.annotate(
        f"{total} tools{middle}",
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 6),
        textcoords="offset points",
        fontsize=8.5,
    )
    axis.axvline(MANY_PARAMETERS + 0.5, color="0.55", linewidth=0.9, linestyle=(0, (4, 3)))
    axis.set_xlim(0.4, most + 0.6)
    axis.set_xticks(range(1, most + 1))
    axis.margins(y=0.12)
    axis.yaxis.set_major_formatter("{x:.0f} %")
    axis.grid(axis="y", color="0.9")
    axis.set_axisbelow(True)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)
    axis.tick_params(labelsize=8.5, labelbottom=True)


def main(argv: list[str] | None = None) -> None:
    """Draw the figure of all tools of the package at the path given."""
    parser = argparse.ArgumentParser(
        prog="python -m teller_gym.proof.parameter_figure", description="Draw how many parameters tools take."
    )
    parser.add_argument("path", type=Path, help="where to write it; the suffix chooses the format, such as .png")
    path = parser.parse_args(argv).path
    counts = parameter_counts()
    print_json({category.value: dict(sorted(Counter(numbers).items())) for category, numbers in counts.items()})
    draw(counts, path)


if __name__ == "__main__":
    take_any_text()
    main()
