"""New names for tools and parameters: a synonym for each word, a way of writing, a place for the verb.

One naming is used for all tools of a pool, so that a word is renamed in the same way wherever it stands. The words, and
groups of words that are renamed as one, are in ``schema_words.yaml``; held-out schemas have synonyms of their own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources

import msgspec

from teller_gym.procedure.wordings import Alternatives, Wordings
from teller_gym.tools.tool import Tool

_CHANGED = 0.8
"""Share of the words with synonyms that a training schema changes; a held-out one changes all."""

LONGEST_NAME = 64
"""Of a function in OpenAI's format."""


_NAME = re.compile(r"[A-Za-z][\w-]*")


def replace_names(text: str, *names: Mapping[str, str]) -> str:
    """Return a text with other names where whole names stand in it; of several mappings the first that has one."""

    def other(match: re.Match[str]) -> str:
        for known in names:
            if match[0] in known:
                return known[match[0]]
        return match[0]

    return _NAME.sub(other, text)


def _snake(words: list[str]) -> str:
    return "_".join(words)


def _camel(words: list[str]) -> str:
    return words[0] + "".join(map(str.capitalize, words[1:]))


def _pascal(words: list[str]) -> str:
    return "".join(map(str.capitalize, words))


def _kebab(words: list[str]) -> str:
    return "-".join(words)


_STYLES: dict[bool, tuple[Callable[[list[str]], str], ...]] = {False: (_snake, _camel), True: (_pascal, _kebab)}
"""Ways of writing a name, by whether the schema is held out."""


@cache
def thesaurus() -> dict[str, Alternatives]:
    """Return the synonyms of every word that has some."""
    text = resources.files("teller_gym.variation.schema").joinpath("schema_words.yaml").read_bytes()
    return msgspec.yaml.decode(text, type=dict[str, Alternatives])


@cache
def entries_of(name: str) -> tuple[str, ...]:
    """Cut a name into words; those that the thesaurus has as one, such as ``date_of_birth``, stay together."""
    words, found = name.split("_"), []
    while words:
        size = next((n for n in range(len(words), 1, -1) if "_".join(words[:n]) in thesaurus()), 1)
        found.append("_".join(words[:size]))
        words = words[size:]
    return tuple(found)


class Naming:
    """One way to rename; the same key gives the same names.

    Args:
        key: what it is drawn from.
        heldout: whether words and styles are those of held-out schemas.
    """

    def __init__(self, key: str, heldout: bool) -> None:
        self._key = key
        self._heldout = heldout
        draw = random.Random(f"naming/{key}").random
        styles = _STYLES[heldout]
        self._style = styles[int(draw() * len(styles))]
        self._verb_last = draw() < 0.5
        self._words: dict[str, list[str]] = {}
        self._fields: dict[str, str] = {}

    def wording(self, wordings: Wordings | None, tool: Tool) -> str:
        """Return a description of a tool: one of those kept for the kind of schema, its own where there is none."""
        found = (wordings or {}).get(tool.name)
        if found is None:
            return tool.description
        draw = random.Random(f"wording/{self._key}/{tool.name}").random
        options = found.heldout if self._heldout else (tool.description, *found.train)
        return options[int(draw() * len(options))]

    def of_parameter(self, name: str) -> str:
        """Return the new name of a parameter or an output."""
        if name not in self._fields:
            self._fields[name] = self._style(self._renamed(entries_of(name)))
        return self._fields[name]

    def of_tool(self, name: str) -> str:
        """Return the new name of a tool; its first word, the verb, may go to the end."""
        first, *rest = entries_of(name)
        new = self._style(self._renamed([*rest, first] if self._verb_last else [first, *rest]))
        return new if len(new) <= LONGEST_NAME else self._style(name.split("_"))

    def _renamed(self, words: Sequence[str]) -> list[str]:
        return [part for word in words for part in self._word(word)]

    def _word(self, word: str) -> list[str]:
        if word not in self._words:
            synonyms = thesaurus().get(word)
            self._words[word] = [word] if synonyms is None else self._choose(word, synonyms).split("_")
        return self._words[word]

    def _choose(self, word: str, synonyms: Alternatives) -> str:
        # A word and its plural have their synonyms in the same places: they are drawn together, so that they fit.
        singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
        draw = random.Random(f"word/{self._key}/{singular if singular in thesaurus() else word}").random
        if self._heldout:
            return synonyms.heldout[int(draw() * len(synonyms.heldout))]
        return synonyms.train[int(draw() * len(synonyms.train))] if draw() < _CHANGED else word
