"""The metrics of stage 2, execution, over episode records."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from teller_gym.evaluation.measures.answers import cut_answers, cut_prompts, ended_without_review
from teller_gym.evaluation.measures.sums import GAP, UNIT, Measure, is_office, mean_of, share_of, term, tokens
from teller_gym.evaluation.records.episode import ERROR_KINDS, Episode, Kind, Status


def tool_precision(required: Collection[str], invoked: Collection[str]) -> float:
    """Return the share of the invoked API names that were required; 0 where nothing was invoked though something was
    required.

    The paper's own table bears this out: models that often invoke nothing have a precision lower by as much.
    """
    return _overlap(set(required), set(invoked), len(set(invoked)))


def tool_recall(required: Collection[str], invoked: Collection[str]) -> float:
    """Return the share of the required API names that were invoked; 0 where none was required but some were invoked."""
    return _overlap(set(required), set(invoked), len(set(required)))


def _overlap(required: set[str], invoked: set[str], total: int) -> float:
    if not required and not invoked:
        return 1.0
    return len(required & invoked) / total if total else 0.0


def tool_f1(required: Collection[str], invoked: Collection[str]) -> float:
    """Harmonic mean of one episode's precision and recall; the metric is its mean over episodes."""
    needed, used = set(required), set(invoked)
    if not needed and not used:
        return 1.0
    return 2 * len(needed & used) / (len(needed) + len(used))


def tool_gap(required: Collection[str], invoked: Collection[str]) -> float:
    """Precision less recall: high where an agent stays with the right tools but leaves many out."""
    return tool_precision(required, invoked) - tool_recall(required, invoked)


def shows(episode: Episode, kind: str) -> bool:
    """Return True if an episode shows an error of a kind."""
    return occurrences(episode, kind) > 0


def occurrences(episode: Episode, kind: str) -> int:
    """Return how often an episode shows an error of a kind, at most once for a kind that can occur only once."""
    if kind == "blank":
        return int(all(turn["kind"] != Kind.CALL for turn in episode["trace"]))
    if kind == "budget" and episode["status"] == Status.TRUNCATED:
        return 1
    read_off = _READ_OFF.get(kind, _never)(episode)
    return max(read_off, episode["error_counts"].get(kind, 0))


def _never(_: Episode) -> int:
    return 0


_READ_OFF: Mapping[str, Callable[[Episode], int]] = {
    "ended_without_review": lambda episode: int(ended_without_review(episode)),
    "cut_answer": lambda episode: len(cut_answers(episode)),
    "cut_prompt": cut_prompts,
}
"""Kinds that no grader counts, with the functions that count them."""


def error_kinds(episodes: Iterable[Episode]) -> list[str]:
    """Return the kinds to report: the known ones in their order, then others that occur, by name."""
    seen = {kind for episode in episodes for kind in episode["error_counts"]}
    return [*ERROR_KINDS, *sorted(seen - set(ERROR_KINDS))]


def errors_shown(episode: Episode) -> dict[str, int]:
    """Return the kinds of error that an episode shows, with their counts.

    Empty for an invalid episode and for one of stage 1, since neither enters the error shares.
    """
    if episode["stage"] != 2 or episode["status"] == Status.INVALID:
        return {}
    counts = {kind: occurrences(episode, kind) for kind in error_kinds([episode])}
    return {kind: count for kind, count in counts.items() if count > 0}


def error_share(kind: str) -> Measure:
    """Return the share of episodes that show an error of a kind."""
    return share_of(lambda episode: shows(episode, kind))


def _tools(measure: Callable[[Collection[str], Collection[str]], float], bounds: tuple[float, float] = UNIT) -> Measure:
    return mean_of(lambda episode: measure(episode["required_tools"], episode["invoked_tools"]), bounds)


METRICS: Mapping[str, Measure] = {
    "score": mean_of(lambda episode: episode["score"]),
    "accuracy": share_of(lambda episode: episode["accurate"]),
    "success": share_of(lambda episode: episode["success"]),
    "clean_success": share_of(lambda episode: episode["clean"]),
    "checkpoints": term("checkpoints"),
    # Office work is graded by the state it leaves, not by arguments of calls.
    "parameters": mean_of(lambda episode: None if is_office(episode) else episode["reward_terms"].get("parameters")),
    "tool_precision": _tools(tool_precision),
    "tool_recall": _tools(tool_recall),
    "tool_f1": _tools(tool_f1),
    "tool_gap": _tools(tool_gap, GAP),
    # Pooled over all calls of all episodes, so that a long episode weighs as many calls as it made.
    "valid_calls": Measure(lambda episode: (float(episode["valid_calls"]), float(episode["attempts"])), share=True),
    "steps": mean_of(lambda episode: episode["steps"], bounds=None),
    "prompt_tokens": tokens("prompt"),
    "completion_tokens": tokens("completion"),
}
"""Name of each metric and one episode's contribution to it."""
