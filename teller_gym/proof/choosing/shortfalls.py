"""Describes the shortfalls of a selection: claims of ``teller-gym check`` that would fail, and how to fix them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from teller_gym.procedure.scenario import Scenario
from teller_gym.procedure.task import Split
from teller_gym.proof.answers import SMALLEST_CLASS
from teller_gym.proof.choosing.choose import Choosing, Part
from teller_gym.proof.choosing.goals import LAPSE
from teller_gym.proof.lapses import LEAST_GENERATED

_NAMED = 6


def complaints(scenario: Scenario, choosing: Choosing) -> list[str]:
    """Return a line for each requirement that the chosen instances or the pools do not meet."""
    return [
        *(line for part in choosing.parts for line in _unkept(part)),
        *_rare(scenario, choosing),
        *_crashes(choosing),
        *_small_classes(choosing),
    ]


def _unkept(part: Part) -> Iterator[str]:
    """Yield a line for each violated bound, with the counts in the pool."""
    problem = part.problem
    fewest, most = problem.reach()
    there = problem.available()
    for place, (goal, have) in enumerate(zip(problem.goals, part.have, strict=True)):
        if goal.is_kept(int(have)):
            continue
        found = {name: int(counts[place]) for name, counts in there.items() if counts[place]}
        if have + goal.before < goal.least:
            cannot = most[place] + goal.before < goal.least
            why = f"the quotas allow at most {most[place]}" if cannot else "not together with the other bounds"
            wanted = f"expected {goal.least} or more, got {have}; {why}"
        else:
            cannot = goal.most is not None and fewest[place] + goal.before > goal.most
            why = f"the quotas need at least {fewest[place]}" if cannot else "not together with the other bounds"
            wanted = f"expected {goal.most} or fewer, got {have + goal.before}; {why}"
        yield f"{part.split}: {goal.name}: {wanted}; the pool has {_by_ending(found, problem.quotas)}"


def _by_ending(found: dict[str, int], quotas: dict[str, int]) -> str:
    """Format the number of cases with each ending and its quota, most frequent first."""
    order = sorted(found, key=lambda name: (-found[name], name))
    named = [f"{name} {found[name]} (takes {quotas[name]})" for name in order[:_NAMED]]
    rest = len(order) - _NAMED
    return (", ".join(named) + (f" and {rest} more endings" if rest > 0 else "")) or "none"


def _rare(scenario: Scenario, choosing: Choosing) -> Iterator[str]:
    """Yield a line for each lapse that fails on too few cases of the pools."""
    rows = [row for part in choosing.parts for row in part.rows]
    for name in scenario.lapses:
        losing = Counter(row.case.ending for row in rows if name in row.outcomes.lost)
        if losing.total() < LEAST_GENERATED * len(rows):
            endings = ", ".join(f"{ending} {count}" for ending, count in losing.most_common(_NAMED)) or "none"
            share = losing.total() / len(rows)
            yield (
                f"{LAPSE}{name} loses {losing.total()} of {len(rows)} cases of the pools ({share:.1%}), expected "
                f"{LEAST_GENERATED:.0%} of generated ones: {endings}; draw what it gets wrong more often"
            )


def _crashes(choosing: Choosing) -> Iterator[str]:
    crashed: dict[str, list[int]] = {}
    for row in (row for part in choosing.parts for row in part.rows):
        for name in row.outcomes.crashed:
            crashed.setdefault(name, []).append(row.case.seed)
    for name, seeds in crashed.items():
        yield f"{LAPSE}{name} crashes on {len(seeds)} cases, such as that of the seed {seeds[0]}"


def _small_classes(choosing: Choosing) -> Iterator[str]:
    counts = Counter(part.rows[row].case.outcome for part in choosing.parts for row in part.chosen)
    for outcome, count in sorted(counts.items()):
        if count < SMALLEST_CLASS * counts.total():
            yield (
                f"{outcome} is in {count} of {counts.total()} instances, expected {SMALLEST_CLASS:.0%} or more; "
                f"change the quotas"
            )


def table(scenario: Scenario, choosing: Choosing) -> list[str]:
    """Return a line for each lapse: the share of pool cases that it fails, and the chosen ones by split."""
    heads = [f"{split:>11}" for split in (Split.HELDOUT, Split.VALIDATION, Split.TRAIN)]
    lines = [f"{'lapse':<44} {'pools':>8} {''.join(heads)}"]
    rows = [row for part in choosing.parts for row in part.rows]
    for name in scenario.lapses:
        share = sum(name in row.outcomes.lost for row in rows) / len(rows)
        chosen = [sum(name in part.rows[place].outcomes.lost for place in part.chosen) for part in choosing.parts]
        lines.append(f"{name:<44} {share:>8.1%} {''.join(f'{count:>11}' for count in chosen)}")
    return lines
