"""Several runs side by side."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teller_gym.base.errors import OptionError
from teller_gym.evaluation.measures.labels import COMPARED, SHOWN, STAGES, label
from teller_gym.evaluation.measures.metrics import Metric
from teller_gym.evaluation.measures.report import Report
from teller_gym.evaluation.measures.stage_report import StageReport
from teller_gym.evaluation.measures.summary import AS_FAILURES
from teller_gym.evaluation.measures.tables import NARROWEST, cell, folded_table, markdown_table

PAPER_ERRORS = ("blank", "validation", "type")
"""Shown even where nobody makes them; of the other kinds those that somebody shows."""


@dataclass(frozen=True)
class Comparison:
    """Reports in the order of their rows, each with its name."""

    names: tuple[str, ...]
    reports: tuple[Report, ...]

    @property
    def stages(self) -> list[int]:
        """The stages that every run has, the main one first."""
        return sorted(set.intersection(*(set(report.stages) for report in self.reports)), reverse=True)

    @property
    def error_kinds(self) -> list[str]:
        """The kinds worth a column; none where stage 2 was not played."""
        kinds = dict.fromkeys(kind for report in self.reports for kind in report.errors)
        return [kind for kind in kinds if kind in PAPER_ERRORS or any(self._errs(r, kind) for r in self.reports)]

    @staticmethod
    def _errs(report: Report, kind: str) -> bool:
        metric = report.errors.get(kind)
        return metric is not None and bool(metric.value)

    def blocks(self) -> list[tuple[list[str], list[list[str]]]]:
        """Return tables as headers and rows: scores of each stage, and shares of episodes that show each error."""
        blocks = []
        for stage in self.stages:
            title = "agent" if len(self.stages) == 1 else STAGES[stage]
            blocks.append(self._block(stage, title, COMPARED[stage]))
            if stage == 2:
                blocks.append(self._block(stage, "errors", [f"error_{kind}" for kind in self.error_kinds]))
            blocks += self._transfer(stage)
        return blocks

    def _transfer(self, stage: int) -> list[tuple[list[str], list[list[str]]]]:
        """Seen and unseen procedures of each run that leaves one out."""
        names, pairs = SHOWN[stage], zip(self.names, self.reports, strict=True)
        found = {name: transfer for name, one in pairs if (transfer := one.stages[stage].transfer) is not None}
        rows = [[f"{name}, {row[0]}", *row[1:]] for name, transfer in found.items() for row in transfer.rows(names)]
        return [(["procedures", *map(label, names)], rows)] if rows else []

    def _block(self, stage: int, title: str, metrics: Sequence[str]) -> tuple[list[str], list[list[str]]]:
        headers = [title, "n", *(name[6:] if name.startswith("error_") else label(name) for name in metrics)]
        rows = []
        for name, report in zip(self.names, (one.stages[stage] for one in self.reports), strict=True):
            rows.append([name, self._size(report), *(cell(metric, report.metrics.get(metric)) for metric in metrics)])
            if any(metric in report.as_failures for metric in metrics):
                size = str(report.counted + report.invalid)
                second = (cell(metric, report.as_failures.get(metric)) for metric in metrics)
                rows.append([f"{name}, {AS_FAILURES}", size, *second])
        return headers, rows

    @staticmethod
    def _size(report: StageReport) -> str:
        return f"{report.counted}" + (f" (+{report.invalid} invalid)" if report.invalid else "")

    def table(self, width: int | None = None) -> str:
        """Return tables for a terminal: values with their 95 % intervals.

        Args:
            width: in characters; wider tables are folded. The terminal's unless given, and never under 80.
        """
        width = max(NARROWEST, shutil.get_terminal_size().columns) if width is None else width
        return "\n\n".join(folded_table(headers, rows, width) for headers, rows in self.blocks())

    def markdown(self) -> str:
        """Return tables in Markdown."""
        return "\n\n".join(markdown_table(headers, rows) for headers, rows in self.blocks())

    def to_dict(self) -> dict[str, Any]:
        """Return names and reports as JSON values."""
        return {"runs": [{"name": name, **r.to_dict()} for name, r in zip(self.names, self.reports, strict=True)]}

    def figure(self, path: str | os.PathLike[str]) -> Path:
        """Draw scores and error shares (PNG, or what the suffix says); return the path.

        Raises:
            MissingExtraError: matplotlib is not installed.
        """
        from teller_gym.evaluation.measures.figures import Panel, draw_compared

        panels = []
        for stage in self.stages:
            title = "mean with 95 % interval" + (f", stage {stage}" if len(self.stages) > 1 else "")
            reports = [report.stages[stage] for report in self.reports]
            rows = [(label(name), [one.metrics.get(name) for one in reports]) for name in COMPARED[stage]]
            panels.append(Panel(title, rows))
        errors = [(label(f"error_{kind}"), self.metric(f"error_{kind}")) for kind in self.error_kinds]
        panels += [Panel("share of episodes with an error", errors)] if errors else []
        first = self.reports[0]
        title = f"{first.where} · {first.splits} · {first.size}"
        return draw_compared(panels, self.names, title, Path(path))

    def metric(self, name: str) -> list[Metric | None]:
        """Return one metric of every report."""
        return [report.metrics.get(name) for report in self.reports]


def compare(reports: Sequence[Report], names: Sequence[str] | None = None) -> Comparison:
    """Put reports side by side.

    Args:
        names: of the rows; the agents' names unless given.

    Raises:
        OptionError: no report, a name too many or too few, or runs over different tasks.
    """
    if not reports:
        raise OptionError("compare: expected at least one report")
    if names is not None and len(names) != len(reports):
        raise OptionError(f"compare: expected {len(reports)} names, one a report, got {len(names)}")
    first = reports[0]
    for report in reports:
        for name in ("env", "task_ids", "frozen_sha256"):
            if [part[name] for part in report.config["parts"]] != [part[name] for part in first.config["parts"]]:
                raise OptionError(
                    f"compare: {report.agent} was run over other tasks than {first.agent} ({name} differs); "
                    f"figures over different tasks do not belong in one table"
                )
    return Comparison(tuple(names or (report.agent for report in reports)), tuple(reports))
