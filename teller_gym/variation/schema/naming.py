"""New names for tools and parameters, made from synonyms, a naming style, and the position of the verb.

One naming is used for all tools of a pool, so that a word is renamed consistently. The synonyms of words, and of
groups of words that are renamed together, are in ``schema_words.yaml``; a scenario can add its own in a file of that
name in its folder. Held-out schemas have separate synonyms.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources

import msgspec

from teller_gym.base.errors import ScenarioError
from teller_gym.procedure.scenario import load_scenario
from teller_gym.procedure.wordings import Alternatives, Wordings
from teller_gym.tools.tool import Tool

_CHANGED = 0.8
"""Share of words with synonyms that a training schema replaces; held-out schemas replace all such words."""

WORDS = "schema_words.yaml"

LONGEST_NAME = 64
"""Maximum length of a function name in OpenAI's format."""

_NAME = re.compile(r"[A-Za-z][\w-]*")


def replace_names(text: str, *names: Mapping[str, str]) -> str:
    """Replace whole names in a text, using the first mapping that contains the name."""

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
"""Naming styles by whether the schema is held out."""


class Thesaurus(Mapping[str, Alternatives]):
    """Synonyms of words, both the shared ones and a scenario's own, which take precedence."""

    def __init__(self, own: Mapping[str, Alternatives]) -> None:
        self._entries = {**_shared(), **own}
        self._cut: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, word: str) -> Alternatives:
        return self._entries[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def entries_of(self, name: str) -> tuple[str, ...]:
        """Split a name into words, keeping multi-word entries of the thesaurus, such as ``date_of_birth``, together."""
        if name not in self._cut:
            words, found = name.split("_"), []
            while words:
                size = next((n for n in range(len(words), 1, -1) if "_".join(words[:n]) in self._entries), 1)
                found.append("_".join(words[:size]))
                words = words[size:]
            self._cut[name] = tuple(found)
        return self._cut[name]


@cache
def thesaurus(scenario: str = "") -> Thesaurus:
    """Return the synonyms for the tools of a scenario, or only the shared ones if ``scenario`` is empty.

    Raises:
        ScenarioError: the scenario's ``schema_words.yaml`` is invalid.
    """
    data = load_scenario(scenario).optional_document(WORDS) if scenario else None
    return Thesaurus(_read(data, scenario) if data else {})


@cache
def _shared() -> dict[str, Alternatives]:
    return _read(resources.files("teller_gym.variation.schema").joinpath(WORDS).read_bytes(), "shared")


def _read(data: bytes, whose: str) -> dict[str, Alternatives]:
    try:
        return msgspec.yaml.decode(data, type=dict[str, Alternatives])
    except msgspec.MsgspecError as error:
        expected = "word: {train: [synonyms], heldout: [synonyms]}"
        raise ScenarioError(f"{whose}: {WORDS}: expected entries {expected}: {error}") from None


class Naming:
    """Consistent renaming of tools and parameters, determined by a random key.

    ``heldout`` selects the synonyms and styles of held-out schemas; ``scenario`` adds a scenario's own synonyms.
    """

    def __init__(self, key: str, heldout: bool, scenario: str = "") -> None:
        self._key = key
        self._heldout = heldout
        self._thesaurus = thesaurus(scenario)
        draw = random.Random(f"naming/{key}").random
        styles = _STYLES[heldout]
        self._style = styles[int(draw() * len(styles))]
        self._verb_last = draw() < 0.5
        self._words: dict[str, list[str]] = {}
        self._fields: dict[str, str] = {}

    def wording(self, wordings: Wordings, tool: Tool) -> str:
        """Draw a description of a tool for this kind of schema, or return the tool's own if it has no alternatives."""
        found = wordings.get(tool.name)
        if found is None:
            return tool.description
        draw = random.Random(f"wording/{self._key}/{tool.name}").random
        options = found.heldout if self._heldout else (tool.description, *found.train)
        return options[int(draw() * len(options))]

    def write(self, name: str) -> str:
        """Convert a name to this naming's style without changing its words."""
        return self._style(name.split("_"))

    def write_tool(self, name: str) -> str:
        """Convert a tool's name to this naming's style and verb position without changing its words."""
        first, *rest = name.split("_")
        return self._style([*rest, first] if self._verb_last else [first, *rest])

    def of_parameter(self, name: str) -> str:
        """Rename a parameter or an output."""
        if name not in self._fields:
            self._fields[name] = self._style(self._renamed(self._thesaurus.entries_of(name)))
        return self._fields[name]

    def of_tool(self, name: str) -> str:
        """Rename a tool.

        If the new name would be too long, the words and the position of the verb are kept.
        """
        first, *rest = self._thesaurus.entries_of(name)
        new = self._style(self._renamed([*rest, first] if self._verb_last else [first, *rest]))
        return new if len(new) <= LONGEST_NAME else self._style(name.split("_"))

    def _renamed(self, words: Sequence[str]) -> list[str]:
        return [part for word in words for part in self._word(word)]

    def _word(self, word: str) -> list[str]:
        if word not in self._words:
            synonyms = self._thesaurus.get(word)
            self._words[word] = [word] if synonyms is None else self._choose(word, synonyms).split("_")
        return self._words[word]

    def _choose(self, word: str, synonyms: Alternatives) -> str:
        # A word and its plural list their synonyms in the same order and share the draw, so that the names match.
        singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
        draw = random.Random(f"word/{self._key}/{singular if singular in self._thesaurus else word}").random
        if self._heldout:
            return synonyms.heldout[int(draw() * len(synonyms.heldout))]
        return synonyms.train[int(draw() * len(synonyms.train))] if draw() < _CHANGED else word
