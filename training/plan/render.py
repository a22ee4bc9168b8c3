"""Renders a plan as a text table."""

from __future__ import annotations

import textwrap

from teller_gym.training.plan.model import GIB, Plan, PlannedPhase

_HEAD = f"{'phase':<22}{'GiB a card':>11}{'of it':>7}{'tokens':>10}{'hours':>9}{'disk GB':>10}  live episodes"
_WIDTH = 100


def render(plan: Plan) -> str:
    """Return the table with one line per phase.

    Each line has the phase's needs; below it is the memory of the fullest card by purpose.
    """
    cards = f"{plan.cards} cards {plan.card}" if plan.cards > 1 else f"one {plan.card}"
    if plan.serving:
        cards += f", {plan.serving} of them for vLLM's server"
    whole = "all of them trained" if plan.trained == plan.parameters else f"{_count(plan.trained)} trained in adapters"
    lines = [
        f"{plan.model}: {_count(plan.parameters)} weights, {whole}; {cards} with {plan.card_bytes / GIB:.1f} GiB.",
        "Every figure is planned, none is measured; docs/train/plan.md explains how each is computed.",
        "",
        _HEAD,
    ]
    for phase in plan.phases:
        lines += _phase(phase, plan.card_bytes)
    lines.append("-" * _WIDTH)
    lines.append(_line("whole run", plan.needed, plan.card_bytes, plan.tokens, plan.hours, plan.disk))
    lines.append("")
    lines.append("Live episodes: of mean length / of model.total_tokens that the cache holds / played at once at most;")
    lines.append("what has no room waits. Disk of the whole run: at its fullest, checkpoints being written included.")
    return "\n".join(lines)


def _phase(phase: PlannedPhase, card: int) -> list[str]:
    room = phase.room
    live = f"{room.mean} / {room.longest} / {room.wanted}" if room else ""
    lines = [_line(phase.name, phase.needed, card, phase.tokens, phase.hours, phase.disk, live)]
    parts = [f"{name} {size / GIB:.1f}" for name, size in phase.memory.items() if size >= GIB / 20]
    whole = ", ".join(part.replace(" ", "\u00a0") for part in [*parts, *phase.notes])
    lines += [f"    {line}".replace("\u00a0", " ") for line in textwrap.wrap(whole, _WIDTH - 4)]
    lines += [f"    DOES NOT FIT: {problem}" for problem in phase.problems]
    return lines


def _line(name: str, needed: int, card: int, tokens: int, hours: float, disk: int, live: str = "") -> str:
    share = f"{100 * needed / card:.0f} %" if needed else ""
    text = f"{name:<22}{needed / GIB:>11.1f}{share:>7}{_count(tokens):>10}{_hours(hours):>9}{disk / 1e9:>10.1f}  {live}"
    return text.rstrip()


def _hours(hours: float) -> str:
    return f"{hours:.0f}" if hours >= 100 else f"{hours:.1f}" if hours >= 1 else f"{hours:.2f}"


def _count(number: int) -> str:
    """Abbreviate a large number to about three digits and a letter."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            value = number / size
            return f"{value:.0f} {letter}" if value >= 100 else f"{value:.1f} {letter}"
    return str(number)
