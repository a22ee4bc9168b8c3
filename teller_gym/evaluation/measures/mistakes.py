"""Types of mistakes that made episodes fail: a wrong tool, a malformed call, or a wrong value, by type of value.

    python -m teller_gym.evaluation.measures.mistakes runs/a/evaluation runs/b/evaluation

Only the root cause of each episode counts (`teller_gym.evaluation.measures.root_causes`). The type of a value comes
from the scenario's API graph. Each folder is a column of the table.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path

import teller_gym
from teller_gym.base.errors import ErrorKind
from teller_gym.base.output import take_any_text
from teller_gym.evaluation.measures.root_causes import Ending, failed, root_cause
from teller_gym.evaluation.records.episode import Episode, FaultRecord, Status
from teller_gym.evaluation.records.reading import load_run
from teller_gym.grading.faults import FaultKind
from teller_gym.procedure.graph import How
from teller_gym.tables.markdown import as_markdown
from teller_gym.tables.model import Table


class Mistake(StrEnum):
    """Type of mistake that made an episode fail."""

    TOOL = "tool"
    """Wrong, extra or missing tool, for example no submitted review."""
    FORM = "form"
    """Unreadable call, for example in a truncated answer, or a call with missing, unknown or mistyped arguments."""
    COPIED = "copied"
    """Value that only had to be copied from the request or from a result."""
    DERIVED = "derived"
    """Value that had to be derived from others."""
    FLAG = "flag"
    """Boolean that had to be derived."""
    DECIDED = "decided"
    """Judgement, or value that the procedure sets."""
    OTHER = "other"
    """Record left wrong, or failure without a recorded fault."""


_VALUES = {
    How.COPY: Mistake.COPIED,
    How.DERIVE: Mistake.DERIVED,
    How.CONSTANT: Mistake.DECIDED,
    How.DECIDE: Mistake.DECIDED,
}
_TOOLS = frozenset({ErrorKind.UNKNOWN_TOOL, ErrorKind.ORDER})
_FORMS = frozenset({ErrorKind.MALFORMED, ErrorKind.TYPE})


def kind_of(episode: Episode) -> Mistake | None:
    """Classify the mistake that made an episode fail, or return None if the episode did not fail."""
    if not failed(episode):
        return None
    fault = root_cause(episode)
    if fault is None:
        return Mistake.OTHER
    if fault["kind"] == Ending.CUT:
        return Mistake.FORM
    if fault["kind"] == Ending.CONTEXT:
        return Mistake.OTHER
    if fault["kind"] in (FaultKind.MISSING_CALL, FaultKind.WRONG_ACT, Ending.NO_REVIEW):
        return Mistake.TOOL
    if fault["kind"] == FaultKind.FAILED_CALL:
        return _of_refused(episode, fault)
    return _of_value(episode, fault)


def count(episodes: Iterable[Episode]) -> Counter[Mistake]:
    """Count the failed episodes by type of mistake."""
    return Counter(kind for one in episodes if (kind := kind_of(one)) is not None)


def _of_refused(episode: Episode, fault: FaultRecord) -> Mistake:
    """Classify the mistake in a call that returned an error."""
    trace = episode["trace"]
    error = trace[fault["step"]]["error"] if fault["step"] < len(trace) else None
    kind = error["kind"] if error else None
    if kind in _TOOLS:
        return Mistake.TOOL
    argument = fault["argument"]
    if kind in _FORMS or argument is None:
        return Mistake.FORM
    message = str(error["message"]) if error else ""
    if f"argument {argument} is missing" in message or f"argument {argument} is unknown" in message:
        return Mistake.FORM
    return _of_value(episode, fault)


def _of_value(episode: Episode, fault: FaultRecord) -> Mistake:
    argument, node = fault["argument"], teller_gym.load_scenario(episode["scenario"]).graph.nodes.get(fault["tool"])
    source = node.inputs.get(argument) if node is not None and argument is not None else None
    if source is None:
        return Mistake.OTHER
    if not {"true", "false"}.isdisjoint((fault["expected"], fault["got"])):
        return Mistake.FLAG
    return _VALUES[source.how]


def table(folders: Sequence[Path]) -> str:
    """Return a Markdown table of mistakes with one column per evaluation folder.

    Raises:
        OptionError: a folder contains no evaluation.
    """
    columns = []
    for folder in folders:
        _, episodes, _ = load_run(folder)
        valid = [one for one in episodes if one["status"] != Status.INVALID]
        columns.append((count(valid), len(valid)))
    names = [folder.parent.name if folder.name == "evaluation" else folder.name for folder in folders]
    rows = [[str(kind), *(str(found[kind]) for found, _ in columns)] for kind in Mistake]
    rows.append(["failed, of all", *(f"{found.total()} of {of}" for found, of in columns)])
    return as_markdown(Table.of_texts(["root cause of the failed episodes", *names], rows))


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table for the folders given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, help="folders of evaluations")
    print(table(parser.parse_args(argv).folders))
    return 0


if __name__ == "__main__":
    take_any_text()
    raise SystemExit(main())
