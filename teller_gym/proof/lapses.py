"""Claim that every judgement counts, since an expert that omits any one of them fails some cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from teller_gym.procedure.lapses import Expert, Lapse
from teller_gym.procedure.task import Split, Task
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.proof.sizes import not_measured
from teller_gym.proof.trunk import Trunk
from teller_gym.tasks.store import generate_task, split_tasks

FEWEST_HELDOUT = 3
FEWEST_VALIDATION = 1
LEAST_GENERATED = 0.02
FEWEST_GENERATED = 500
"""Minimum number of generated instances for the share failed by a lapse to be judged and not only reported."""

FIRST_SEED = 6_000_000
"""First seed of the generated instances for measuring lapses."""


class Losses(NamedTuple):
    """Numbers of instances that an agent fails, and on which it crashes."""

    lost: int = 0
    crashed: int = 0


def losses(agents: Mapping[str, Expert], tasks: Iterable[Task], max_steps: int | None = None) -> dict[str, Losses]:
    """Count each agent's failures over tasks; see :class:`Trunk` for ``max_steps``."""
    found = dict.fromkeys(agents, Losses())
    for task in tasks:
        trunk = Trunk(task, max_steps)
        for name, expert in agents.items():
            lost, crashed = found[name]
            try:
                won = trunk.play(expert).grader.success
            except Exception:  # a crash is a defect of the lapse, reported by the check
                won, crashed = False, crashed + 1
            found[name] = Losses(lost + (not won), crashed)
    return found


class Row(NamedTuple):
    """Numbers of instances in each set that an expert with this lapse fails."""

    lapse: Lapse
    heldout: Losses
    generated: Losses
    validation: Losses

    def complaints(self, generated: int) -> list[str]:
        """Return the ways in which the lapse fails too few instances.

        ``generated`` is the number of generated instances.
        """
        found = []
        if self.heldout.lost < FEWEST_HELDOUT:
            found.append(f"{self.heldout.lost} held-out instances, expected {FEWEST_HELDOUT} or more")
        if generated >= FEWEST_GENERATED and self.generated.lost < LEAST_GENERATED * generated:
            found.append(f"{self.generated.lost} of {generated} generated ones, expected {LEAST_GENERATED:.0%} or more")
        if self.validation.lost < FEWEST_VALIDATION:
            found.append("no validation instance")
        if crashed := self.heldout.crashed + self.generated.crashed + self.validation.crashed:
            found.append(f"crashed on {crashed} instances")
        return found


def measured_rows(scenario: str, lapses: Mapping[str, Lapse], generated: int) -> list[Row]:
    """Measure lapses on a scenario's held-out, validation and generated instances."""
    experts = {name: lapse.expert for name, lapse in lapses.items()}
    heldout = losses(experts, split_tasks(scenario, Split.HELDOUT))
    validation = losses(experts, split_tasks(scenario, Split.VALIDATION))
    fresh = losses(experts, (generate_task(scenario, FIRST_SEED + number) for number in range(generated)))
    return [Row(lapse, heldout[name], fresh[name], validation[name]) for name, lapse in lapses.items()]


def table(rows: Iterable[Row], generated: int) -> list[str]:
    """Return a header and a line for each lapse.

    The columns are the failed held-out instances, the failed share of generated instances, and the failed validation
    instances.
    """
    lines = [f"{'lapse':<44} held-out  generated  validation"]
    for row in rows:
        share = f"{row.generated.lost / generated:.1%}" if generated else "-"
        mark = " <" if row.complaints(generated) else ""
        lines.append(f"{row.lapse.name:<44} {row.heldout.lost:>8} {share:>10} {row.validation.lost:>11}{mark}")
    return lines


def every_judgement(env_id: str, generated: int = 1000) -> ProofItem:
    """Check that an expert with any of the lapses fails enough instances.

    The minimum is 3 held-out instances, 1 validation instance and 2 % of the generated instances. With fewer than 500
    generated instances, their failures are shown but not judged.
    """
    scenario = subject(env_id).scenario
    share = f"{LEAST_GENERATED:.0%} of generated, " if generated >= FEWEST_GENERATED else ""
    claim = f"each lapse loses {FEWEST_HELDOUT} held-out, {share}a validation instance"
    if not scenario.lapses:
        return not_measured("lapses", claim, scenario.name, "lapses.py with LAPSES")
    rows = measured_rows(scenario.name, scenario.lapses, generated)
    problems = [
        f"{row.lapse.name} ({', '.join(row.lapse.clauses)}) loses {'; '.join(complaints)}"
        for row in rows
        if (complaints := row.complaints(generated))
    ]
    figure = f"{len(rows) - len(problems)} of {len(rows)} lapses, {generated} generated instances"
    measured = {row.lapse.name: [row.heldout.lost, row.generated.lost, row.validation.lost] for row in rows}
    return item("lapses", claim, figure, problems, {"lost": measured}, table(rows, generated))
