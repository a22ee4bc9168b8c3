"""Solves stage 1 by comparing words without knowing their meaning, to measure how much the wording gives away.

The program reads only the prompt. It splits names into words, stems them and replaces synonyms known from training.
Each input is linked to the output with the most similar name and description. Sentences of the prose are matched with
tools, and connectives such as "before", "once" and "until" yield edges. Tools that are hardly mentioned may be left
out. The fields of :class:`Lexical` are the thresholds and choices; the claim about this program takes the best of
``SETTINGS``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from itertools import product

import msgspec

from teller_gym.agents.likeness import Index, Vector, Weights, nearest, spaced
from teller_gym.stage1.digraph import Digraph, Pair, digraph

_TOOL = re.compile(r"### (\S+)\n(.*)\nInputs:(.*)\nOutputs: (.*)", re.DOTALL)
_INPUT = re.compile(r"^- (\S+) \([^\n]*?\): (.*)$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DENIAL = re.compile(r"\b(?:no|not|nor|nothing|nobody|never|none|neither|without)\b", re.IGNORECASE)
_CASE = re.compile(
    r"\b(?:application|applicant|borrower|case|customer|file|loan|matter|person|request)s?\b", re.IGNORECASE
)
_LATER_LEFT, _LATER_RIGHT, _LATER_DENIED = "later on the left", "later on the right", "later denied until"
_CONNECTIVES = tuple(
    (re.compile(rf"\b(?:{words})\b{ahead}", re.IGNORECASE), later)
    for words, ahead, later in (
        ("not|no|nor|nobody|nothing|never", r"(?=.*\b(?:until|before|unless|as long as|while)\b)", _LATER_DENIED),
        ("(?:has|have) to wait|only (?:once|after|when)|after|once|as soon as|presupposes?", "", _LATER_LEFT),
        ("(?:rests?|hangs?|depends?) (?:up)?on|needs?|requires?|follows? from", "", _LATER_LEFT),
        ("is (?:made|taken) (?:of|from)", "", _LATER_LEFT),
        ("by the time|before|until|goes (?:straight )?into|enters?|is added to", "", _LATER_RIGHT),
    )
)
"""Patterns that split a sentence in two, in order of precedence.

Each has the half that names the later tool.
"""
_UNTIL = re.compile(r"\b(?:until|before|unless|as long as|while)\b", re.IGNORECASE)
_MOST_SPOKEN = 24


class Lexical(msgspec.Struct, frozen=True):
    """Settings for the program.

    Attributes:
        likeness: minimum similarity, from 0 to 1, for linking an input to an output.
        texts: weight of a word in a description relative to one in a name, from 0 to 1.
        prune: rule for the tools to keep, a key of ``PRUNES``.
        precedences: True to derive edges from the prose.
    """

    likeness: float = 0.15
    texts: float = 1.0
    prune: str = "case"
    precedences: bool = True

    def answer(self, scenario: str, observation: str) -> Digraph:
        """Return the graph for a prompt; the scenario determines the known synonyms."""
        read = _read(scenario, observation)
        edges = [(up, down) for up, down, value in read.links(self.texts) if value >= self.likeness]
        edges += read.precedences if self.precedences else []
        kept = PRUNES[self.prune](read, edges)
        return digraph([name for name in read.tools if name in kept], [pair for pair in edges if kept.issuperset(pair)])


class Shown(msgspec.Struct, frozen=True):
    """One tool as parsed from the prompt; inputs are pairs (name, description)."""

    text: str
    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[str, ...]


class Reading:
    """A prompt split into tools and sentences.

    Results that do not depend on a setting are cached.
    """

    def __init__(self, scenario: str, observation: str) -> None:
        head, _, rest = observation.partition("## The tools\n")
        entries = re.split(r"\n\n(?=### )", rest.partition("\n## Your answer")[0].strip())
        self.tools = {found[1]: _shown(found) for found in map(_TOOL.fullmatch, entries) if found}
        story = head.partition("## What is a node")[0]
        self._sentences = [line for part in story.splitlines() for line in _SENTENCE.split(part.strip()) if line]
        self._fields = [(name, output) for name, tool in self.tools.items() for output in tool.outputs]
        self._texts = {name: f"{spaced(name)} {tool.text}" for name, tool in self.tools.items()}
        inputs = (text for tool in self.tools.values() for pair in tool.inputs for text in pair)
        documents = (*self._texts.values(), *(output for _, output in self._fields), *inputs)
        self._weights = Weights(scenario, map(spaced, documents))
        self._links: dict[float, list[tuple[str, str, float]]] = {}

    def links(self, texts: float) -> list[tuple[str, str, float]]:
        """Link each input to the most similar output.

        Returns:
            Tuples (upstream, downstream, similarity from 0 to 1).
        """
        if texts not in self._links:
            vector = self._weights.vector
            index = Index([vector(spaced(output), self._texts[name], texts) for name, output in self._fields])
            self._links[texts] = [
                (self._fields[place][0], name, value)
                for name, tool in self.tools.items()
                for wanted, text in tool.inputs
                for place, value in [nearest(vector(spaced(wanted), text, texts), index, self._own_outputs[name])]
                if place >= 0
            ]
        return self._links[texts]

    @cached_property
    def _own_outputs(self) -> dict[str, range]:
        found, start = {}, 0
        for name, tool in self.tools.items():
            found[name] = range(start, start + len(tool.outputs))
            start += len(tool.outputs)
        return found

    @cached_property
    def precedences(self) -> list[Pair]:
        """Edges from sentences in which a connective separates the mentions of two tools."""
        found: list[Pair] = []
        for sentence in self._sentences:
            ends = [self._meant(half) for half in _halves(sentence)]
            if len(ends) == 2 and None not in ends and ends[0] != ends[1]:
                found.append((str(ends[0]), str(ends[1])))
        return found

    @cached_property
    def spoken(self) -> dict[str, float]:
        """Similarity of each tool's text to the most similar sentence."""
        lines = Index([self._weights.vector(line) for line in self._sentences])
        return {name: nearest(vector, lines, range(0))[1] for name, vector in self._vectors.items()}

    @cached_property
    def _vectors(self) -> dict[str, Vector]:
        return {name: self._weights.vector(text) for name, text in self._texts.items()}

    def _meant(self, half: str) -> str | None:
        """Return the tool that half a sentence names, otherwise the tool with the most similar text, or None."""
        named = [name for name in self.tools if name in half]
        if named:
            return named[0]
        place, _ = nearest(self._weights.vector(half), Index(list(self._vectors.values())), range(0))
        return list(self.tools)[place] if place >= 0 else None


