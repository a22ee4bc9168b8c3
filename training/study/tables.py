"""Tables in a study's report."""

from __future__ import annotations

from collections.abc import Sequence

from teller_gym.evaluation.measures.labels import column, label
from teller_gym.evaluation.measures.mistakes import Mistake
from teller_gym.tables.model import NOTHING, Column, Metric, Row, Table, Value, interval_text, value_text
from teller_gym.training.study.comparisons import Comparison
from teller_gym.training.study.measuring import MEASURES, OverSeeds, by_phase, by_split, figures, means, mistakes
from teller_gym.training.study.reading import Read


def _heading(name: str) -> str:
    return f"{label(name)} errors" if name.startswith("error_") else label(name)


FIGURES = [Column(_heading(name), column(name).kind, interval=True) for name in MEASURES]


def _texts(*titles: str) -> list[Column]:
    return [Column(title, "text") for title in titles]


def phases_table(read: Read, variants: Sequence[str]) -> Table:
    """Return a table of means over seeds after each phase, with intervals."""
    rows = [
        Row([variant, phase, len(found), *_cells(means(found))])
        for variant in variants
        for phase, found in by_phase(read.of(variant)).items()
    ]
    return Table([*_texts("variant", "after"), Column("seeds", "int"), *FIGURES], rows)


def seeds_table(read: Read, variants: Sequence[str]) -> Table:
    """Return a table of each run's metrics after each phase."""
    rows = [
        Row([variant, run.seed, one.phase, *(known[name] for name in MEASURES)])
        for variant in variants
        for run in read.of(variant)
        for one in run.made
        for known in (figures(one.episodes),)
    ]
    return Table([*_texts("variant"), Column("seed", "int"), *_texts("after"), *FIGURES], rows)


def runs_table(read: Read, variants: Sequence[str]) -> Table:
    """Return a table of each run's cost."""
    rows = [
        Row([variant, run.seed, run.phases[-1].phase, run.cpu_seconds / 3600])
        for variant in variants
        for run in read.of(variant)
    ]
    hours = Column("processor hours", "hours")
    return Table([*_texts("variant"), Column("seed", "int"), *_texts("last phase"), hours], rows)


def splits_table(read: Read, variants: Sequence[str]) -> Table:
    """Return a table of the last checkpoints' means over seeds by split.

    It has no rows if there are no further splits.
    """
    rows = [
        Row([variant, split, found[0].phase, len(found), *_cells(means(found))])
        for variant in variants
        for split, found in by_split(read.of(variant)).items()
    ]
    return Table([*_texts("variant", "split", "after"), Column("seeds", "int"), *FIGURES], rows)


def scenarios_table(read: Read, variants: Sequence[str]) -> Table:
    """Return a table of the last checkpoints' means over seeds by scenario.

    It has no rows if there is only one scenario.
    """
    rows = []
    for variant in variants:
        last = [run.phases[-1] for run in read.of(variant)]
        scenarios = list(dict.fromkeys(scenario for one in last for scenario in one.scenarios))
        for scenario in scenarios if len(scenarios) > 1 else ():
            name = f"{scenario} (unseen)" if scenario in last[0].unseen else scenario
            rows.append(Row([variant, name, last[0].phase, len(last), *_cells(means(last, scenario))]))
    return Table([*_texts("variant", "scenario", "after"), Column("seeds", "int"), *FIGURES], rows)


def mistakes_table(read: Read, variants: Sequence[str]) -> Table:
    """Return a table of failed episodes by type of mistake, summed over seeds."""
    rows = []
    for variant in variants:
        runs = read.of(variant)
        of_phases = {(one[0].split, phase): one for phase, one in by_phase(runs).items()}
        of_splits = {(split, one[0].phase): one for split, one in by_split(runs).items()}
        for (split, phase), evaluations in (of_phases | of_splits).items():
            found, episodes = mistakes(evaluations)
            failed = f"{sum(found.values())} of {episodes}"
            rows.append(Row([variant, split, phase, *(found[kind] for kind in Mistake), failed]))
    kinds = [Column(kind, "int") for kind in Mistake]
    return Table([*_texts("variant", "split", "after"), *kinds, Column("failed, of all", "text", right=True)], rows)


def differences_table(comparisons: Sequence[Comparison]) -> Table:
    """Return a table of the differences, paired by task and seed.

    It has no rows if there are none.
    """
    rows = []
    for one in comparisons:
        for name, found in one.figures.items():
            mean, shown = found.by_seed.mean, column(name)
            if mean is None:
                continue
            unit = " points" if name.startswith("error_") else ""
            size = f"{'+' if mean >= 0 else '−'}{value_text(shown, abs(mean)).removesuffix(' %')}{unit}"
            sides = [value_text(shown, side) for side in (found.before, found.after)]
            over = [
                interval_text(shown, metric).removesuffix(" %") or NOTHING
                for metric in (_metric(found.by_seed), found.by_task)
            ]
            rows.append(Row([one.of, len(found.by_seed.values), _heading(name), *sides, size, *over]))
    titles = ("before", "after", "difference", "95 % over seeds", "95 % over tasks")
    columns = [*_texts("compared"), Column("seeds", "int"), *_texts("figure"), *(Column(title) for title in titles)]
    return Table(columns, rows)


def _cells(found: dict[str, OverSeeds]) -> list[Value]:
    return [_metric(found[name]) for name in MEASURES]


def _metric(over: OverSeeds) -> Metric:
    return Metric(over.mean, over.low, over.high)
