"""Counts a model's faulty answers, such as truncated answers and unreadable tool calls.

The counts also cover cases that end without a review. All of them are derived from the records, so earlier runs can be
measured too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from teller_gym.agents.usage import is_cut, is_unreadable_call
from teller_gym.evaluation.records.episode import Episode, Kind, Status, Turn
from teller_gym.grading.rubric import FINISH
from teller_gym.tools.reading import FORMS, malformed_form

CUT = "cut"
SERVER = "server"
"""Additional forms of malformed calls: a truncated answer, and a call that the server could not parse."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Counts of faulty answers over many episodes.

    Attributes:
        cut: answers truncated at their token limit.
        cut_in: episodes with such answers.
        prompt_cut: answers to a prompt that the server had silently truncated.
        prompt_cut_in: episodes with such answers.
        malformed: unreadable calls by form, most common first.
    """

    cut: int = 0
    cut_in: int = 0
    prompt_cut: int = 0
    prompt_cut_in: int = 0
    malformed: dict[str, int] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Return one warning per type of faulty answer, to be shown with the metrics; empty if there are none."""
        found = []
        if self.cut:
            found.append(
                f"CUT ANSWERS: {_many(self.cut, 'answer')} of {_many(self.cut_in, 'episode')} reached the token limit "
                f"(finish_reason length); raise agent.max_new_tokens, or have the model think less"
            )
        if self.prompt_cut:
            found.append(
                f"CUT PROMPTS: the server read only a part of {_many(self.prompt_cut, 'prompt')} of "
                f"{_many(self.prompt_cut_in, 'episode')}; serve the model with a longer context"
            )
        if self.malformed:
            forms = ", ".join(f"{form} {count}" for form, count in self.malformed.items())
            found.append(f"MALFORMED CALLS: {sum(self.malformed.values())}, by form: {forms}{self._cause()}")
        return found

    def _cause(self) -> str:
        unparsed = [form for form in self.malformed if is_unparsed(form)]
        if not unparsed:
            return ""
        return f". Likely cause of {', '.join(unparsed)}: {LIKELY_CAUSE}"


LIKELY_CAUSE = "the server runs without the tool parser of this model (docs/evaluate/serving.md)"


def is_unparsed(form: str) -> bool:
    """Return True if calls of this form should have been parsed by the server's tool-call parser."""
    return form not in (CUT, SERVER) and "parser" in FORMS.get(form, "")


def form_text(form: str) -> str:
    """Return a description of a form of malformed call, for a table."""
    own = {CUT: "the answer was cut by its token limit", SERVER: "the server could not parse the model's call"}
    return own.get(form) or FORMS.get(form) or form.replace("_", " ")


def is_cut_turn(turn: Turn) -> bool:
    """Return True if the answer that begins with this turn was truncated at its token limit."""
    reason = turn["model"].get("finish_reason")
    return isinstance(reason, str) and is_cut(reason)


def cut_answers(episode: Episode) -> list[int]:
    """Return the steps, from 0, at which truncated answers begin."""
    return [step for step, turn in enumerate(episode["trace"]) if is_cut_turn(turn)]


def cut_prompts(episode: Episode) -> int:
    """Return the number of prompts that the server is known to have silently truncated."""
    return sum(turn["model"].get("prompt_cut") is not None for turn in episode["trace"])


def stopping_cut(episode: Episode) -> int | None:
    """Return the step of the first truncated answer after which no call was accepted, or None."""
    trace, found = episode["trace"], None
    for step in reversed(cut_answers(episode)):
        end = step + 1
        while end < len(trace) and not trace[end]["model"]:
            end += 1  # further calls of the same answer
        if any(turn["kind"] == Kind.CALL and turn["error"] is None for turn in trace[end:]):
            break
        found = step
    return found


def ended_without_review(episode: Episode) -> bool:
    """Return True if the agent ended the case with plain text before submitting its review."""
    trace = episode["trace"]
    if ended_by_context(episode):
        return False  # the closing text is not the model's
    if episode["status"] != Status.FINISHED or not trace or trace[-1]["kind"] != Kind.RESPONSE:
        return False
    # In a working day each case has its own review checkpoint, suffixed with the case's reference.
    return any(row["checkpoint"].partition("@")[0] == FINISH and not row["passed"] for row in episode["checkpoints"])


def ended_by_context(episode: Episode) -> bool:
    """Return True if the episode ended because the chat filled the model's context."""
    return bool(episode["trace"]) and episode["trace"][-1]["model"].get("context_end") == "stop"


def malformed_forms(episode: Episode) -> Counter[str]:
    """Count an episode's unreadable calls by form."""
    return Counter(_form(turn) for turn in episode["trace"] if turn["kind"] == Kind.MALFORMED)


def _form(turn: Turn) -> str:
    if is_cut_turn(turn):
        return CUT
    reason = turn["model"].get("finish_reason")
    return SERVER if isinstance(reason, str) and is_unreadable_call(reason) else malformed_form(turn["action"])


def measure_answers(episodes: Iterable[Episode]) -> Answers:
    """Count the faulty answers in valid episodes."""
    cuts, prompts, forms = [], [], Counter[str]()
    for episode in episodes:
        cuts.append(len(cut_answers(episode)))
        prompts.append(cut_prompts(episode))
        forms.update(malformed_forms(episode))
    ordered = dict(sorted(forms.items(), key=lambda one: (-one[1], one[0])))
    return Answers(sum(cuts), sum(map(bool, cuts)), sum(prompts), sum(map(bool, prompts)), ordered)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
