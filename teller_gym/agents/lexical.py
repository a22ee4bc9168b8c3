"""``lexical``: the answer of stage 1 that a program gives which compares words and knows no meaning.

It reads what an agent reads and nothing else, and plays the idea as strongly as it can be played: names are cut into words,
stemmed, and put on one footing by the thesaurus of training; every input is given to the output whose name, with the words
of the two descriptions, is most like it (words count the more the rarer they are); sentences of the prose are matched with
tools, and "before", "once", "until" and their kin make edges of them; tools that neither the prose nor a link speaks of are
left out. How much likeness is asked for, and what is left out, are the arguments of :class:`Lexical`: ``SETTINGS`` holds
those that a check tries, of which it counts the best.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

import msgspec

from teller_gym.procedure.scenario import load_scenario
from teller_gym.stage1.words import graph_words
from teller_gym.variation.schema.naming import thesaurus

Edge = tuple[str, str]
Weights = Mapping[str, float]

_TOOL = re.compile(r"^### (\S+)\n(.*)\nInputs:(.*?)\nOutputs: (.*)$", re.MULTILINE | re.DOTALL)
_INPUT = re.compile(r"^- (\S+) \(([^\n]*?)\): (.*)$", re.MULTILINE)
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DENIAL = re.compile(r"\b(?:no|not|nothing|nobody|never|none|neither|without|for advice|illustration)\b", re.IGNORECASE)
_REQUEST = re.compile(r"\b(?:the|which) (?:application|applicant|case|matter|person|customer|client|request)\b", re.IGNORECASE)
_STOP = frozenset(
    "a all also an and any are as at be been but by can do does each for from has have how if in into is it its least may more most"
    " must no nor not of off on one only or other out over same so some such than that the their them then there these they this"
    " those to too under up upon was we what when where whether which who whom whose why will with would you".split()
)
_STOP_STEMS: frozenset[str]
_CONNECTIVES = (
    # (pattern, whether the part before it comes later): what stands right and left of it are two halves of the sentence.
    (re.compile(r"\b(?:not|never|nor)\b.*?\b(?:until|before|unless|as long as|while)\b|\b(?:has|have) to wait\b", re.I), True),
    (re.compile(r"\b(?:only once|only after|after|once|as soon as|when|rests? on|hangs? on|depends? on|presupposes?)\b", re.I), True),
    (re.compile(r"\b(?:until|by the time|before|then|so that|goes into|is fed)\b", re.I), False),
    (re.compile(r"\b(?:needs?|requires?|is made of|is taken from|comes? from|from)\b", re.I), True),
)


class Shown(msgspec.Struct, frozen=True):
    """One tool as it is read: its inputs are (name, kind, description)."""

    name: str
    text: str
    inputs: tuple[tuple[str, str, str], ...]
    outputs: tuple[str, ...]


class Lexical(msgspec.Struct, frozen=True):
    """How the program plays.

    Attributes:
        likeness: least likeness, from 0 to 1, of an input and the output that it is given to.
        texts: what a word of a description counts beside one of a name.
        prune: which tools are left out: none, those that the prose does not speak of (``prose``), those without a link
            (``linked``), those whose text denies something (``denials``), those that take nothing from the request
            (``request``), or all but the ones most spoken of (``half``).
        precedences: whether the prose is searched for precedences.
    """

    likeness: float = 0.5
    texts: float = 0.3
    prune: str = "linked"
    precedences: bool = True

    def answer(self, scenario: str, observation: str) -> tuple[list[str], list[Edge]]:
        """Return nodes and edges for what an agent reads of a task."""
        reader = _Reader(scenario, observation)
        linked = reader.links(self.likeness, self.texts)
        if self.precedences:
            linked += reader.precedences()
        kept = set(reader.kept(self.prune, linked))
        edges = list(dict.fromkeys(edge for edge in linked if kept.issuperset(edge)))
        return [tool.name for tool in reader.tools if tool.name in kept], edges


PRUNES = ("none", "prose", "linked", "denials", "request", "half")
SETTINGS = tuple(
    Lexical(likeness, texts, prune, precedences)
    for likeness, texts, prune, precedences in product((0.35, 0.6, 0.99), (0.0, 0.4), PRUNES, (False, True))
)
"""What a check tries: the program is as good as the best of them."""


class _Reader:
    """What an agent reads, cut into words."""

    def __init__(self, scenario: str, observation: str) -> None:
        self._meanings = _meanings(scenario)
        head, _, rest = observation.partition("## The tools")
        story = head.partition("## What is a node")[0]
        self.tools = [
            Shown(found[1], found[2], tuple(_INPUT.findall(found[3])), _outputs(found[4]))
            for found in map(_TOOL.match, re.split(r"\n\n(?=### )", rest.partition("## Your answer")[0].strip()))
            if found
        ]
        self._sentences = [line for part in story.split("\n") for line in _SENTENCE.split(part.strip()) if line]
        self._texts = {tool.name: self._words(f"{_spaced(tool.name)} {tool.text}") for tool in self.tools}
        self._fields = {
            name: self._words(_spaced(name))
            for tool in self.tools
            for name in (*tool.outputs, *(name for name, _, _ in tool.inputs))
        }
        counts = Counter(word for words in self._documents() for word in set(words))
        total = 1 + sum(1 for _ in self._documents())
        self._rarity = {word: math.log(total / count) for word, count in counts.items()}

    def _documents(self) -> Iterator[Sequence[str]]:
        yield from self._texts.values()
        yield from self._fields.values()

    def links(self, likeness: float, texts: float) -> list[Edge]:
        """Give every input to the tool with the output that is most like it, if one is like enough."""
        found: list[Edge] = []
        for tool in self.tools:
            for name, _, text in tool.inputs:
                wanted = self._weighed(self._fields[name], 1.0) | ({} if not texts else {})
                if texts:
                    wanted = _merged(wanted, self._weighed(self._words(text), texts))
                best, value = None, likeness
                for other in self.tools:
                    if other is tool:
                        continue
                    for output in other.outputs:
                        offered = self._weighed(self._fields[output], 1.0)
                        if texts:
                            offered = _merged(offered, self._weighed(self._texts[other.name], texts))
                        alike = 1.0 if output == name else _cosine(wanted, offered)
                        if alike > value:
                            best, value = other.name, alike
                if best is not None:
                    found.append((best, tool.name))
        return list(dict.fromkeys(found))

    def precedences(self) -> list[Edge]:
        """Read an edge out of every sentence with a connective between what are probably two tools."""
        found: list[Edge] = []
        for sentence in self._sentences:
            for pattern, later_first in _CONNECTIVES:
                match = pattern.search(sentence)
                if match is None:
                    continue
                left, right = sentence[: match.start()], sentence[match.end() :]
                if not left.strip():  # "Only once A has been done, B follows."
                    left, _, right = right.partition(",")
                    later_first = not later_first
                ends = self._meant(left), self._meant(right)
                if None not in ends and ends[0] != ends[1]:
                    up, down = (ends[1], ends[0]) if later_first else ends
                    found.append((str(up), str(down)))
                break
        return found

    def kept(self, prune: str, linked: Iterable[Edge]) -> list[str]:
        """Return the tools that are not left out."""
        ends = {name for edge in linked for name in edge}
        spoken = self._spoken()
        match prune:
            case "linked":
                return [tool.name for tool in self.tools if tool.name in ends]
            case "prose":
                middle = sorted(spoken.values())[len(spoken) // 4]
                return [name for name, value in spoken.items() if value > middle]
            case "half":
                order = sorted(spoken, key=lambda name: -spoken[name])
                return order[: max(1, min(len(order) // 2, 24))]
            case "denials":
                return [tool.name for tool in self.tools if not _DENIAL.search(tool.text)]
            case "request":
                return [tool.name for tool in self.tools if any(_REQUEST.search(text) for _, _, text in tool.inputs)]
            case _:
                return [tool.name for tool in self.tools]

    def _spoken(self) -> dict[str, float]:
        """Return how much the sentence of the prose that is most like a tool's text is like it."""
        lines = [self._weighed(self._words(line), 1.0) for line in self._sentences]
        return {
            name: max((_cosine(self._weighed(words, 1.0), line) for line in lines), default=0.0)
            for name, words in self._texts.items()
        }

    def _meant(self, part: str) -> str | None:
        """Return the tool that part of a sentence names or whose text is most like it."""
        named = [tool.name for tool in self.tools if tool.name in part]
        if named:
            return named[0]
        said = self._weighed(self._words(part), 1.0)
        likeness = {name: _cosine(said, self._weighed(words, 1.0)) for name, words in self._texts.items()}
        best = max(likeness, key=lambda name: likeness[name], default=None)
        return best if best is not None and likeness[best] > 0 else None

    def _words(self, text: str) -> list[str]:
        words = [_stem(part.lower()) for part in _PART.findall(text)]
        return [self._meanings.get(word, word) for word in words if word not in _STOP]

    def _weighed(self, words: Iterable[str], factor: float) -> dict[str, float]:
        return {word: factor * self._rarity.get(word, 1.0) for word in words}


