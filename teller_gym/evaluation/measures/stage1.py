"""Stage 1 metrics (graph reconstruction), computed from episode records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from teller_gym.evaluation.measures.answers import cut_answers
from teller_gym.evaluation.measures.sums import Measure, mean_of, share_of, term, tokens
from teller_gym.evaluation.records.episode import GraphRecord
from teller_gym.stage1.metrics import METRICS as GRAPH_METRICS

UNKNOWN = "no tool has this name"
"""Prefix of the answer parser's message about names that no tool in the pool has."""


def _graph(measure: Callable[[GraphRecord], bool]) -> Measure:
    return share_of(lambda episode: None if episode["graph"] is None else measure(episode["graph"]))


def has_unknown_nodes(graph: GraphRecord) -> bool:
    """Return True if the answer names a tool that does not exist."""
    return any(problem.startswith(UNKNOWN) for problem in graph["problems"])


METRICS: Mapping[str, Measure] = {
    "score": mean_of(lambda episode: episode["score"]),
    "exact": share_of(lambda episode: episode["success"]),
    **{name: term(name) for name in GRAPH_METRICS},
    "cyclic": _graph(lambda graph: graph["cyclic"]),
    "unreadable": _graph(lambda graph: not graph["readable"]),
    "unknown_nodes": _graph(has_unknown_nodes),
    "cut_answers": share_of(lambda episode: bool(cut_answers(episode))),
    "prompt_tokens": tokens("prompt"),
    "completion_tokens": tokens("completion"),
}
"""Measures by metric name."""
