"""Finds the single JSON or YAML document in a model's text, in bounded time for any text."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import yaml

from teller_gym.tools.overlong import length_refused

MAX_CHARACTERS = 6_000_000
"""Maximum number of characters of an answer. All pairs of the largest pool, in both directions, have four million."""

MAX_YAML_CHARACTERS = 100_000
"""Maximum length of YAML, since parsing longer YAML would take seconds. JSON is a thousand times faster."""

MAX_DEPTH = 32
"""Maximum nesting depth. The interpreter's own limit differs between versions."""

_FENCE = re.compile(r"```[a-zA-Z_]*[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_KEY = re.compile(r"\b(?:nodes|edges)\b")
_START = re.compile(r"\{\s*\"(?:nodes|edges|graph)\"")
_decode_at = json.JSONDecoder().raw_decode
_KEYS = ("nodes", "edges")


class UnreadableError(Exception):
    """A text that does not contain exactly one graph.

    The message is meant for the author of the text.
    """


def find_graph(text: str) -> dict[str, Any]:
    """Return the mapping with ``nodes`` or ``edges`` (or both) in a text.

    The mapping may be bare, in a code fence, or a JSON object within other text, with or without a ``<think>`` block
    before
    it. If it is ``{"graph": {…}}``, the inner mapping is returned.

    Raises:
        UnreadableError: there is no graph, there are several, or the text is too long; no other exception is raised.
    """
    too_long = length_refused(text, MAX_CHARACTERS)
    if too_long is not None:
        raise UnreadableError(too_long)
    text = _without_thoughts(text.strip())
    if not text:
        raise UnreadableError("there is no text after the thinking, or none at all")
    found = _as_graph(_read_json(text)) or _fenced(text) or _braced(text)
    if found is None and "```" not in text:
        found = _as_graph(_read_yaml(text))
    if found is None:
        raise UnreadableError(
            'expected one JSON or YAML object with "nodes" and "edges", bare or in a code fence; '
            f"found none that can be read (YAML of at most {MAX_YAML_CHARACTERS} characters)"
        )
    return found


def _without_thoughts(text: str) -> str:
    if text[:1] in "{[":
        return text  # in a bare document, tags would be part of a name
    opened, ended, rest = text.partition("</think>")
    if ended:
        return rest.strip()  # the opening tag may be in the prompt
    return "" if opened.startswith("<think>") else text


def _fenced(text: str) -> dict[str, Any] | None:
    blocks = [match[1] for match in _FENCE.finditer(text) if _KEY.search(match[1])]
    short = sum(map(len, blocks)) <= MAX_YAML_CHARACTERS
    read = (_read_json(block) or (_read_yaml(block) if short else None) for block in blocks)
    graphs = [graph for graph in map(_as_graph, read) if graph]
    if len(graphs) > 1:
        raise UnreadableError(f"expected one graph, got {len(graphs)} in code fences; give the one that counts")
    return graphs[0] if graphs else None


def _braced(text: str) -> dict[str, Any] | None:
    """Return a graph within other text, as an object at the first brace or at the first brace that opens a graph.

    None means that there is no such object.
    """
    opening = _START.search(text)
    for start in dict.fromkeys((text.find("{"), opening.start() if opening else -1)):
        value, end = _read_json_at(text, start)
        if graph := _as_graph(value):
            again = _START.search(text, end)
            if again and _as_graph(_read_json_at(text, again.start())[0]):
                raise UnreadableError("expected one graph, got several; give the one that counts")
            return graph
    return None


def _as_graph(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict) and isinstance(value.get("graph"), dict) and not any(key in value for key in _KEYS):
        value = value["graph"]
    return value if isinstance(value, dict) and any(key in value for key in _KEYS) else None


def _read_json(text: str) -> Any:
    """Return the JSON value, or None if the text is not JSON or is nested too deeply."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None
    return None if _too_deep(value) else value


def _read_json_at(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that begins at a position, and its end.

    Without such a value, return None and the position.
    """
    try:
        value, end = _decode_at(text, start) if start >= 0 else (None, start)
    except (ValueError, RecursionError):
        return None, start
    return (None, start) if _too_deep(value) else (value, end)


def _too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return False
    return True


class _Loader(yaml.BaseLoader):
    """Reads every scalar as text, so that a tool may be called ``no``, and rejects aliases and deep nesting."""

    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent) or self._depth >= MAX_DEPTH:
            raise yaml.YAMLError("an alias, or nested too deeply")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _read_yaml(text: str) -> Any:
    """Return the YAML value, or None if the text is not YAML, is too long or nested too deeply, or has aliases."""
    if len(text) > MAX_YAML_CHARACTERS or not _KEY.search(text):
        return None
    try:
        return yaml.load(text, _Loader)
    except Exception:  # the parser may raise anything for invalid text
        return None
