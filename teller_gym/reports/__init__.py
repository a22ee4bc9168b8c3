"""Reports on runs, with tables and figures as in the paper, and additional ones.

write_report(["runs/a", "runs/b"], "report", baseline="runs/a")
"""

from teller_gym.reports.study import Run, Study, read_study
from teller_gym.reports.write import write_report

__all__ = ["Run", "Study", "read_study", "write_report"]
