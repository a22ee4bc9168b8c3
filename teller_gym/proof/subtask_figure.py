"""Figure of the kinds of work in the frozen instances: ``python -m teller_gym.proof.subtask_figure OUT.png``.

The counterpart of the paper's Figure 3. Matplotlib is imported when the figure is drawn, not before.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from teller_gym.base.errors import MissingExtraError
from teller_gym.base.output import take_any_text
from teller_gym.cli.common import print_json
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import OWN
from teller_gym.tasks.store import frozen_tasks

SUBTASK_FIELDS = {
    "loans": "product",
    "accounts": "kind",
    "credit_cards": "kind",
    "savings": "kind",
    "investments": "request_type",
}
"""The field of a scenario's record that says what kind of work a case is."""

SPLITS = ("train", "validation", "heldout")
# Okabe and Ito's colours, lightened: distinct with every kind of colour vision, and dark text is legible on each.
_COLOURS = ("#8CC5E8", "#F5C56B", "#7FCFB8", "#F2A488", "#E3B3CE", "#F3EC9A")
_DPI = 150


def subtask_counts() -> dict[str, dict[str, int]]:
    """Return how many frozen instances (train, validation, heldout) each scenario has of each kind, most first."""
    counts: dict[str, dict[str, int]] = {}
    for entry in OWN:
        scenario, field = load_scenario(entry.name), SUBTASK_FIELDS[entry.name]
        table = scenario.template.table
        kinds = Counter(
            str(task.tables[table][task.case_id][field])
            for task in frozen_tasks(entry.name).values()
            if task.split in SPLITS
        )
        counts[entry.name] = dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0])))
    return counts


def draw(counts: dict[str, dict[str, int]], path: Path) -> Path:
    """Draw a bar for each scenario, with a segment for each kind of work; return the path.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("drawing a figure", "eval") from error
    # A Figure of its own, outside pyplot: no window, no global state.
    figure: Any = Figure(figsize=(10.5, 0.9 + 0.95 * len(counts)), layout="constrained", dpi=_DPI)
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
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)
    axis.tick_params(axis="y", length=0)
    path.parent.mkdir(parents=True, exist_ok=True)
    # No date or version inside, so that equal counts give equal files.
    figure.savefig(path, metadata={"Software": None} if path.suffix == ".png" else None)
    return path


def main(argv: list[str] | None = None) -> None:
    """Draw the figure of the package's scenarios at the path given."""
    parser = argparse.ArgumentParser(
        prog="python -m teller_gym.proof.subtask_figure", description="Draw what kinds of work the instances are."
    )
    parser.add_argument("path", type=Path, help="where to write it; the suffix chooses the format, such as .png")
    path = parser.parse_args(argv).path
    counts = subtask_counts()
    print_json(counts)
    draw(counts, path)


if __name__ == "__main__":
    take_any_text()
    main()
