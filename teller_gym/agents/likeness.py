"""Similarity of texts by their words, as the cosine similarity of stems weighted by rarity."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources

import msgspec

from teller_gym.stage1.graph_words import graph_words
from teller_gym.variation.schema.naming import thesaurus

Vector = Mapping[str, float]
"""Weights by word, whose squares add up to 1."""

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_SHORTEST_STEM = 3


class _English(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of ``likeness.yaml``."""

    stop: frozenset[str]
    endings: tuple[str, ...]


@cache
def _english() -> _English:
    data = resources.files("teller_gym.agents").joinpath("likeness.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=_English)


def spaced(name: str) -> str:
    """Split a name in any notation into lower-case words separated by spaces."""
    return " ".join(_PART.findall(name)).lower()


def stems(text: str) -> list[str]:
    """Return the stems of a text's words, without stop words."""
    stop = _english().stop
    return [_stem(word) for part in _PART.findall(text) if (word := part.lower()) not in stop]


@cache
def _stem(word: str) -> str:
    for ending in _english().endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            stem = word.removesuffix(ending)
            bare = stem.rstrip("iy")  # verified, verifying, verify
            return bare if len(bare) >= _SHORTEST_STEM else stem
    return word


@cache
def meanings(scenario: str) -> Mapping[str, str]:
    """Return a representative stem for each synonym stem in a scenario's names.

    Only synonyms in the train split are known.
    """
    groups = [(entry, *words.train) for entry, words in thesaurus(scenario).items()]
    groups += [(*names.train.out, *names.train.into) for names in graph_words(scenario).values.values()]
    found: dict[str, str] = {}
    for first, *others in groups:
        for other in others:
            one, two = stems(spaced(first)), stems(spaced(other))
            mine, theirs = [stem for stem in one if stem not in two], [stem for stem in two if stem not in one]
            if len(mine) == len(theirs) == 1:  # otherwise it would be ambiguous which words are synonyms
                found.setdefault(theirs[0], found.get(mine[0], mine[0]))
    return found


class Weights:
    """Inverse document frequency (IDF) weights of the words in a set of documents."""

    def __init__(self, scenario: str, documents: Iterable[str]) -> None:
        self._meanings = meanings(scenario)
        cut = [set(self._words(document)) for document in documents]
        counts = Counter(word for words in cut for word in words)
        self._rarity = {word: math.log((1 + len(cut)) / count) for word, count in counts.items()}
        self._unknown = math.log(1 + len(cut))

    def vector(self, name: str, text: str = "", share: float = 0.0) -> Vector:
        """Return the vector of a name and a text.

        Words that occur only in the text have a fraction ``share`` of their weight.
        """
        found = dict.fromkeys(self._words(text), share) if share else {}
        found |= dict.fromkeys(self._words(name), 1.0)
        weighed = {word: factor * self._rarity.get(word, self._unknown) for word, factor in found.items()}
        length = math.sqrt(sum(weight * weight for weight in weighed.values()))
        return {word: weight / length for word, weight in weighed.items()} if length else {}

    def _words(self, text: str) -> list[str]:
        return [self._meanings.get(stem, stem) for stem in stems(text)]


def nearest(wanted: Vector, offered: Index, besides: range) -> tuple[int, float]:
    """Return the index and similarity of the most similar vector whose index is not in ``besides``.

    Of several, the first is returned; the index is -1 if none has a common word.
    """
    likeness: dict[int, float] = defaultdict(float)
    for word, weight in wanted.items():
        for place, other in offered.by_word.get(word, ()):
            likeness[place] += weight * other
    allowed = ((-value, place) for place, value in likeness.items() if place not in besides)
    value, place = min(allowed, default=(0.0, -1))
    return place, -value


class Index:
    """Inverted index of vectors, with the positions and weights of each word."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        self.by_word: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, vector in enumerate(vectors):
            for word, weight in vector.items():
                self.by_word[word].append((place, weight))
