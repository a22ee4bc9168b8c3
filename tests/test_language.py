"""Plain English, as far as a program can check it: in docstrings, comments, messages, pages and configuration files."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]

OPENINGS = re.compile(r"(What|Whether|How|That|Which)\b")
"""A docstring begins with a verb or a noun phrase."""

PHRASES = {
    r"\bstands? in\b": "in, is in",
    r"\b(is|are|was|were|be) told\b": "is reported, says",
    r"\bhangs? on\b": "depends on, is attached to",
    r"\bwhoever\b": "anyone who, the client that",
    r"\bwhat of\b": "the parts of",
}
"""Phrases that an English engineer would not write, and what to write in their place."""

QUOTES = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'")
"""Names and quotations, which may say anything."""

TOOL = re.compile(r"(\w+\.)?tool\(")
"""A decorator that makes a function a tool."""

EXEMPT = ("tests/test_language.py",)

READ_BY_MODELS = "scenarios/"
"""Folder whose pages are prompts, which the benchmark fixes."""


def tracked(*patterns: str) -> list[str]:
    """Return the files under version control that match, or all that exist where there is no repository."""
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=REPO, capture_output=True, text=True, check=False)
    found = listed.stdout.split()
    if listed.returncode or not found:
        found = [
            str(path.relative_to(REPO)) for one in patterns for path in REPO.rglob(one) if ".venv" not in path.parts
        ]
    return sorted(path for path in found if path not in EXEMPT and (REPO / path).is_file())


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every docstring, those of constants and attributes included; not those of tools."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef) and any(TOOL.match(ast.unparse(one)) for one in node.decorator_list):
            continue  # the description of a tool, which the benchmark fixes
        if isinstance(node, ast.FunctionDef) and (ast.get_docstring(node) or "").startswith("DESCRIPTION"):
            continue  # made into a tool by a factory, which puts the tool's own description there
        waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every comment."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def complaints(path: str, source: str) -> Iterator[str]:
    """Yield a line for each breach of the rule in a Python file."""
    said = list(docstrings(source))
    if any(re.search(phrase, source, re.IGNORECASE) for phrase in PHRASES):
        said += comments(source)
    for line, text in said:
        if opening := OPENINGS.match(text.lstrip()):
            yield f"{path}:{line}: a docstring begins with {opening[0]}; begin with a verb or a noun phrase"
        yield from phrases(path, line, text)


def phrases(path: str, line: int, text: str) -> Iterator[str]:
    """Yield a line for each phrase to be replaced."""
    plain = QUOTES.sub("", text)
    for phrase, better in PHRASES.items():
        if found := re.search(phrase, plain, re.IGNORECASE):
            yield f"{path}:{line}: {found[0]!r}; write: {better}"


def test_code_is_in_plain_english() -> None:
    found = [said for path in tracked("*.py") for said in complaints(path, (REPO / path).read_text("utf-8"))]
    assert not found, f"{len(found)} places:\n" + "\n".join(found)


def test_pages_and_settings_are_in_plain_english() -> None:
    found: list[str] = []
    for path in tracked("*.md", "configs/*.yaml", "configs/**/*.yaml"):
        if path.startswith(READ_BY_MODELS) and not path.endswith("README.md"):
            continue
        inside = False
        for number, line in enumerate((REPO / path).read_text("utf-8").splitlines(), 1):
            inside ^= line.lstrip().startswith("```")
            if not inside:
                found += phrases(path, number, line if path.endswith(".md") else line.partition("#")[2])
    assert not found, f"{len(found)} places:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('"""What a run leaves."""', "begins with What"),
        ('def f():\n    """How long it takes."""', "begins with How"),
        ('X = 1\n"""Whether it counts."""', "begins with Whether"),
        ("# The order stands in another file.", "'stands in'"),
        ('"""Reports what whoever\nasked is told."""', "'whoever'"),
        ('"""The call is told to the agent."""', "'is told'"),
        ("x = 1  # settings that others hang on", "'hang on'"),
        ('"""Return what a run leaves, such as `what stands in`."""', None),
        ('@tool()\ndef f():\n    """What the model reads."""', None),
    ],
)
def test_a_breach_is_found(source: str, expected: str | None) -> None:
    found = list(complaints("x.py", source))
    assert any(expected in said for said in found) if expected else not found
