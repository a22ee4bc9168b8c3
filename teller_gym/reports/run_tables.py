"""Tables of the runs' own results: scores, task groups, repeated trials, effort, and differences from the baseline."""

from __future__ import annotations

from collections.abc import Sequence

from teller_gym.evaluation.measures.answers import form_text
from teller_gym.evaluation.measures.labels import FAULTS, RIGHT, SHARES, column, label
from teller_gym.evaluation.measures.stage_report import Group
from teller_gym.evaluation.measures.summary import AS_FAILURES
from teller_gym.reports.paper_tables import title_of
from teller_gym.reports.study import Run, Study
from teller_gym.tables.model import Column, Metric, Row, Table, Value

_EFFORT = ("steps", "prompt_tokens", "completion_tokens", "cost_usd")


def counts(study: Study) -> Table:
    """Return a table of each run's planned, valid and invalid episodes.

    Faulty answers are included if there are any.
    """
    stages = [
        (run, stage, report) for run in study.runs for stage, report in sorted(run.report.stages.items(), reverse=True)
    ]
    answers = [report.answers for _, _, report in stages]
    odd: dict[str, list[int]] = {
        "cut answers": [one.cut for one in answers],
        "cut prompts": [one.prompt_cut for one in answers],
        "malformed calls": [sum(one.malformed.values()) for one in answers],
    }
    odd = {name: found for name, found in odd.items() if any(found)}
    names = ["planned", "valid", "invalid", "not played yet", *odd]
    columns = [Column("run", "text"), Column("stage", "int"), *(Column(name, "int") for name in names)]
    rows = [
        Row([run.name, stage, one.planned, one.counted, one.invalid, one.left, *(found[i] for found in odd.values())])
        for i, (run, stage, one) in enumerate(stages)
    ]
    return Table(columns, rows, "counts")


def malformed(study: Study) -> Table:
    """Return a table of unreadable calls by form and run."""
    columns = [Column("form", "text"), Column("run", "text"), Column("calls", "int"), Column("what it is", "text")]
    rows = [
        Row([form, run.name, count, form_text(form)])
        for run in study.in_stage(2)
        for form, count in run.report.stages[2].answers.malformed.items()
    ]
    return Table(columns, rows, "malformed")


def scores(study: Study, stage: int) -> Table:
    """Return a table of all scores in a stage by run.

    It includes means over scenarios, and scores with invalid episodes as failures.
    """
    names = (*SHARES[stage], *(("tool_gap",) if stage == 2 else FAULTS))
    rows = []
    for run in study.in_stage(stage):
        report = run.report.stages[stage]
        everything = report.counted + report.invalid
        kinds = [
            ("", report.counted, report.metrics),
            (f", {AS_FAILURES}", everything, report.as_failures),
            (", mean over scenarios", report.counted, report.macro),
            (f", mean over scenarios, {AS_FAILURES}", everything, report.macro_as_failures),
        ]
        rows += [Row([run.name + head, n, *(found.get(name) for name in names)]) for head, n, found in kinds if found]
    return Table([Column("run", "text"), Column("episodes", "int"), *map(column, names)], rows, f"scores{stage}")


def graph_scenarios(study: Study) -> Table:
    """Return a table of stage 1 metrics by scenario and run."""
    names = ("exact", "node_f1", "edge_f1", "node_overlap", "edge_overlap", "path_overlap")
    rows = [
        Row([title_of(scenario), run.name, group.episodes, *(group.metrics[name] for name in names)])
        for run in study.in_stage(1)
        for scenario, group in run.report.stages[1].groups.get("scenario", {}).items()
    ]
    columns = [Column("scenario", "text"), Column("run", "text"), Column("episodes", "int")]
    return Table([*columns, *map(column, names)], sorted(rows, key=lambda row: str(row.cells[0])), "graph_scenarios")


def group_names(study: Study, kind: str, stage: int = 2) -> list[str]:
    """Return the sorted names of all groups in a grouping, over all runs."""
    return sorted({name for run in study.in_stage(stage) for name in run.report.stages[stage].groups.get(kind, {})})


def group_of(run: Run, kind: str, name: str, stage: int = 2) -> Group | None:
    """Return a run's metrics for one group of episodes, or None if the run has no such group."""
    return run.report.stages[stage].groups.get(kind, {}).get(name)


