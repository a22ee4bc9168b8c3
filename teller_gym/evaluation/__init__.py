"""Measuring agents: play a split, write every episode down, report figures that can be trusted.

report = teller_gym.evaluate("expert", "Teller-Loans-v0", split="heldout", run_dir="runs/expert")
print(report.table())
"""

from .compare import Comparison, compare
from .episodes import ERROR_KINDS, Episode, Status
from .metrics import Metric, by_group, pass_hat, summarise
from .paired import Paired, paired
from .regrade import regrade
from .regrading import Regrading
from .report import Group, Report, StageReport
from .run import evaluate, load_report

__all__ = [
    "ERROR_KINDS",
    "Comparison",
    "Episode",
    "Group",
    "Metric",
    "Paired",
    "Regrading",
    "Report",
    "StageReport",
    "Status",
    "by_group",
    "compare",
    "evaluate",
    "load_report",
    "paired",
    "pass_hat",
    "regrade",
    "summarise",
]
