"""Tables 2 to 6 of the paper, with the runs above the paper's rows."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from teller_gym.evaluation.measures.labels import column, label
from teller_gym.procedure.scenario import load_scenario
from teller_gym.registration import SCENARIOS
from teller_gym.reports.study import Run, Study
from teller_gym.tables.model import MARK, Column, Metric, Row, Table, Value

STAGE_1 = (
    "node_overlap", "edge_overlap", "path_overlap", "node_precision", "node_recall", "node_f1", "edge_precision",
    "edge_recall", "edge_f1",
)  # fmt: skip
STAGE_2 = ("accuracy", "tool_precision", "tool_recall", "tool_f1")
GAP = ("tool_precision", "tool_recall", "tool_gap")


@dataclass(frozen=True, slots=True)
class GraphSize:
    """Size of a scenario's graph, and number of output fields in its review."""

    nodes: int
    edges: int
    output_fields: int

    @property
    def density(self) -> float:
        """Share of ordered node pairs that are edges."""
        return self.edges / (self.nodes * (self.nodes - 1)) if self.nodes > 1 else 0.0


def graph_size(scenario: str) -> GraphSize | None:
    """Return the size of a scenario's graph, or None if the scenario is not installed."""
    if scenario not in SCENARIOS:
        return None
    loaded = load_scenario(scenario)
    return GraphSize(len(loaded.graph.nodes), len(loaded.graph.edges), len(loaded.output_fields))


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Return Pearson's r, or None for fewer than three points or a constant variable."""
    if len(xs) < 3 or len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)


def averages_of(run: Run) -> dict[str, Metric]:
    """Return a run's metrics in both stages, averaged over scenarios as in the paper."""
    found: dict[str, Metric] = {}
    for stage, names in ((1, STAGE_1), (2, STAGE_2)):
        report = run.report.stages.get(stage)
        if report is not None:
            found |= {name: (report.macro or report.metrics)[name] for name in names}
    return found


def in_scenario(run: Run, stage: int, scenario: str) -> Mapping[str, Metric]:
    """Return a run's metrics in one scenario, or an empty mapping if the run did not play the scenario."""
    report = run.report.stages.get(stage)
    group = None if report is None else report.groups.get("scenario", {}).get(scenario)
    return {} if group is None else group.metrics


def scenarios_of(study: Study) -> list[str]:
    """Return the paper's scenarios, followed by other scenarios in the runs."""
    return list(dict.fromkeys([*study.paper.scenario_names, *(name for run in study.runs for name in run.scenarios)]))


def title_of(scenario: str) -> str:
    """Return a scenario's name for display."""
    return scenario.replace("_", " ")


def table2(study: Study) -> Table:
    """Return the table of averages for both stages."""
    names = (*STAGE_1, *STAGE_2)
    rows = []
    for run in study.runs:
        found = averages_of(run)
        rows.append(Row([run.name, ", ".join(map(title_of, run.scenarios)), *(found.get(name) for name in names)]))
    everything = f"all {len(study.paper.scenario_names)}"
    for model, figures in study.paper.averages.items():
        rows.append(Row([f"{MARK} {model}", everything, *(figures.get(name) for name in names)], paper=True))
    return Table([Column("model", "text"), Column("scenarios", "text"), *map(column, names)], rows, "table2")


def table3(study: Study) -> Table:
    """Return the table of stage 2 metrics in each scenario."""
    scenarios = scenarios_of(study)
    columns = [
        Column(f"{title_of(scenario)}: {label(name)}", interval=True) for scenario in scenarios for name in STAGE_2
    ]
    rows = [
        Row([run.name, *(in_scenario(run, 2, scenario).get(name) for scenario in scenarios for name in STAGE_2)])
        for run in study.in_stage(2)
    ]
    for model, figures in study.paper.scenarios.items():
        cells = (figures.get(scenario, {}).get(name) for scenario in scenarios for name in STAGE_2)
        rows.append(Row([f"{MARK} {model}", *cells], paper=True))
    return Table([Column("model", "text"), *columns], rows, "table3")


def table4(study: Study) -> Table:
    """Return the table of graph complexity for each scenario, with the accuracy and path overlap reached."""
    columns = [
        Column("scenario", "text"), Column("nodes", "int"), Column("edges", "int"), Column("density", "density"),
        Column("output fields", "int"), Column(f"{MARK} nodes", "int"), Column(f"{MARK} edges", "int"),
        Column(f"{MARK} mean accuracy"),
    ]  # fmt: skip
    shown = [
        (stage, name, run) for stage, name in ((2, "accuracy"), (1, "path_overlap")) for run in study.in_stage(stage)
    ]
    columns += [Column(f"{run.name}: {label(name)}", interval=True) for _, name, run in shown]
    rows = []
    for scenario in scenarios_of(study):
        size, theirs = graph_size(scenario), study.paper.complexity.get(scenario)
        own: list[Value] = [None] * 4 if size is None else [size.nodes, size.edges, size.density, size.output_fields]
        told: list[Value] = [None] * 3 if theirs is None else [theirs.nodes, theirs.edges, theirs.accuracy]
        found = [in_scenario(run, stage, scenario).get(name) for stage, name, run in shown]
        rows.append(Row([title_of(scenario), *own, *told, *found]))
    return Table(columns, rows, "table4")


def error_columns(study: Study) -> list[str]:
    """Return the paper's error types, followed by others that occur in a run."""
    theirs = list(next(iter(study.paper.errors.values())))
    ours = [
        kind
        for run in study.in_stage(2)
        for kind, metric in run.report.stages[2].errors.items()
        if metric.value and kind not in theirs
    ]
    order = [kind for run in study.in_stage(2) for kind in run.report.stages[2].errors]
    return [*theirs, *sorted(dict.fromkeys(ours), key=order.index)]


def table5(study: Study) -> Table:
    """Return the table of the shares of episodes with each type of error."""
    kinds = error_columns(study)
    rows = []
    for run in study.in_stage(2):
        report = run.report.stages[2]
        rows.append(Row([run.name, report.counted, *(report.errors.get(kind) for kind in kinds)]))
    for model, figures in study.paper.errors.items():
        rows.append(Row([f"{MARK} {model}", None, *(figures.get(kind) for kind in kinds)], paper=True))
    columns = [Column(kind.replace("_", " "), "share", interval=True) for kind in kinds]
    return Table([Column("model", "text"), Column("episodes", "int"), *columns], rows, "table5")


def table6(study: Study) -> Table:
    """Return the table of tool precision, recall and their difference by run and tier."""
    rows = []
    for run in study.in_stage(2):
        metrics = run.report.stages[2].metrics
        rows.append(Row([run.name, *(metrics[name] for name in GAP)]))
    for tier, figures in study.paper.gaps.items():
        precision, recall = figures["tool_precision"], figures["tool_recall"]
        rows.append(Row([f"{MARK} {study.paper.tiers[tier]}", precision, recall, precision - recall], paper=True))
    columns = [Column(label(name), "signed_share" if name == "tool_gap" else "share", interval=True) for name in GAP]
    return Table([Column("model or tier", "text"), *columns], rows, "table6")


def paper_tables(study: Study) -> list[Table]:
    """Return the applicable tables; stage 2 tables are included only if a run has that stage."""
    tables = [table2(study)]
    if study.in_stage(2):
        tables.append(table3(study))
    tables.append(table4(study))
    if study.in_stage(2):
        tables += [table5(study), table6(study)]
    return tables
