"""The table of recipes in docs/train/plan.md: their needs and costs, each marked as measured or planned.

    python -m teller_gym.training.launch.table

Prints it as Markdown. `measured.yaml` has the measured runs; all others are planned.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import Any

import yaml

from teller_gym.base.output import take_any_text
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import Config, load
from teller_gym.training.launch.fit import plan
from teller_gym.training.models.shapes import shape_of
from teller_gym.training.plan.model import GIB, Plan

BEGIN, END = "<!-- python -m teller_gym.training.launch.table -->", "<!-- end -->"
"""Comments around the table in its page."""

FOLDER = "docs/train"
"""Folder of the page, to which links are relative."""

Runs = dict[str, dict[str, Any]]


@cache
def measured() -> Runs:
    """Return the measured runs by recipe."""
    text = resources.files("teller_gym.training.launch").joinpath("measured.yaml").read_text(encoding="utf-8")
    found: Runs = yaml.safe_load(text)
    return found


def machines() -> list[str]:
    """Return the files of the group hardware with GPUs, by card and number of cards."""
    found = [(load("train", [f"hardware={name}"])[0].hardware, name) for name in choices("hardware")]
    with_gpu = [(one.card_gib, one.nodes * one.cards, name) for one, name in found if one.device == "cuda"]
    return [name for *_, name in sorted(with_gpu)]


def models() -> list[str]:
    """Return the files of the group model with pretrained models, smallest first."""
    found = [(load("train", [f"model={name}"])[0].model, name) for name in choices("model")]
    return [name for _, name in sorted((shape_of(one).parameters, name) for one, name in found if not one.tiny)]


def rows(known: Runs, names: Sequence[str], cards: Sequence[str]) -> list[list[str]]:
    """Return the head and a row for each model.

    Args:
        known: measured runs.
        names: files of the group model.
        cards: files of the group hardware.
    """
    found = [["`model=`", "trains", "tokens", "disk", *(f"`{name}`" for name in cards)]]
    for name in names:
        runs = {machine: load("train", [f"hardware={machine}", f"model={name}"])[0] for machine in cards}
        plans = {machine: plan(config) for machine, config in runs.items()}
        cells = [_cell(plans[machine], known.get(f"{machine}/{name}")) for machine in cards]
        rank = next(iter(runs.values())).model.lora.rank
        trains = f"LoRA {rank}" if rank else "all"
        found.append([f"`{name}`", trains, *_sizes(plans.values()), *cells])
    return found


def _sizes(plans: Iterable[Plan]) -> list[str]:
    """Return tokens and disk as ranges over the machines that a model fits."""
    fitting = [one for one in plans if one.fits]
    return [
        _range([one.tokens / 1e6 for one in fitting], "M"),
        _range([one.disk / 1e9 for one in fitting], "GB"),
    ]


def _range(values: list[float], unit: str) -> str:
    low, high = (f"{value:.0f}" for value in (min(values), max(values)))
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def _cell(planned: Plan, run: dict[str, Any] | None) -> str:
    """Return a cell with needs, hours, and their source."""
    if run and "hours" in run:
        # Unmeasured figures are left out of a measured cell.
        memory = f"{run['gib']} GiB, " if run["gib"] else ""
        part = f" of {run['part']}" if "part" in run else ""
        return f"{memory}{_hours(run['hours'])}{part}, [measured]({_link(run)})"
    if not planned.fits:
        return "does not fit"
    return f"{_memory(planned)} GiB, {_hours(planned.hours)}, planned{_checked(run)}"


def _checked(run: dict[str, Any] | None) -> str:
    """Return the result of a check of the same recipe's longest rows."""
    if not run:
        return ""
    return f"; [checked]({_link(run)}): {' / '.join(f'{one:.0f}' for one in run['checked'])} GiB"


def _link(run: dict[str, Any]) -> str:
    """Return the address of a figure's source, relative to the page with the table."""
    return os.path.relpath(run["source"], FOLDER).replace(os.sep, "/")


def _memory(planned: Plan) -> str:
    """Return the memory of the phases that must fit; an evaluation adapts to the free memory."""
    needed = {phase.name: phase.needed for phase in planned.phases}
    return " / ".join(f"{needed[name] / GIB:.0f}" for name in ("sft", "grpo rollouts", "grpo updates"))


def _hours(hours: float) -> str:
    return f"{hours:.0f} h" if hours >= 10 else f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.0f} min"


def by_hand(known: Runs) -> str:
    """Return lines for the recipes that need no GPU."""
    lines = []
    for name in sorted(known):
        if "/" not in name:
            config, _ = load(name, [])
            lines.append(f"- `--config-name {name}`: {_on_cpu(config, known[name])}")
    return "\n".join(lines)


def _on_cpu(config: Config, run: dict[str, Any]) -> str:
    planned = plan(config)
    needs = f"{planned.needed / GIB:.1f} GiB (planned) besides the libraries, {planned.tokens / 1e6:.0f} M tokens"
    return f"{config.model.name} model, one CPU core, {needs}; {_cell(planned, run)}"


def markdown() -> str:
    """Return the table and the lines below it."""
    head, *rest = rows(measured(), models(), machines())
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join([*(f"| {' | '.join(cells)} |" for cells in lines), "", by_hand(measured())])


if __name__ == "__main__":
    take_any_text()
    print(markdown())
