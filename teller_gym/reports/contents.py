"""Contents of a report, as sections of tables and figures with titles and notes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from teller_gym.evaluation.measures.labels import STAGES
from teller_gym.evaluation.measures.summary import figures, second_reading
from teller_gym.reports.failure_tables import causes, points
from teller_gym.reports.paper_tables import paper_tables
from teller_gym.reports.run_tables import (
    branches,
    changes,
    counts,
    differences,
    effort,
    graph_scenarios,
    groups,
    malformed,
    passes,
    scores,
)
from teller_gym.reports.study import Run, Study
from teller_gym.tables.model import MARK, Table, one_line


class Words(msgspec.Struct, frozen=True):
    """Title and note of a table or figure."""

    title: str
    note: str
    paper: bool = False
    """True if the table or figure includes values from the paper."""
    intervals: str = ""
    """Explanation of the table's intervals, if different from `Texts.intervals`."""


class Texts(msgspec.Struct, frozen=True):
    """Contents of `texts.yaml`."""

    title: str
    paper_note: str
    short_note: str
    intervals: str
    """Explanation of the intervals in tables."""
    other_tasks: str
    """Caveat for a section that compares runs over different tasks."""
    sections: dict[str, str]
    tables: dict[str, Words]
    figures: dict[str, Words]


@cache
def texts() -> Texts:
    """Load `texts.yaml`."""
    return msgspec.yaml.decode(resources.files(__package__).joinpath("texts.yaml").read_bytes(), type=Texts)


def paper_note(study: Study) -> str:
    """Return an explanation of the mark on the paper's values, with their source."""
    source = study.paper.source
    return texts().paper_note.format(mark=MARK, title=source.title, tables=source.tables, comparable=source.comparable)


def key_figures(run: Run) -> list[str]:
    """Return a run's key metrics.

    There is one line per stage, and a second one if episodes are invalid.
    """
    lines = []
    for number, stage in sorted(run.report.stages.items(), reverse=True):
        head = f"{STAGES[number]}: " if len(run.report.stages) > 1 else ""
        lines += [head + line for line in (figures(stage.metrics, number), second_reading(stage)) if line]
    return lines


def cautions(run: Run) -> list[str]:
    """Return warnings about a run's faulty answers, which readers should see before the metrics."""
    return [line for _, stage in sorted(run.report.stages.items(), reverse=True) for line in stage.answers.lines()]


def short_note() -> str:
    """Return a one-line explanation of the mark, for figures and single tables."""
    return texts().short_note.format(mark=MARK)


def figure_note(key: str) -> str:
    """Return the note for a figure, shown below it."""
    words = texts().figures[key]
    return f"{words.note} {short_note()}" if words.paper else words.note


def _titled(table: Table) -> Table:
    """Return a table with its title and notes from `texts.yaml`."""
    words = texts().tables[table.key]
    return replace(
        table,
        title=words.title,
        note=words.note,
        intervals=words.intervals or texts().intervals,
        source=short_note() if words.paper else "",
    )


@dataclass(frozen=True, slots=True)
class Section:
    """Section of the report, with the keys of its figures, and its tables."""

    key: str
    figures: tuple[str, ...]
    tables: tuple[Table, ...]
    note: str
    """Caveat about comparing the section's rows, usually empty."""
    folded: bool = False
    """True if the page shows the section collapsed."""

    @property
    def title(self) -> str:
        return texts().sections[self.key]


def sections(study: Study, figures: Collection[str], viewed: bool = False) -> list[Section]:
    """Return the non-empty sections in order, from failures to the paper's models.

    Args:
        figures: keys of the figures that were drawn.
        viewed: True if the report's folder includes the viewer's pages.
    """
    two, one = bool(study.in_stage(2)), bool(study.in_stage(1))
    found = [
        ("failures", (), [causes(study, viewed), points(study)] if two else []),
        ("runs", (), [counts(study), malformed(study), *_scores(study)]),
        ("graphs", (), [graph_scenarios(study)] if one else []),
        ("groups", ("outcomes", "branches", "error_kinds"), _groups(study) if two else []),
        ("paired", ("paired",), [changes(study), differences(study)] if study.pairs else []),
        ("trials", ("passes",), [passes(study), effort(study)]),
        ("paper", ("radar", "stages", "complexity", "structure", "errors"), paper_tables(study)),
    ]
    return [
        Section(
            key,
            tuple(one for one in shown if one in figures),
            tuple(_titled(table) for table in tables if table.rows),
            texts().other_tasks if key == "runs" and study.other_tasks else "",
            folded=key == "paper",
        )
        for key, shown, tables in found
        if any(table.rows for table in tables)
    ]


def _scores(study: Study) -> list[Table]:
    return [scores(study, stage) for stage in (2, 1) if study.in_stage(stage)]


def _groups(study: Study) -> list[Table]:
    splits = groups(study, "split")
    several = [splits] if len(splits.rows) > 1 else []
    return [groups(study, "outcome"), branches(study), groups(study, "difficulty"), *several]


@dataclass(frozen=True, slots=True)
class Detail:
    """Details of a run: facts as names and values, and a table of its parts."""

    name: str
    facts: list[tuple[str, str]]
    parts: list[dict[str, str]]


def details(study: Study) -> list[Detail]:
    """Return each run's details from run.json and provenance.jsonl."""
    return [
        Detail(run.name, _facts(run.report.config, run.provenance, str(run.folder)), _parts(run.report.config))
        for run in study.runs
    ]


def _facts(config: dict[str, Any], provenance: list[dict[str, Any]], folder: str) -> list[tuple[str, str]]:
    agent = config["agent"]
    facts = [("folder", folder), ("agent", str(agent["name"])), ("kind", str(agent.get("kind", "")))]
    facts += [(name, _text(agent[name])) for name in ("options", "fingerprint", "prices") if agent.get(name)]
    facts += [("trials", str(config["trials"])), ("seed", str(config["seed"]))]
    facts.append(("teller_gym", str(config["teller_gym"])))
    for number, call in enumerate(provenance, 1):
        place = f" of call {number}" if len(provenance) > 1 else ""
        for name in ("started", "command", "settings", "versions", "git"):
            if call.get(name):
                facts.append((f"{name}{place}", _text(call[name])))
    return [(name, one_line(value)) for name, value in facts if value]


def _parts(config: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "environment": part["env"],
            "stage": str(part["stage"]),
            "splits": ", ".join(part["splits"]),
            "tasks": str(len(part["task_ids"])),
            "tools": str(part["tools"]),
            "options": _text(part["options"]),
            "frozen files, SHA-256": part.get("frozen_sha256") or "",
        }
        for part in config["parts"]
    ]


def _text(value: Any) -> str:
    """Format a JSON value as one line of readable text."""
    if isinstance(value, dict):
        return ", ".join(f"{name}={_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        return " ".join(map(_text, value))
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