def points(study: Study) -> list[str]:
    """Return the decision points of all runs as groupings (`branch:…`)."""
    kinds = {kind for run in study.in_stage(2) for kind in run.report.stages[2].groups}
    return sorted(kind for kind in kinds if kind.startswith("branch:"))


def groups(study: Study, kind: str) -> Table:
    """Return a table of each run's success and score for every group in a grouping."""
    rows = [Row([name, *_group_cells(study, kind, name)]) for name in group_names(study, kind)]
    key = {"outcome": "outcomes", "split": "splits"}.get(kind, kind)
    return Table([Column(kind, "text"), *_group_columns(study)], rows, key)


def branches(study: Study) -> Table:
    """Return a table of each run's success and score for every branch of every decision point."""
    rows = [
        Row([title_of(kind.removeprefix("branch:")), title_of(name), *_group_cells(study, kind, name)])
        for kind in points(study)
        for name in group_names(study, kind)
    ]
    return Table([Column("decision point", "text"), Column("branch", "text"), *_group_columns(study)], rows, "branches")


def _group_columns(study: Study) -> list[Column]:
    runs = study.in_stage(2)
    return [
        Column("episodes", "text"),
        *(column(name, f"{run.name}: " if len(runs) > 1 else "") for name in (*RIGHT, "score") for run in runs),
    ]


def _group_cells(study: Study, kind: str, name: str) -> list[Value]:
    found = [group_of(run, kind, name) for run in study.in_stage(2)]
    sizes = [str(group.episodes) if group else "0" for group in found]
    # A single number if it is the same for all runs.
    cells: list[Value] = [sizes[0] if len(set(sizes)) == 1 else " / ".join(sizes)]
    return cells + [group.metrics[metric] if group else None for metric in (*RIGHT, "score") for group in found]


def passes(study: Study) -> Table:
    """Return a table of pass^k for runs with several trials."""
    shown = [
        (run, stage, report.pass_hat)
        for run in study.runs
        for stage, report in sorted(run.report.stages.items(), reverse=True)
        if len(report.pass_hat) > 1
    ]
    most = max((max(found) for _, _, found in shown), default=0)
    columns = [Column("run", "text"), Column("stage", "int")]
    columns += [Column(f"pass^{k}", interval=True) for k in range(1, most + 1)]
    rows = [Row([run.name, stage, *(found.get(k) for k in range(1, most + 1))]) for run, stage, found in shown]
    return Table(columns, rows, "passes")


def effort(study: Study) -> Table:
    """Return a table of each run's effort.

    It has the mean steps, tokens, cost and wall time per episode, and the total cost.
    """
    rows = []
    for run in study.runs:
        for stage, report in sorted(run.report.stages.items(), reverse=True):
            mean = report.metrics["cost_usd"].value
            total = None if mean is None else mean * report.counted
            found: Sequence[Metric | None] = [report.metrics.get(name) for name in _EFFORT]
            rows.append(Row([run.name, stage, *found, total, run.wall_s(stage)]))
    columns = [Column("run", "text"), Column("stage", "int"), *map(column, _EFFORT)]
    columns += [Column("cost of all, USD", "usd"), Column("wall time an episode, s", "seconds")]
    return Table(columns, rows, "effort")


def changes(study: Study) -> Table:
    """Return a table of the numbers of tasks that each run wins and loses against the baseline."""
    names = ("common tasks", "run alone", "baseline alone", "won", "lost")
    columns = [Column("run", "text"), Column("stage", "int"), *(Column(name, "int") for name in names)]
    rows = [
        Row(
            [run.name, one.stage, one.common, one.only_run, one.only_baseline, len(one.won), len(one.lost), one.p_value]
        )
        for run, one in study.pairs
    ]
    return Table([*columns, Column("McNemar's p", "p")], rows, "changes")


def differences(study: Study) -> Table:
    """Return a table of each run's difference from the baseline in each metric, over the common tasks."""
    columns = [Column("run", "text"), Column("stage", "int"), Column("metric", "text")]
    columns += [Column("run's"), Column("baseline's")]
    rows = [
        Row([run.name, one.stage, label(name), found.run, found.baseline, found.difference])
        for run, one in study.pairs
        for name, found in one.differences.items()
    ]
    return Table([*columns, Column("difference", "signed", interval=True)], rows, "differences")
