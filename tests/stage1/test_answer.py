"""Parsing an answer: accepted formats, messages about problems, and arbitrary text."""

import json
import time
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from teller_gym.base.errors import ErrorKind
from teller_gym.stage1.answer import MAX_EDGES, MAX_NODES, Answer, ProblemKind, read_answer
from teller_gym.stage1.digraph import Digraph, digraph
from teller_gym.stage1.document import MAX_CHARACTERS, MAX_DEPTH, MAX_YAML_CHARACTERS

KNOWN = ("a", "b", "c", "get-data", "no")
GRAPH = digraph("abc", ["ab", "bc"])
BARE = '{"nodes": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]]}'
BLOCK = "nodes:\n- a\n- b\n- c\nedges:\n- [a, b]\n- b -> c\n"


def read(text: str) -> Answer:
    return read_answer(text, KNOWN)


def kinds(text: str) -> set[ProblemKind]:
    return {problem.kind for problem in read(text).problems}


@pytest.mark.parametrize(
    "text",
    [
        BARE,
        f"\n  {BARE}\n",
        f"```json\n{BARE}\n```",
        f"```\n{BARE}",
        f"Here it is:\n```JSON\n{BARE}\n```\nI left {{x}} out.",
        f"<think>It is {{ or ```{{\"nodes\": []}}```, I think.</think>\n{BARE}",
        f"a thought whose opening tag stands in the prompt</think>{BARE}",
        f"The graph of {{this}} is {BARE}, as {{you}} see.",
        f"The graph is {BARE}\nDone.",
        f'{{"graph": {BARE}}}',
        BLOCK,
        f"```yaml\n{BLOCK}```",
        f"First:\n```python\nprint(1)\n```\nthen\n```yml\n{BLOCK}```",
        "{nodes: [a, b, c], edges: [[a, b], {from: b, to: c}],}",
        '{"nodes": {"a": {}, "b": {"x": 1}, "c": null}, "edges": ["a -> b", "b→c"]}',
        '{"nodes": [{"name": "a"}, {"id": " b "}, "c"], "edges": [{"upstream": "a", "downstream": "b"}, "b->c"]}',
        '{"nodes": ["a", "b", "c"], "edges": [{"source": "a", "target": {"name": "b"}}, {"from": "b", "to": "c"}]}',
        '{"nodes": ["a", "b", "c"], "edges": ["a -> b -> c"], "note": "the rest is not read"}',
    ],
)  # fmt: skip
def test_forms(text: str) -> None:
    assert read(text) == Answer(GRAPH, True, ())
    assert read(text).error() is None


