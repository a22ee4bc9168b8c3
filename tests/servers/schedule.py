"""Scripts of the server: its answers, and faults of selected requests.

The behaviour depends only on a request's bytes and on how often they were sent, not on time or on other requests, so
that a run always meets the same faults.
"""

import hashlib
import re
from collections import Counter
from typing import Literal, NamedTuple

import msgspec

from tests.servers.answers import Answers
from tests.servers.completions import Form
from tests.servers.hostile import Wrong

Behaviour = Literal[
    "answer",
    "hang",
    "bad_json",
    "no_choices",
    "null_content",
    "too_many",
    "status",
    "hang_up_before",
    "hang_up_after",
    "truncated",
    "several",
    "bad_arguments",
    "cut",
    "echo_key",
    "hostile",
]


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True, repr_omit_defaults=True):
    """Conditions of a rule, all of which must be met."""

    case: str | None = None
    """Regular expression, searched in the case's key."""
    turns: tuple[int, ...] | None = None
    """Matches if the number of model turns so far is among these."""
    attempts: int | None = None
    """Matches only the first attempts with the same bytes, up to this number."""
    rate: float = 1.0
    """Share of the matching requests, drawn by the script's seed."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A behaviour and its conditions."""

    do: Behaviour
    match: Match = Match()
    code: int = 500
    """For `status` and `echo_key`: the HTTP status."""
    retry_after: str | None = None
    """For `too_many` and `status`: value of the header Retry-After."""
    count: int = 2
    """For `several`: number of calls in one message."""
    wrong: Wrong = Wrong()
    """For `hostile`: fault of the answer."""


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a server."""

    answers: Answers = {}
    rules: tuple[Rule, ...] = ()
    """The first matching rule applies; without one, the model answers correctly."""
    seed: int = 0
    delay_ms: float = 0.0
    """Delay of correct answers."""
    form: Form = "auto"
    model: str = "scripted"
    key: str | None = None
    """Bearer token that requests must have; None accepts any."""
    context: int | None = None
    """Maximum number of tokens of a request; longer ones are refused in `wording`."""
    wording: Literal["openai", "vllm", "none"] = "openai"
    record: str | None = None
    """File to which the body of every request is written as a line."""


ANSWER = Rule("answer")


class Chosen(NamedTuple):
    """The behaviour chosen for a request."""

    rule: Rule
    attempt: int
    """Number of earlier requests with the same bytes."""
    number: str
    """Digest of the request."""


class Schedule:
    """Chooses a behaviour for each request."""

    def __init__(self, rules: tuple[Rule, ...], seed: int) -> None:
        self._rules = [(rule, re.compile(rule.match.case or "")) for rule in rules]
        self._seed = seed
        self._seen: Counter[str] = Counter()

    def choose(self, body: bytes, case: str | None, turn: int) -> Chosen:
        """Count the request and return its behaviour."""
        if not self._rules:
            return Chosen(ANSWER, 0, "")
        number = hashlib.blake2b(body, digest_size=8).hexdigest()
        attempt = self._seen[number]
        self._seen[number] += 1
        for place, (rule, pattern) in enumerate(self._rules):
            match = rule.match
            if (
                (match.case is None or pattern.search(case or ""))
                and (match.turns is None or turn in match.turns)
                and (match.attempts is None or attempt < match.attempts)
                and (match.rate >= 1 or self._draw(place, number, attempt) < match.rate)
            ):
                return Chosen(rule, attempt, number)
        return Chosen(ANSWER, attempt, number)

    def _draw(self, place: int, number: str, attempt: int) -> float:
        text = f"{self._seed}/{place}/{number}/{attempt}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest()) / 2**56
