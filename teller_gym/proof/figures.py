"""Benchmark figures that correspond to the paper's Figures 4 and 3.

``python -m teller_gym.proof.figures parameters OUT.png`` draws the first, and ``kinds_of_work OUT.png`` the second.
Matplotlib is imported only when a figure is drawn.
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
from teller_gym.registration import OWN, SCENARIOS
from teller_gym.tasks.store import FROZEN_SPLITS, frozen_tasks
from teller_gym.tools.tool import Category, Tool
from teller_gym.variation.pool import distractors

Counts = dict[str, dict[str, int]]
"""Counts by value for each panel or bar."""

TITLES = {
    Category.CORE: "core: the procedure's own",
    Category.AUXILIARY: "auxiliary: the bank around it",
    Category.FINANCIAL_DISTRACTOR: "financial distractors",
    Category.GENERAL_DISTRACTOR: "general distractors",
}
KIND_FIELDS = {
    "loans": "product",
    "accounts": "kind",
    "credit_cards": "kind",
    "savings": "kind",
    "investments": "request_type",
}
"""Field in each scenario's record that names the kind of work."""

# From the Okabe-Ito palette, which is safe for colour-blind readers, and distinct in grey by lightness.
_MANY, _FEW = "#0072B2", "#BFC5CA"
# Lightened colours of the same palette, on which dark text is legible.
_COLOURS = ("#8CC5E8", "#F5C56B", "#7FCFB8", "#F2A488", "#E3B3CE", "#F3EC9A")


def parameters() -> Counts:
    """Count the tools in each category by number of parameters; a tool shared by several scenarios counts once."""
    tools: dict[str, Tool] = {}
    for scenario in SCENARIOS:
        tools |= load_scenario(scenario).tools
    tools |= {tool.name: tool for tool in distractors()}
    numbers = {c: sorted(len(tool.parameters) for tool in tools.values() if tool.category is c) for c in TITLES}
    return {category.value: dict(Counter(map(str, found))) for category, found in numbers.items()}


def kinds_of_work() -> Counts:
    """Count each scenario's frozen instances by kind of work, most frequent first."""
    counts: Counts = {}
    for entry in OWN:
        table, field = load_scenario(entry.name).template.table, KIND_FIELDS[entry.name]
        tasks = [task for task in frozen_tasks(entry.name).values() if task.split in FROZEN_SPLITS]
        kinds = Counter(str(task.tables[table][task.case_id][field]) for task in tasks)
        counts[entry.name] = dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))
    return counts


def draw_parameters(counts: Counts, path: Path) -> None:
    """Draw a panel for each category with the distribution of its tools over numbers of parameters."""
    figure = _figure(8.2, 5.4)
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    most = max((int(count) for numbers in counts.values() for count in numbers), default=1)
    for axis, (category, tools) in zip(axes.flat, counts.items(), strict=True):
        numbers = [int(count) for count, many in tools.items() for _ in range(many)]
        total, many = len(numbers), sum(number > MANY_PARAMETERS for number in numbers)
        for count, height in tools.items():
            share = 100 * height / total
            axis.bar(int(count), share, width=0.82, color=_MANY if int(count) > MANY_PARAMETERS else _FEW)
            axis.text(int(count), share, str(height), ha="center", va="bottom", fontsize=7.5, color="0.25")
        title = f"{TITLES[Category(category)]}\n{total} tools"
        if total:
            title += f", median {median(numbers):g}, over {MANY_PARAMETERS}: {many} ({100 * many / total:.0f} %)"
        axis.set_title(title, fontsize=9.5, loc="left")
        axis.axvline(MANY_PARAMETERS + 0.5, color="0.55", linewidth=0.9, linestyle=(0, (4, 3)))
        axis.set_xlim(0.4, most + 0.6)
        axis.set_xticks(range(1, most + 1))
        axis.margins(y=0.12)
        axis.yaxis.set_major_formatter("{x:.0f} %")
        axis.grid(axis="y", color="0.9")
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(labelsize=8.5, labelbottom=True)
    figure.supxlabel("parameters of a tool", fontsize=10)
    figure.supylabel("share of the category's tools", fontsize=10)
    _save(figure, path)


def draw_kinds_of_work(counts: Counts, path: Path) -> None:
    """Draw a bar for each scenario, with a segment for each kind of work."""
    figure = _figure(10.5, 0.9 + 0.95 * len(counts))
    axis = figure.subplots()
    for place, kinds in enumerate(counts.values()):
        left = 0
        for colour, (kind, number) in zip(_COLOURS, kinds.items(), strict=False):
            axis.barh(place, number, left=left, height=0.66, color=colour, edgecolor="white")
            label = kind.replace("_", "\n") + f"\n{number}"
            axis.text(left + number / 2, place, label, ha="center", va="center", fontsize=8, color="0.1")
            left += number
    names = [f"{name.replace('_', ' ')}\n{sum(kinds.values())}" for name, kinds in counts.items()]
    axis.set_yticks(range(len(counts)), names, fontsize=9.5)
    axis.invert_yaxis()
    axis.set_xlabel("frozen instances by the kind of work", fontsize=9.5)
    axis.set_xlim(0, max((sum(kinds.values()) for kinds in counts.values()), default=1))
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(axis="y", length=0)
    _save(figure, path)


def _figure(width: float, height: float) -> Any:
    """Create a figure without pyplot, and thus without a window or global state."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("drawing a figure", "eval") from error
    return Figure(figsize=(width, height), layout="constrained", dpi=150)


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Leave out the date and version, so that equal counts give identical files.
    figure.savefig(path, metadata={"Software": None} if path.suffix == ".png" else None)


FIGURES = {"parameters": (parameters, draw_parameters), "kinds_of_work": (kinds_of_work, draw_kinds_of_work)}


def main(argv: list[str] | None = None) -> None:
    """Print a figure's counts and draw it."""
    parser = argparse.ArgumentParser(prog="python -m teller_gym.proof.figures", description="Draw a figure.")
    parser.add_argument("figure", choices=FIGURES)
    parser.add_argument("path", type=Path, help="file to write; the suffix chooses the format, such as .png")
    options = parser.parse_args(argv)
    count, draw = FIGURES[options.figure]
    counts = count()
    print_json(counts)
    draw(counts, options.path)


if __name__ == "__main__":
    take_any_text()
    main()
