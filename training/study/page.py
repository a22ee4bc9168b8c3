"""Writes a study's report: its page, all figures as CSV, pictures, and shortened logs."""

from __future__ import annotations

import csv
import io
import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from teller_gym.base.files import write_whole
from teller_gym.evaluation.measures.mistakes import Mistake, count
from teller_gym.tables.comma_separated import csv_text
from teller_gym.tables.markdown import as_markdown, markdown_text
from teller_gym.tables.model import Table
from teller_gym.training.run_folder.metrics_log import read_rows
from teller_gym.training.study.comparisons import between_phases, between_variants
from teller_gym.training.study.measuring import MEASURES, figures, of_scenario, over_seeds
from teller_gym.training.study.pictures import draw_all
from teller_gym.training.study.plan import Plan
from teller_gym.training.study.reading import Evaluation, Read, Run
from teller_gym.training.study.tables import (
    differences_table,
    mistakes_table,
    phases_table,
    runs_table,
    scenarios_table,
    seeds_table,
    splits_table,
)

MOST_LINES = 300
"""Maximum number of lines kept from a run's metrics file."""


def write_report(plan: Plan, read: Read, out: Path) -> Path:
    """Write the report on a study's finished runs and return the path of its page.

    At least one run must be finished.
    """
    out.mkdir(parents=True, exist_ok=True)
    variants = [name for name in plan.study.variants if read.of(name)]
    pictures = draw_all(read, variants, out)
    (out / "logs").mkdir(exist_ok=True)
    for run in read.runs:
        lines = "".join(f"{json.dumps(row)}\n" for row in thinned(list(read_rows(run.log))))
        write_whole(out / "logs" / f"{run.variant}-seed-{run.seed}.jsonl", lines.encode(), synced=False)
    write_whole(out / "study.csv", _csv(read, variants).encode(), synced=False)
    sections = [*_head(plan, read, variants), *_results(read, variants, pictures), *_tail(read, variants)]
    page = out / "study.md"
    write_whole(page, ("\n\n".join(sections) + "\n").encode(), synced=False)
    return page


def _head(plan: Plan, read: Read, variants: list[str]) -> Iterator[str]:
    yield f"# Study: {markdown_text(plan.name)}"
    yield plan.study.about
    if read.missing:
        yield "**Not all of it is there yet.** Missing:"
        yield "\n".join(f"- {markdown_text(line)}" for line in read.missing)
    yield "Each run is its own command, with `run_dir=` a folder of its own, on one thread:"
    yield "```sh\n" + "\n".join(f"teller-gym {shlex.join(run.command)}" for run in _in_order(read, variants)) + "\n```"
    of = list(dict.fromkeys(run.of for run in read.runs))
    yield f"The runs' own evaluations are of {'; or of '.join(of)}. Processors: {_listed(read, 'processors')}."
    packages = list(dict.fromkeys(" ".join(f"{a} {b}" for a, b in run.versions.items()) for run in read.runs))
    yield f"Versions: {'; or '.join(packages)}."


def _results(read: Read, variants: list[str], pictures: dict[str, str]) -> Iterator[str]:
    yield "## After each phase"
    yield (
        "Means over seeds with 95 % intervals by Student's t. Errors are shares of episodes that show at least one of "
        "the kind; valid calls are pooled over all calls."
    )
    if any(run.inherited for run in read.runs):
        yield f"Shared phases are listed with {markdown_text(variants[0])}, which made them."
    yield as_markdown(phases_table(read, variants))
    yield _references(read, variants)
    yield _picture("score.png", pictures)
    yield "### Seed by seed"
    yield as_markdown(seeds_table(read, variants))
    yield "## Differences"
    yield (
        "Paired by task and by seed. The interval over seeds is Student's and shows how much trainings differ; that "
        "over tasks is a bootstrap over tasks with all seeds of a task together."
    )
    yield "### What each phase adds"
    yield _table(differences_table(between_phases(read, variants)), "No run has two evaluated phases.")
    if len(variants) > 1:
        yield f"### Variants against {markdown_text(variants[0])}"
        yield _table(differences_table(between_variants(read, variants)), "No seed is finished in both.")
    if (table := splits_table(read, variants)).rows:
        yield "## Further splits"
        yield "The last checkpoint of each run."
        yield as_markdown(table)
        yield _picture("splits.png", pictures)
    if (table := scenarios_table(read, variants)).rows:
        yield "## Scenario by scenario"
        yield "The last checkpoint of each run on its own split; no training task was of a scenario marked unseen."
        yield as_markdown(table)