@cache
def _meanings(scenario: str) -> dict[str, str]:
    """Return one word for each group of words that training uses for the same thing."""
    known: dict[str, str] = {}
    groups = [(entry, *words.train) for entry, words in thesaurus(scenario).items()]
    groups += [(*value.train.out, *value.train.into) for value in graph_words(load_scenario(scenario).name).values.values()]
    for first, *others in groups:
        for other in others:
            mine, theirs = (
                [_stem(word) for word in name.split("_") if word not in _STOP] for name in (first, other)
            )
            only = [word for word in mine if word not in theirs], [word for word in theirs if word not in mine]
            if len(only[0]) == len(only[1]) == 1:
                known.setdefault(only[1][0], known.get(only[0][0], only[0][0]))
    return known


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ments", "ment", "ings", "ing", "ities", "ity", "ions", "ion", "ies", "ers", "er", "ed", "es", "s", "ly", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _spaced(name: str) -> str:
    return " ".join(_PART.findall(name)).lower()


def _outputs(text: str) -> tuple[str, ...]:
    return () if text.strip() == "none" else tuple(part.strip() for part in text.split(","))


def _merged(one: Weights, other: Weights) -> dict[str, float]:
    return {word: max(one.get(word, 0.0), other.get(word, 0.0)) for word in (*one, *other)}


def _cosine(one: Weights, other: Weights) -> float:
    small, large = (one, other) if len(one) < len(other) else (other, one)
    common = sum(value * large[word] for word, value in small.items() if word in large)
    if not common:
        return 0.0
    return common / math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
