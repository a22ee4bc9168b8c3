"""Claim that distractors are tempting, that is, enough of them resemble the tools that procedures ask for.

A financial distractor and a core tool are compared by three *overlaps*, each from 0 to 1:

- **names**: the number of shared words, divided by the number of words of the shorter name;
- **parameters**: the number of the distractor's parameters whose name equals a name of the core tool's or shares at
  least half of its words, divided by the number of parameters of the tool with fewer;
- **descriptions**: the cosine similarity of the TF-IDF vectors, with the inverse frequency taken over all tools.

Words are compared without a plural s. A distractor is a *near miss* of a core tool if two of the overlaps reach their
thresholds (:data:`BARS`). The answers of near misses are checked in ``near_answers.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from math import log, sqrt

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof.play import subject
from teller_gym.proof.report import ProofItem, item
from teller_gym.registration import SCENARIOS
from teller_gym.tools.tool import Category, Tool
from teller_gym.variation.pool import distractors

FEWEST = 15
"""Minimum number of financial distractors that are near misses."""
BARS = {"name": 0.5, "parameters": 0.3, "description": 0.15}
_SAME_PARAMETER = 0.5
_WORD = re.compile(r"[a-z]+")


class Likeness(msgspec.Struct, frozen=True):
    """Overlaps between a distractor and a core tool, by the keys of :data:`BARS`."""

    tool: str
    core: str
    overlaps: dict[str, float]

    @property
    def is_near_miss(self) -> bool:
        """True if at least two overlaps reach their thresholds."""
        return sum(self.overlaps[name] >= bar for name, bar in BARS.items()) >= 2

    @property
    def total(self) -> float:
        """Sum of the three overlaps."""
        return sum(self.overlaps.values())


def temptation(env_id: str) -> ProofItem:
    """Check that at least 15 financial distractors are near misses of core tools.

    The core tools are those in the benchmark's scenarios and in the env's own scenario.
    """
    scenarios = dict.fromkeys([*SCENARIOS, subject(env_id).scenario.name])
    core = {tool.name: tool for name in scenarios for tool in load_scenario(name).tools.of(Category.CORE)}
    financial = [tool for tool in distractors() if tool.category is Category.FINANCIAL_DISTRACTOR]
    found = near_misses(financial, list(core.values()))
    problems = [] if len(found) >= FEWEST else [f"expected at least {FEWEST} near misses, got {len(found)}"]
    figure = (
        f"{len(found)} of {len(financial)} financial distractors are near misses of {len({one.core for one in found})} "
        f"of {len(core)} core tools"
    )
    claim = "enough distractors look like tools that procedures ask for"
    return item("distractor_temptation", claim, figure, problems, {"near_misses": found, "bars": BARS})


def near_misses(tools: Sequence[Tool], core: Sequence[Tool]) -> list[Likeness]:
    """Return the overlaps of each near miss with the most similar core tool."""
    everything = [*distractors(), *core]
    uses = Counter(chain.from_iterable(set(words(tool.description)) for tool in everything))
    rarity = {word: log(len(everything) / count) for word, count in uses.items()}
    best = []
    for tool in tools:
        alike = [one for other in core if (one := likeness(tool, other, rarity)).is_near_miss]
        if alike:
            best.append(max(alike, key=lambda one: one.total))
    return best


def likeness(tool: Tool, core: Tool, rarity: Mapping[str, float]) -> Likeness:
    """Compute the overlaps of two tools; ``rarity`` has the weights of words in descriptions."""
    overlaps = {
        "name": _shared(words(tool.name), words(core.name)),
        "parameters": _shared_parameters(tool, core),
        "description": _cosine(words(tool.description), words(core.description), rarity),
    }
    return Likeness(tool.name, core.name, {name: round(value, 3) for name, value in overlaps.items()})


def words(text: str) -> list[str]:
    """Return the words in a name or sentence, in lower case and without a plural s."""
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word
        for word in _WORD.findall(text.lower())
    ]


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    return len(set(one) & set(other)) / min(len(set(one)), len(set(other)))


def _shared_parameters(tool: Tool, core: Tool) -> float:
    theirs = [set(words(parameter.name)) for parameter in core.parameters]
    mine = [set(words(parameter.name)) for parameter in tool.parameters]
    met = sum(any(len(one & other) / len(one | other) >= _SAME_PARAMETER for other in theirs) for one in mine)
    return min(1.0, met / min(len(mine), len(theirs)))


def _cosine(one: Sequence[str], other: Sequence[str], rarity: Mapping[str, float]) -> float:
    vectors = [{word: count * rarity.get(word, 0.0) for word, count in Counter(text).items()} for text in (one, other)]
    length = sqrt(sum(x * x for x in vectors[0].values()) * sum(x * x for x in vectors[1].values()))
    return sum(vectors[0][word] * vectors[1].get(word, 0.0) for word in vectors[0]) / length if length else 0.0