def _tail(read: Read, variants: list[str]) -> Iterator[str]:
    yield "## Why episodes failed"
    yield (
        "The root cause of each failed episode, summed over seeds: another or a missing tool; a call's form "
        "(unreadable, or with missing, unknown or mistyped arguments); a value that was to be copied, derived from "
        "others, a flag (true or false) or decided; or a record left wrong."
    )
    yield as_markdown(mistakes_table(read, variants))
    yield "## What it took"
    yield as_markdown(runs_table(read, variants))
    yield "Every figure by run, phase, split and scenario is in `study.csv`, the runs' metrics, thinned, in `logs/`."


def _table(table: Table, without_rows: str) -> str:
    return as_markdown(table) if table.rows else without_rows


def thinned(rows: Sequence[dict[str, Any]], most: int = MOST_LINES) -> list[dict[str, Any]]:
    """Return at most ``most`` rows in order: the phases' times, and evenly spaced other rows including both ends."""
    others = [number for number, row in enumerate(rows) if "phase_seconds" not in row]
    room = most - (len(rows) - len(others))
    if len(others) > room:
        others = [others[place * (len(others) - 1) // (room - 1)] for place in range(room)]
    kept = set(others)
    return [row for number, row in enumerate(rows) if number in kept or "phase_seconds" in row]


def _picture(name: str, pictures: dict[str, str]) -> str:
    return f"![{pictures[name]}]({name})" if name in pictures else ""


def _references(read: Read, variants: list[str]) -> str:
    lines: dict[str, list[str]] = {}
    for variant in variants:
        names = list(dict.fromkeys(name for run in read.of(variant) for name in run.references))
        found = [(name, over_seeds(run.references.get(name) for run in read.of(variant)).mean) for name in names]
        told = ", ".join(f"{markdown_text(name)} {mean:.3f}" for name, mean in found if mean is not None)
        lines.setdefault(told or "none was played", []).append(markdown_text(variant))
    if len(lines) == 1:
        return f"Scores of the reference agents on the same tasks: {next(iter(lines))}."
    told = "\n".join(f"- {', '.join(names)}: {line}" for line, names in lines.items())
    return f"Scores of the reference agents on the same tasks:\n\n{told}"


def _listed(read: Read, name: str) -> str:
    return "; ".join(dict.fromkeys(one for run in read.runs for one in getattr(run, name)))


def _in_order(read: Read, variants: list[str]) -> list[Run]:
    return [run for variant in variants for run in read.of(variant)]


def _csv(read: Read, variants: list[str]) -> str:
    causes = [f"cause_{kind}" for kind in Mistake]
    heads = ["variant", "seed", "phase", "split", "scenario", "unseen", "episodes", *MEASURES, *causes]
    text = io.StringIO()
    writer = csv.DictWriter(text, heads, lineterminator="\n")
    writer.writeheader()
    for run in _in_order(read, variants):
        for one in run.evaluations:
            for scenario in [None, *(one.scenarios if len(one.scenarios) > 1 else [])]:
                writer.writerow(_csv_row(run, one, scenario))
    return text.getvalue()


def _csv_row(run: Run, evaluation: Evaluation, scenario: str | None) -> dict[str, Any]:
    episodes = of_scenario(evaluation, scenario)
    found, causes = figures(episodes), count(episodes)
    return {
        "variant": csv_text(run.variant),
        "seed": run.seed,
        "phase": csv_text(evaluation.phase),
        "split": evaluation.split,
        "scenario": scenario or "all",
        "unseen": scenario in evaluation.unseen,
        "episodes": len(episodes),
        **{name: "" if value is None else round(value, 6) for name, value in found.items()},
        **{f"cause_{kind}": causes[kind] for kind in Mistake},
    }
