"""Measuring agents: play a split, write every episode down, report figures that can be trusted.

report = teller_gym.evaluate("expert", "Teller-Loans-v0", split="heldout", run_dir="runs/expert")
print(report.table())
"""

from .compare import Comparison, compare
from .episodes import ERROR_KINDS, Episode, Status
from .metrics import Metric, by_group, pass_hat, summarise
from .regrade import regrade
from .regrading import Regrading
from .report import Group, Report
from .run import evaluate, load_report

__all__ = [
    "ERROR_KINDS",
    "Comparison",
    "Episode",
    "Group",
    "Metric",
    "Regrading",
    "Report",
    "Status",
    "by_group",
    "compare",
    "evaluate",
    "load_report",
    "pass_hat",
    "regrade",
    "summarise",
]
