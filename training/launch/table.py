"""Prints the table in docs/train/plan.md, with the memory and hours of each model on each machine.

python -m teller_gym.training.launch.table
"""

from __future__ import annotations

from teller_gym.base.output import take_any_text
from teller_gym.configuration.compose import choices
from teller_gym.training.config.run import load
from teller_gym.training.launch.fit import plan
from teller_gym.training.models.shapes import shape_of
from teller_gym.training.plan.model import GIB, Plan

BEGIN, END = "<!-- python -m teller_gym.training.launch.table -->", "<!-- end -->"
"""Comments around the table on its page."""


def machines() -> list[str]:
    """Return the names of the hardware files with GPUs, sorted by memory, then by number of cards."""
    found = [(load("train", [f"hardware={name}"])[0].hardware, name) for name in choices("hardware")]
    with_gpu = [(one.card_gib, one.nodes * one.cards, name) for one, name in found if one.device == "cuda"]
    return [name for *_, name in sorted(with_gpu)]


def models() -> list[str]:
    """Return the names of the files for pretrained models, smallest model first."""
    found = [(load("train", [f"model={name}"])[0].model, name) for name in choices("model")]
    return [name for _, name in sorted((shape_of(one).parameters, name) for one, name in found if not one.tiny)]


def markdown() -> str:
    """Return the table, with a row for each model."""
    cards = machines()
    lines = [["`model=`", "trains", "tokens", "disk", *(f"`{name}`" for name in cards)]]
    lines.append(["---"] * len(lines[0]))
    for name in models():
        runs = [load("train", [f"hardware={machine}", f"model={name}"])[0] for machine in cards]
        plans = [plan(config) for config in runs]
        tokens = _range([one.tokens / 1e6 for one in plans if one.fits], "M")
        disk = _range([one.disk / 1e9 for one in plans if one.fits], "GB")
        rank = runs[0].model.lora.rank
        lines.append([f"`{name}`", f"LoRA {rank}" if rank else "all", tokens, disk, *map(_cell, plans)])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _range(values: list[float], unit: str) -> str:
    low, high = (f"{value:.0f}" for value in (min(values), max(values)))
    return f"{low} {unit}" if low == high else f"{low} to {high} {unit}"


def _cell(planned: Plan) -> str:
    """Render a run's hours and the memory of its phases.

    Evaluations are left out, since they adapt to the free memory.
    """
    if not planned.fits:
        return "does not fit"
    needed = {phase.name: phase.needed / GIB for phase in planned.phases}
    hours = planned.hours
    time = f"{hours:.0f} h" if hours >= 10 else f"{hours:.1f} h" if hours >= 1 else f"{60 * hours:.0f} min"
    return f"{' / '.join(f'{needed[name]:.0f}' for name in ('sft', 'grpo rollouts', 'grpo updates'))} GiB, {time}"


if __name__ == "__main__":
    take_any_text()
    print(markdown())
