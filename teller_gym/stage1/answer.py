"""Parses an agent's answer into a graph and a list of formal problems, without raising for any text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from teller_gym.base.errors import ErrorKind
from teller_gym.stage1.digraph import Digraph, Pair, digraph
from teller_gym.stage1.document import UnreadableError, find_graph

MAX_NODES = 1_000
MAX_EDGES = 100_000
"""Maximum numbers of nodes and edges in an answer. The largest pool has 284 tools and 80,372 pairs."""

_ENDS = (("from", "to"), ("upstream", "downstream"), ("source", "target"))
_NAMES = ("name", "id")
_NAMED = 5
_SHOWN = 80


class ProblemKind(StrEnum):
    """Problems of an answer that can be found without the gold graph."""

    UNREADABLE = "unreadable"
    """The text contains no graph, or the graph is too large. It counts as an empty graph."""
    EMPTY = "empty"
    BAD_ENTRY = "bad_entry"
    """An entry of the nodes or edges that is not a name or a pair of names, which is ignored."""
    UNKNOWN_NODE = "unknown_node"
    """A name that is not a tool of the pool. The node remains in the graph."""
    UNLISTED_NODE = "unlisted_node"
    """An end of an edge that is not listed as a node. It counts as a node."""
    DUPLICATE_NODE = "duplicate_node"
    DUPLICATE_EDGE = "duplicate_edge"
    SELF_LOOP = "self_loop"
    CYCLE = "cycle"


class Problem(msgspec.Struct, frozen=True):
    """A kind of problem, with a message that lists its first few occurrences."""

    kind: ProblemKind
    message: str


class Answer(msgspec.Struct, frozen=True):
    """A parsed answer."""

    graph: Digraph
    readable: bool
    problems: tuple[Problem, ...]

    def error(self) -> tuple[ErrorKind, str] | None:
        """Return kind and message of an error that describes all problems, or None if there are none."""
        if not self.problems:
            return None
        malformed = {ProblemKind.UNREADABLE, ProblemKind.BAD_ENTRY} & {problem.kind for problem in self.problems}
        kind = ErrorKind.MALFORMED if malformed else ErrorKind.VALIDATION
        return kind, "; ".join(problem.message for problem in self.problems)


def read_answer(text: str, known: Collection[str]) -> Answer:
    """Parse an answer.

    :func:`~teller_gym.stage1.document.find_graph` describes where the graph may be in the text. ``nodes`` is a list of
    names (or of objects with a ``name`` or ``id``), or an object with the names as keys. ``edges`` is a list of
    ``[upstream, downstream]``, of ``"upstream -> downstream"``, or of objects with ``from`` and ``to``, ``upstream``
    and
    ``downstream``, or ``source`` and ``target``.

    Args:
        text: any text of a model.
        known: names of the tools in the pool.
    """
    try:
        if not isinstance(text, str):
            raise UnreadableError(f"expected the answer as text, got {type(text).__name__}")
        document = find_graph(text)
        written = _Written.of(document)
    except UnreadableError as error:
        return Answer(Digraph(), False, (Problem(ProblemKind.UNREADABLE, f"this is not a graph: {error}"),))
    graph = digraph(written.nodes, written.edges)
    return Answer(graph, True, tuple(_problems(written, graph, known)))


class _Written(NamedTuple):
    """The valid entries of a document, including duplicates, and the invalid entries."""

    nodes: list[str]
    edges: list[Pair]
    bad: list[Any]

    @classmethod
    def of(cls, document: dict[str, Any]) -> _Written:
        """Collect the entries of a document.

        Raises:
            UnreadableError: there are too many entries.
        """
        written = cls([], [], [])
        for entry in _entries(document.get("nodes"), written.bad):
            name = _name(entry)
            written.bad.append(entry) if name is None else written.nodes.append(name)
        for entry in _entries(document.get("edges"), written.bad):
            pairs = _pairs(entry)
            written.edges.extend(pairs) if pairs else written.bad.append(entry)
        names = {*written.nodes, *(name for pair in written.edges for name in pair)}
        for count, most, what in ((len(names), MAX_NODES, "nodes"), (len(written.edges), MAX_EDGES, "edges")):
            if count > most:
                raise UnreadableError(f"expected at most {most} {what}, got {count}")
        return written


def _entries(value: Any, bad: list[Any]) -> Iterable[Any]:
    if isinstance(value, dict | list):
        return value  # an object is iterated by its keys
    if value not in (None, ""):  # an empty entry of YAML is ""
        bad.append(value)
    return ()


def _name(entry: Any) -> str | None:
    """Return the name in an entry, which is a text or an object, or None if it has none."""
    if isinstance(entry, dict):
        entry = next((entry[key] for key in _NAMES if key in entry), None)
    if not isinstance(entry, str):
        return None
    return entry.strip().encode(errors="replace").decode() or None


def _pairs(entry: Any) -> list[Pair]:
    """Return the edges in an entry, which may be a chain such as "a -> b -> c".

    The result is empty if it is invalid.
    """
    ends: list[Any] = []
    if isinstance(entry, list) and len(entry) == 2:
        ends = entry
    elif isinstance(entry, dict):
        ends = next(([entry[up], entry[down]] for up, down in _ENDS if up in entry and down in entry), [])
    elif isinstance(entry, str):
        ends = list(entry.replace("→", "->").split("->"))
    names = [name for name in map(_name, ends) if name is not None]
    return list(pairwise(names)) if len(names) == len(ends) else []


def _problems(written: _Written, graph: Digraph, known: Collection[str]) -> Iterator[Problem]:
    if not graph.nodes and not written.bad:
        yield Problem(ProblemKind.EMPTY, "the graph has no nodes and no edges")
    ends = dict.fromkeys(name for edge in graph.edges for name in edge)
    listed = set(written.nodes)
    loops = [up for up, down in graph.edges if up == down]
    found: tuple[tuple[ProblemKind, str, Sequence[Any]], ...] = (
        (ProblemKind.BAD_ENTRY, "no name or pair of names, left out", written.bad),
        (ProblemKind.UNKNOWN_NODE, "no tool has this name", [name for name in graph.nodes if name not in known]),
        (ProblemKind.UNLISTED_NODE, "in an edge but not among the nodes", [n for n in ends if n not in listed]),
        (ProblemKind.DUPLICATE_NODE, "listed more than once", _repeated(written.nodes)),
        (ProblemKind.DUPLICATE_EDGE, "edge given more than once", _repeated(written.edges)),
        (ProblemKind.SELF_LOOP, "cannot depend on itself", loops),
    )
    for kind, words, places in found:
        if places:
            yield Problem(kind, f"{words}: {_first_few(places)}")
    if graph.order is None and (cycle := _cycle(graph)):
        yield Problem(ProblemKind.CYCLE, f"the edges run in a cycle: {' -> '.join(map(_shorten, cycle))}")


def _repeated(items: Sequence[str | Pair]) -> list[str | Pair]:
    seen: set[str | Pair] = set()
    again: dict[str | Pair, None] = {}
    for item in items:
        if item in seen:
            again[item] = None
        seen.add(item)
    return list(again)


def _cycle(graph: Digraph) -> list[str]:
    """Return a cycle of two or more nodes, with the first one repeated at the end.

    The result is empty if there is none.
    """
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for up, down in graph.edges:
        if up != down:
            sorter.add(down, up)
    try:
        sorter.prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle if len(cycle) <= 2 * _NAMED else [*cycle[:_NAMED], "…", *cycle[-_NAMED:]]
    return []


def _first_few(places: Sequence[Any]) -> str:
    rest = len(places) - _NAMED
    return ", ".join(map(_shown, places[:_NAMED])) + (f" and {rest} more" if rest > 0 else "")


def _shown(entry: Any) -> str:
    if isinstance(entry, tuple):
        return " -> ".join(map(_shorten, entry))
    return _shorten(entry if isinstance(entry, str) else json.dumps(entry))


def _shorten(text: str) -> str:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
    return shown.encode(errors="replace").decode()