@pytest.mark.parametrize(
    ("text", "kind", "message", "graph"),
    [
        ('{"nodes": [], "edges": []}', "empty", "no nodes and no edges", digraph("", [])),
        ("nodes:\nedges:\n", "empty", "no nodes and no edges", digraph("", [])),
        ('{"nodes": ["a", "x", "y"]}', "unknown_node", "no tool has this name: x, y", digraph("axy", [])),
        ('{"nodes": ["a"], "edges": [["a", "b"]]}', "unlisted_node", "not among the nodes: b", digraph("a", ["ab"])),
        ('{"edges": [["a", "b"]]}', "unlisted_node", "not among the nodes: a, b", digraph("", ["ab"])),
        ('{"nodes": ["a", "b", "a"]}', "duplicate_node", "more than once: a", digraph("ab", [])),
        ('{"nodes": ["a", "b"], "edges": [["a", "b"], "a -> b"]}', "duplicate_edge", "a -> b", digraph("", ["ab"])),
        ('{"nodes": ["a"], "edges": [["a", "a"]]}', "self_loop", "depend on itself: a", digraph("", ["aa"])),
        ('{"nodes": ["a", "b"], "edges": ["a->b", "b->a"]}', "cycle", "a cycle: ", digraph("", ["ab", "ba"])),
        ('{"nodes": ["a", 3, "", null]}', "bad_entry", 'left out: 3, , null', digraph("a", [])),
        ('{"nodes": ["a"], "edges": [["a"], ["a", 1], "a", {"a": "b"}]}', "bad_entry", '["a", 1]', digraph("a", [])),
        ('{"nodes": "a"}', "bad_entry", "left out: a", digraph("", [])),
        ("nodes: [no]\nedges:\n- get-data -> no", "unlisted_node", "not among the nodes: get-data",
         digraph(["no"], [("get-data", "no")])),
    ],
)  # fmt: skip
def test_problems(text: str, kind: str, message: str, graph: Digraph) -> None:
    answer = read(text)
    assert answer.readable and answer.graph == graph
    assert [problem.kind for problem in answer.problems] == [kind]
    assert message in answer.problems[0].message
    error = answer.error()
    assert error is not None
    assert error == (ErrorKind.MALFORMED if kind == "bad_entry" else ErrorKind.VALIDATION, answer.problems[0].message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no text"),
        ("<think>and so on", "no text"),
        ("I do not know.", "expected one JSON or YAML object"),
        ("[]", "expected one"),
        ('{"vertices": []}', "expected one"),
        ('{"nodes": ["a"', "expected one"),
        ("nodes: &x [a]\nedges: *x", "expected one"),
        (f"```json\n{BARE}\n```\nor\n```json\n{BARE}\n```", "expected one graph, got 2"),
        (f"Either {BARE} or {BARE}.", "expected one graph, got several"),
        ('{"nodes": ' + "[" * MAX_DEPTH + "]" * MAX_DEPTH + "}", "expected one"),
        ("nodes: " + "[" * MAX_DEPTH + "a" + "]" * MAX_DEPTH, "expected one"),
        (BARE + " " * MAX_CHARACTERS, f"at most {MAX_CHARACTERS} characters"),
        (BLOCK + "#" * MAX_YAML_CHARACTERS, "YAML of at most"),
        (json.dumps({"nodes": [str(n) for n in range(MAX_NODES + 1)]}), f"at most {MAX_NODES} nodes, got 1001"),
        (json.dumps({"edges": [["a", "b"]] * (MAX_EDGES + 1)}), f"at most {MAX_EDGES} edges"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    answer = read(text)
    assert not answer.readable and answer.graph == Digraph()
    assert [problem.kind for problem in answer.problems] == ["unreadable"]
    assert message in answer.problems[0].message
    assert answer.error() == (ErrorKind.MALFORMED, answer.problems[0].message)


def test_messages_name_the_first_few() -> None:
    (problem,) = read(json.dumps({"nodes": [f"x{n}" for n in range(30)] + ["a"]})).problems
    assert problem.message == "no tool has this name: x0, x1, x2, x3, x4 and 25 more"
    (problem,) = read(json.dumps({"nodes": ["x" * 500]})).problems
    assert len(problem.message) < 200
    ring = [f"x{n}" for n in range(40)]
    cycle = read(json.dumps({"edges": list(zip(ring, ring[1:] + ring[:1], strict=True))})).problems[-1]
    assert cycle.kind == "cycle" and len(cycle.message) < 200


@pytest.mark.parametrize(
    "text", ['{"nodes": ["\\ud800"]}', 'nodes: ["\\ud800", "\\U7fffffff"]', '{"nodes": ["\ud800"]}']
)
def test_lone_surrogates(text: str) -> None:
    problems = read(text).problems
    assert problems and "".join(problem.message for problem in problems).encode()


@pytest.mark.parametrize(
    "text",
    [
        "[" * 1_000_000,
        '{"nodes":[' * 100_000,
        "```nodes\n" * 110_000,
        "nodes: " + "a: " * 30_000,
        "nodes:\n" + "- " * 45_000,
        json.dumps({"nodes": ["a"], "edges": [["a", "b"]] * 80_000}),
        '{"nodes": ["' + "a" * 1_000_000 + '"]}',
    ],
    ids=range(7),
)
def test_large_documents_do_not_hang(text: str) -> None:
    started = time.perf_counter()
    read(text)
    assert time.perf_counter() - started < 3


PIECES = st.sampled_from([
    '{"nodes": ', '"edges": ', "[", "]", "{", "}", '"a"', ", ", "```", "\n", "nodes:", "- ", "a -> b", "<think>",
    "</think>", "*a", "&a", "edges: ", "null", "1e999", "\\ud800", '"', "!!int x", "%", "? ",
])  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=15).map("".join)))
@settings(max_examples=300, deadline=None)
def test_no_text_raises(text: str) -> None:
    answer = read(text)
    assert answer.readable or answer.graph == Digraph()
    assert answer.readable or answer.problems
    for problem in answer.problems:
        problem.message.encode()


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8).filter(
    lambda name: "->" not in name and "→" not in name
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    nodes = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    ends = st.sampled_from(nodes)
    return nodes, draw(st.lists(st.lists(ends, min_size=2, max_size=2), unique_by=tuple, max_size=8))


def write(nodes: list[str], edges: list[list[str]], form: str) -> str:
    document: dict[str, Any] = {"nodes": nodes, "edges": edges}
    if form == "objects":
        document["edges"] = [{"from": up, "to": down} for up, down in edges]
    if form == "arrows":
        document["edges"] = [f"{up} -> {down}" for up, down in edges]
    return yaml.safe_dump(document, allow_unicode=True) if form == "yaml" else json.dumps(document)


@given(graphs(), st.sampled_from(["pairs", "objects", "arrows", "yaml"]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_round_trip(graph: tuple[list[str], list[list[str]]], form: str, fenced: bool) -> None:
    nodes, edges = graph
    text = write(nodes, edges, form)
    if fenced and "```" not in text:
        text = f"So:\n```\n{text}\n```"
    answer = read_answer(text, nodes)
    assert answer.readable and answer.graph == digraph(nodes, edges)
    assert {problem.kind for problem in answer.problems} <= {"self_loop", "cycle"}
