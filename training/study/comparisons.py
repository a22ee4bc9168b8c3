"""Comparisons of a study's checkpoints: each phase with the previous one, each variant with the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from teller_gym.training.study.differences import Difference, Pair, differences
from teller_gym.training.study.reading import Evaluation, Read, Run

COMPARED = ("score", "success", "accuracy", "valid_calls", "error_validation", "tool_f1")
"""Compared figures."""


@dataclass(frozen=True)
class Comparison:
    """Two compared checkpoints, over all seeds that have both.

    Attributes:
        of: description of the comparison.
        figures: differences by name of the figure.
    """

    of: str
    figures: dict[str, Difference]


def between_phases(read: Read, variants: Sequence[str]) -> list[Comparison]:
    """Compare each phase of a variant with the previous one, on the split that the runs evaluate themselves."""
    found = []
    for variant in variants:
        steps: dict[tuple[str, str], list[Pair]] = {}
        for run in read.of(variant):
            for before, after in list(zip(run.phases, run.phases[1:], strict=False))[max(0, run.inherited - 1) :]:
                steps.setdefault((before.phase, after.phase), []).append((before, after))
        found += [_compared(f"{variant}: {after} less {before}", pairs) for (before, after), pairs in steps.items()]
    return found


def between_variants(read: Read, variants: Sequence[str]) -> list[Comparison]:
    """Compare each other variant with the first: after common phases, and the last checkpoints by split."""
    first, *others = variants
    found = []
    for variant in others:
        runs = {run.seed: run for run in read.of(variant)}
        both = [(base, runs[base.seed]) for base in read.of(first) if base.seed in runs]
        for what, pairs in [*_by_phase(both), *_by_split(both)]:
            found.append(_compared(f"{variant} less {first}, {what}", pairs))
    return found


def _by_phase(both: Sequence[tuple[Run, Run]]) -> list[tuple[str, list[Pair]]]:
    found: dict[str, list[Pair]] = {}
    for base, run in both:
        theirs = {(one.phase, one.split): one for one in run.made}
        for one in base.phases:
            if (one.phase, one.split) in theirs:
                found.setdefault(one.phase, []).append((one, theirs[one.phase, one.split]))
    return [(f"after {phase}", pairs) for phase, pairs in found.items()]


def _by_split(both: Sequence[tuple[Run, Run]]) -> list[tuple[str, list[Pair]]]:
    """Compare the last checkpoints of any phases, unless they are compared already."""
    found: dict[str, list[Pair]] = {}
    for base, run in both:
        theirs: dict[str, Evaluation] = {one.split: one for one in run.elsewhere}
        for one in base.elsewhere:
            other = theirs.get(one.split)
            if other is not None and not (_own(base, one) and _own(run, other) and one.phase == other.phase):
                found.setdefault(one.split, []).append((one, other))
    return [(f"last checkpoint on {split}", pairs) for split, pairs in found.items()]


def _own(run: Run, evaluation: Evaluation) -> bool:
    return any(evaluation is one for one in run.phases)


def _compared(of: str, pairs: Sequence[Pair]) -> Comparison:
    return Comparison(of, differences(pairs, COMPARED))
