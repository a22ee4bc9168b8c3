"""Decides if a run has learned anything.

If it has not, a warning is shown instead of the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from teller_gym.evaluation import Report
from teller_gym.training.phases.registry import trained_names

EXPERT = "expert"


def score_of(report: Report) -> float:
    """Return a report's mean score, or 0 if it has none."""
    return report.metrics["score"].value or 0.0


def bar_of(reports: Mapping[str, Report]) -> tuple[str, float]:
    """Return the name and score of the best untrained row.

    It is the untrained model, or an agent without access to answers.
    """
    rows = {name: score_of(report) for name, report in reports.items() if name not in (*trained_names(), EXPERT)}
    best = max(rows, key=lambda name: rows[name], default="nothing")
    return best, rows.get(best, 0.0)


def verdict(reports: Mapping[str, Report], of: str, grpo_rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return warnings if the run learned nothing, or if GRPO had no signal.

    ``of`` names the evaluated tasks.
    """
    said = []
    if not learned(reports):
        name, bar = bar_of(reports)
        ended = ", ".join(
            f"{score_of(reports[phase]):.3f} after {phase}" for phase in trained_names() if phase in reports
        )
        said.append(
            f"NOTHING WAS LEARNED: over {of}, the score is {ended}; {name}, which has learned nothing, has {bar:.3f}. "
            "The figures of this run are no result."
        )
    shares = [row.get("frac_reward_zero_std") for row in grpo_rows]
    signals = [share for share in shares if isinstance(share, int | float)]
    if signals and min(signals) >= 1:
        said.append(
            "GRPO HAD NO SIGNAL: in every group all rollouts earned the same, so its updates taught nothing. "
            "Let the model learn more by fine-tuning first, or take larger groups."
        )
    return said


def learned(reports: Mapping[str, Report]) -> bool:
    """Return True if a trained phase ended above the best untrained row, or if no phase was trained."""
    trained = [score_of(reports[name]) for name in trained_names() if name in reports]
    return not trained or max(trained) > bar_of(reports)[1]