def _shown(found: re.Match[str]) -> Shown:
    outputs = () if found[4].strip() == "none" else tuple(part.strip() for part in found[4].split(","))
    return Shown(found[2], tuple((name, text) for name, text in _INPUT.findall(found[3])), outputs)


@lru_cache(maxsize=4)
def _read(scenario: str, observation: str) -> Reading:
    return Reading(scenario, observation)


def _halves(sentence: str) -> list[str]:
    """Split a sentence into the parts about the earlier and the later tool.

    The list is empty if the sentence has no connective.
    """
    for pattern, later in _CONNECTIVES:
        match = pattern.search(sentence)
        if match is None:
            continue
        if later is _LATER_DENIED:  # "Nobody does B until A."
            cut = _UNTIL.search(sentence, match.end())
            return [sentence[cut.end() :], sentence[: cut.start()]] if cut else []
        left, right = sentence[: match.start()], sentence[match.end() :]
        if not left.strip():  # "Once A is done, B follows."
            left, _, right = right.partition(",")
            later = _LATER_RIGHT if later is _LATER_LEFT else _LATER_LEFT
        return [right, left] if later is _LATER_LEFT else [left, right]
    return []


def _most_spoken(read: Reading, edges: list[Pair]) -> set[str]:
    order = sorted(read.spoken, key=lambda name: -read.spoken[name])
    return set(order[:_MOST_SPOKEN])


def _spoken(read: Reading, edges: list[Pair]) -> set[str]:
    quarter = sorted(read.spoken.values())[len(read.spoken) // 4]
    return {name for name, value in read.spoken.items() if value > quarter}


PRUNES: Mapping[str, Callable[[Reading, list[Pair]], set[str]]] = {
    "none": lambda read, edges: set(read.tools),
    "spoken": _spoken,
    "most_spoken": _most_spoken,
    "linked": lambda read, edges: {name for pair in edges for name in pair},
    "denials": lambda read, edges: {name for name, tool in read.tools.items() if not _DENIAL.search(tool.text)},
    "case": lambda read, edges: {
        name for name, tool in read.tools.items() if any(_CASE.search(text) for _, text in tool.inputs)
    },
}
"""Rules for the tools to keep.

They keep all tools, those that the prose mentions at all or most, those with a link, those with a text without
negation, or those with an input that belongs to the case.
"""

SETTINGS = tuple(
    Lexical(likeness, texts, prune, precedences)
    for texts, likeness, prune, precedences in product((0.0, 0.4, 1.0), (0.15, 0.3, 0.6, 0.99), PRUNES, (False, True))
)
"""All settings that the claim about the program tries, taking the best result."""
