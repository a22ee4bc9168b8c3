"""Display labels for metrics, and the metrics shown in each table."""

from __future__ import annotations

from teller_gym.tables.model import Column

LABELS = {
    "score": "score",
    "accuracy": "accuracy",
    "success": "success",
    "clean_success": "clean success",
    "checkpoints": "checkpoint score",
    "parameters": "parameter score",
    "tool_precision": "tool precision",
    "tool_recall": "tool recall",
    "tool_f1": "tool F1",
    "tool_gap": "precision − recall",
    "valid_calls": "valid calls",
    "steps": "steps",
    "prompt_tokens": "prompt tokens",
    "completion_tokens": "completion tokens",
    "cost_usd": "cost, USD",
    "exact": "exact graph",
    "node_precision": "node precision",
    "node_recall": "node recall",
    "node_f1": "node F1",
    "node_overlap": "node overlap",
    "edge_precision": "edge precision",
    "edge_recall": "edge recall",
    "edge_f1": "edge F1",
    "edge_overlap": "edge overlap",
    "path_overlap": "path overlap",
    "reachability_overlap": "reachability overlap",
    "edit_similarity": "edit similarity",
    "cyclic": "cyclic",
    "unreadable": "unreadable",
    "unknown_nodes": "unknown nodes",
    "cut_answers": "cut answers",
}
RIGHT = ("accuracy", "success", "clean_success")
"""Success metrics of stage 2, shown side by side, each stricter than the one before."""

SHARES = {
    1: (
        "score", "exact", "node_precision", "node_recall", "node_f1", "node_overlap", "edge_precision", "edge_recall",
        "edge_f1", "edge_overlap", "path_overlap", "reachability_overlap", "edit_similarity",
    ),
    2: (
        "score", *RIGHT, "checkpoints", "parameters", "tool_precision", "tool_recall",
        "tool_f1", "valid_calls",
    ),
}  # fmt: skip
"""Metrics of each stage that range from 0 to 1, where higher is better."""

FAULTS = ("cyclic", "unreadable", "unknown_nodes", "cut_answers")
"""Metrics that are the share of stage 1 answers with a certain fault."""

READINGS = {1: ("score", "exact"), 2: ("score", *RIGHT)}
"""Key metrics of each stage, shown in a run's summary and computed a second time if episodes are invalid."""

COMPARED = {
    1: ("score", "exact", "node_f1", "edge_f1", "node_overlap", "edge_overlap", "path_overlap"),
    2: ("score", *RIGHT, "tool_precision", "tool_recall", "tool_f1", "valid_calls"),
}
"""Metrics of each stage shown in a comparison of runs."""

GROUPED = {
    1: (
        "score", "exact", "node_precision", "node_recall", "node_f1", "node_overlap", "edge_precision", "edge_recall",
        "edge_f1", "edge_overlap", "path_overlap",
    ),
    2: ("score", *RIGHT, "tool_precision", "tool_recall", "tool_f1"),
}  # fmt: skip
"""Metrics of each stage computed for every group of episodes."""

SHOWN = {1: ("score", "node_f1", "edge_f1", "path_overlap"), 2: ("score", *RIGHT, "tool_f1")}
"""Metrics of each stage shown in a table of groups, a subset of GROUPED."""

SUCCESS = {1: "exact", 2: "success"}
"""Full success metric of each stage, on which pass^k is based."""

STAGES = {1: "stage 1, graph", 2: "stage 2, execution"}


def label(name: str) -> str:
    """Return a metric's label; an unlisted error share is labelled by its error type."""
    return LABELS.get(name, name.removeprefix("error_").replace("_", " "))


KINDS = {
    **dict.fromkeys(("steps", "prompt_tokens", "completion_tokens"), "count"),
    **dict.fromkeys(FAULTS, "share"),
    "cost_usd": "usd",
    "tool_gap": "signed",
}
"""Format of metrics in tables; other metrics range from 0 to 1, and error shares are shown in per cent."""


def column(name: str, prefix: str = "") -> Column:
    """Return a metric's table column, titled `prefix` followed by the metric's label."""
    kind = "percent" if name.startswith("error_") else KINDS.get(name, "unit")
    return Column(f"{prefix}{label(name)}", kind, interval=True)
