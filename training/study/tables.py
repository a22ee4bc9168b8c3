"""The tables of a study's report, in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from teller_gym.evaluation.measures.labels import label
from teller_gym.evaluation.measures.metrics import Metric
from teller_gym.evaluation.measures.mistakes import Mistake
from teller_gym.evaluation.measures.tables import NOTHING, cell, interval_text, markdown_table, metric_text
from teller_gym.training.study.comparisons import Comparison
from teller_gym.training.study.measuring import MEASURES, OverSeeds, by_phase, by_split, figures, means, mistakes
from teller_gym.training.study.reading import Evaluation, Read

HEADS = [f"{label(name)} errors" if name.startswith("error_") else label(name) for name in MEASURES]


def phases_table(read: Read, variants: Sequence[str]) -> str:
    """Return the means over seeds after each phase, with intervals."""
    rows = [
        [variant, phase, str(len(found)), *_cells(means(found))]
        for variant in variants
        for phase, found in by_phase(read.of(variant)).items()
    ]
    return markdown_table(["variant", "after", "seeds", *HEADS], rows)


def seeds_table(read: Read, variants: Sequence[str]) -> str:
    """Return every single run by phase."""
    rows = []
    for variant in variants:
        for run in read.of(variant):
            for one in run.made:
                known = figures(one.episodes)
                rows.append([variant, str(run.seed), one.phase, *(_text(name, known[name]) for name in MEASURES)])
    return markdown_table(["variant", "seed", "after", *HEADS], rows)


def runs_table(read: Read, variants: Sequence[str]) -> str:
    """Return the cost of each run."""
    rows = [
        [variant, str(run.seed), run.phases[-1].phase, f"{run.cpu_seconds / 3600:.2f}"]
        for variant in variants
        for run in read.of(variant)
    ]
    return markdown_table(["variant", "seed", "last phase", "processor hours"], rows)


def splits_table(read: Read, variants: Sequence[str]) -> str:
    """Return the last checkpoints' means over seeds by split; empty without further splits."""
    rows = [
        [variant, split, found[0].phase, str(len(found)), *_cells(means(found))]
        for variant in variants
        for split, found in by_split(read.of(variant)).items()
    ]
    return markdown_table(["variant", "split", "after", "seeds", *HEADS], rows) if rows else ""


def scenarios_table(read: Read, variants: Sequence[str]) -> str:
    """Return the last checkpoints' means over seeds by scenario; empty if there is only one."""
    rows = []
    for variant in variants:
        last = [run.phases[-1] for run in read.of(variant)]
        scenarios = list(dict.fromkeys(scenario for one in last for scenario in one.scenarios))
        for scenario in scenarios if len(scenarios) > 1 else ():
            name = f"{scenario} (unseen)" if scenario in last[0].unseen else scenario
            rows.append([variant, name, last[0].phase, str(len(last)), *_cells(means(last, scenario))])
    return markdown_table(["variant", "scenario", "after", "seeds", *HEADS], rows) if rows else ""


def mistakes_table(read: Read, variants: Sequence[str]) -> str:
    """Return the failed episodes by kind of mistake, summed over seeds."""
    rows = []
    for variant in variants:
        runs = read.of(variant)
        of_phases = {(one[0].split, phase): one for phase, one in by_phase(runs).items()}
        of_splits = {(split, one[0].phase): one for split, one in by_split(runs).items()}
        for (split, phase), found in (of_phases | of_splits).items():
            rows.append([variant, split, phase, *_mistake_cells(found)])
    return markdown_table(["variant", "split", "after", *map(str, Mistake), "failed, of all"], rows)


def differences_table(comparisons: Sequence[Comparison]) -> str:
    """Return the differences paired by task and seed; empty without any."""
    rows = []
    for one in comparisons:
        for name, found in one.figures.items():
            if found.by_seed.mean is None:
                continue
            mean = found.by_seed.mean
            sign = "+" if mean >= 0 else "−"
            unit = " points" if name.startswith("error_") else ""
            size = metric_text(name, Metric(abs(mean))).removesuffix(" %")
            head = f"{label(name)} errors" if name.startswith("error_") else label(name)
            sides = (_text(name, found.before), _text(name, found.after))
            over = (_interval(name, found.by_seed), interval_text(name, found.by_task).removesuffix(" %") or NOTHING)
            rows.append([one.of, str(len(found.by_seed.values)), head, *sides, f"{sign}{size}{unit}", *over])
    heads = ["compared", "seeds", "figure", "before", "after", "difference", "95 % over seeds", "95 % over tasks"]
    return markdown_table(heads, rows) if rows else ""


def _cells(found: dict[str, OverSeeds]) -> list[str]:
    return [cell(name, Metric(found[name].mean, found[name].low, found[name].high)) for name in MEASURES]


def _mistake_cells(evaluations: Sequence[Evaluation]) -> list[str]:
    found, episodes = mistakes(evaluations)
    return [*(str(found[kind]) for kind in Mistake), f"{sum(found.values())} of {episodes}"]


def _text(name: str, value: float | None) -> str:
    return metric_text(name, Metric(value))


def _interval(name: str, over: OverSeeds) -> str:
    return interval_text(name, Metric(over.mean, over.low, over.high)).removesuffix(" %") or NOTHING
