"""Evaluation of agents: plays the tasks of a split, records every episode and reports metrics with intervals.

report = teller_gym.evaluate("expert", "Teller-Loans-v0", split="heldout", run_dir="runs/expert")
print(report.table())
"""

from teller_gym.evaluation.measures.compare import compare
from teller_gym.evaluation.measures.metrics import by_group, pass_hat, summarise
from teller_gym.evaluation.measures.paired import Paired, paired
from teller_gym.evaluation.measures.report import Group, Report, StageReport
from teller_gym.evaluation.records.episode import ERROR_KINDS, Episode, Status
from teller_gym.evaluation.runs.regrade import regrade
from teller_gym.evaluation.runs.regrade_result import Regrading
from teller_gym.evaluation.runs.run import evaluate, load_report
from teller_gym.tables.model import Metric

__all__ = [
    "ERROR_KINDS",
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
