"""Stage 2 metrics (execution), computed from episode records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from teller_gym.evaluation.measures.answers import cut_answers, cut_prompts, ended_without_review
from teller_gym.evaluation.measures.sums import GAP, UNIT, Measure, is_office, mean_of, share_of, term, tokens
from teller_gym.evaluation.records.episode import ERROR_KINDS, Episode, Kind, Status


def tool_precision(required: Collection[str], invoked: Collection[str]) -> float:
    """Return the share of the invoked tools that were required.

    It is 0 if none was invoked although some were required. This agrees with the paper's table, in which models that
    often invoke nothing have a lower precision.
    """
    return _overlap(set(required), set(invoked), len(set(invoked)))


def tool_recall(required: Collection[str], invoked: Collection[str]) -> float:
    """Return the share of the required tools that were invoked.

    It is 0 if none was required but some were invoked.
    """
    return _overlap(set(required), set(invoked), len(set(required)))


def _overlap(required: set[str], invoked: set[str], total: int) -> float:
    if not required and not invoked:
        return 1.0
    return len(required & invoked) / total if total else 0.0


def tool_f1(required: Collection[str], invoked: Collection[str]) -> float:
    """Return the harmonic mean of one episode's precision and recall.

    The metric is its mean over episodes.
    """
    needed, used = set(required), set(invoked)
    if not needed and not used:
        return 1.0
    return 2 * len(needed & used) / (len(needed) + len(used))


def tool_gap(required: Collection[str], invoked: Collection[str]) -> float:
    """Return precision minus recall, which is high for an agent that calls only required tools but omits many."""
    return tool_precision(required, invoked) - tool_recall(required, invoked)


def occurrences(episode: Episode, kind: str) -> int:
    """Return the number of errors of one type in an episode.

    Some types, such as `blank`, can occur only once.
    """
    if kind == "blank":
        return int(all(turn["kind"] != Kind.CALL for turn in episode["trace"]))
    if kind == "budget" and episode["status"] == Status.TRUNCATED:
        return 1
    read_off = _READ_OFF[kind](episode) if kind in _READ_OFF else 0
    return max(read_off, episode["error_counts"].get(kind, 0))


_READ_OFF: Mapping[str, Callable[[Episode], int]] = {
    "ended_without_review": lambda episode: int(ended_without_review(episode)),
    "cut_answer": lambda episode: len(cut_answers(episode)),
    "cut_prompt": cut_prompts,
}
"""Functions that count error types which graders do not count."""


def error_kinds(episodes: Iterable[Episode]) -> list[str]:
    """Return the error types to report.

    The known types come first in their order, then other types that occur, sorted.
    """
    seen = {kind for episode in episodes for kind in episode["error_counts"]}
    return [*ERROR_KINDS, *sorted(seen - set(ERROR_KINDS))]


def errors_shown(episode: Episode) -> dict[str, int]:
    """Count an episode's errors by type.

    Invalid and stage 1 episodes have no counts, since they do not enter the error shares.
    """
    if episode["stage"] != 2 or episode["status"] == Status.INVALID:
        return {}
    counts = {kind: occurrences(episode, kind) for kind in error_kinds([episode])}
    return {kind: count for kind, count in counts.items() if count > 0}


def error_share(kind: str) -> Measure:
    """Return the measure of the share of episodes with an error of this type."""
    return share_of(lambda episode: occurrences(episode, kind) > 0)


def _tools(measure: Callable[[Collection[str], Collection[str]], float], bounds: tuple[float, float] = UNIT) -> Measure:
    return mean_of(lambda episode: measure(episode["required_tools"], episode["invoked_tools"]), bounds)


METRICS: Mapping[str, Measure] = {
    "score": mean_of(lambda episode: episode["score"]),
    "accuracy": share_of(lambda episode: episode["accurate"]),
    "success": share_of(lambda episode: episode["success"]),
    "clean_success": share_of(lambda episode: episode["clean"]),
    "checkpoints": term("checkpoints"),
    # Office work is graded by the resulting state, not by the arguments of calls.
    "parameters": mean_of(lambda episode: None if is_office(episode) else episode["reward_terms"].get("parameters")),
    "tool_precision": _tools(tool_precision),
    "tool_recall": _tools(tool_recall),
    "tool_f1": _tools(tool_f1),
    "tool_gap": _tools(tool_gap, GAP),
    # Pooled over the calls of all episodes, so that each call has the same weight.
    "valid_calls": Measure(lambda episode: (float(episode["valid_calls"]), float(episode["attempts"])), share=True),
    "steps": mean_of(lambda episode: episode["steps"], bounds=None),
    "prompt_tokens": tokens("prompt"),
    "completion_tokens": tokens("completion"),
}
"""Measures by metric name."""
